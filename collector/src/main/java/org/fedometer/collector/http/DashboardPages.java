package org.fedometer.collector.http;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.fedometer.collector.dashboard.Dashboard;
import org.fedometer.collector.dashboard.Viewer;
import org.fedometer.store.RunFolder;
import org.fedometer.wire.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the dashboard's data, described in docs/collector.md. */
final class DashboardPages {
  private static final Logger LOG = LoggerFactory.getLogger(DashboardPages.class);
  private static final Response NO_SUCH_RUN = Response.error(404, "no run has this name");
  private static final Response TOO_MANY_REQUESTS = Response.error(503, "too many queries wait");

  private final Dashboard dashboard;

  private DashboardPages(Dashboard dashboard) {
    this.dashboard = dashboard;
  }

  static void addTo(Routes routes, Dashboard dashboard) {
    DashboardPages pages = new DashboardPages(dashboard);
    Assets assets = new Assets();
    routes
        .open("/", assets)
        .openBelow("/assets/", assets)
        .guarded("/api/runs", pages::runs)
        .guarded("/api/run", pages::run)
        .guarded("/api/history", pages::history)
        .guarded("/api/live", pages::live);
  }

  private Reply runs(Request request) throws IOException {
    return request.parameters().isEmpty()
        ? Response.json(dashboard.runs())
        : Response.error(400, "/api/runs takes no parameters");
  }

  private Reply run(Request request) throws IOException {
    String name = only(request, "name");
    if (name == null) {
      return missingParameter("name");
    }
    byte[] json = dashboard.run(name);
    return json == null ? NO_SUCH_RUN : Response.json(json);
  }

  private Reply history(Request request) throws IOException {
    String name = only(request, "run");
    if (name == null) {
      return missingParameter("run");
    }
    CompletableFuture<byte[]> json = dashboard.history(name);
    return json == null
        ? NO_SUCH_RUN
        : new Reply.Deferred(
            json.handle((read, failure) -> failure == null ? Response.json(read) : of(failure)));
  }

  private static Response of(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof RejectedExecutionException) {
      return TOO_MANY_REQUESTS;
    }
    LOG.warn("The timeline of a run cannot be read: {}", FailureText.of(cause));
    return Response.error(500, "this run cannot be read; see the collector's log");
  }

  private Reply live(Request request) throws IOException {
    String name = only(request, "run");
    if (name == null) {
      return missingParameter("run");
    }
    if (request.head()) {
      return dashboard.knows(name)
          ? new Response(200, "text/event-stream; charset=utf-8", new byte[0])
          : NO_SUCH_RUN;
    }
    return (Reply.Stream) to -> begin(name, to);
  }

  private Reply.StreamStart begin(String name, Reply.EventSink to) throws IOException {
    Dashboard.Admitted admitted =
        dashboard.subscribe(
            name,
            new Viewer() {
              @Override
              public boolean send(byte[] event) {
                return to.send(event);
              }

              @Override
              public void end() {
                to.end();
              }
            });
    return switch (admitted.admission()) {
      case ADMITTED -> new Reply.StreamStart(admitted.subscription()::close, null);
      case NO_SUCH_RUN -> new Reply.StreamStart(null, NO_SUCH_RUN);
      case TOO_MANY ->
          new Reply.StreamStart(
              null, Response.error(503, "too many dashboards are open; close some pages"));
    };
  }

  private static Response missingParameter(String parameter) {
    return Response.error(
        400, "give exactly one parameter, " + parameter + ", with the name of a run");
  }

  /** Returns the only parameter, a valid run name; otherwise null. */
  private static String only(Request request, String parameter) {
    List<String> values = request.parameters().get(parameter);
    return request.parameters().size() == 1
            && values != null
            && values.size() == 1
            && RunFolder.isValidName(values.get(0))
        ? values.get(0)
        : null;
  }
}
