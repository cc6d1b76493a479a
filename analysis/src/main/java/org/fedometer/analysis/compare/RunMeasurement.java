package org.fedometer.analysis.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.compare.MeasuredRun.LabelledChange;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.analysis.statistics.SizeRange;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.analysis.statistics.WithinRun;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.store.RunSummary;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/**
 * Measures one run. Its requests are in memory only during this, since a comparison may have many
 * runs of millions. One use, one thread.
 */
final class RunMeasurement {
  private final Lineup.Run run;
  private final RunDocument document;
  private final Choices choices;
  private final List<String> remarks = new ArrayList<>();

  private RunMeasurement(Lineup.Run run, Choices choices) {
    this.run = run;
    this.document = run.document();
    this.choices = choices;
  }

  /** Returns the repository sizes of the part to compare; empty without one. */
  static Optional<SizeRange> sizes(Lineup.Run run, Choices choices)
      throws IOException, QueryException {
    return new RunMeasurement(run, choices).sizes();
  }

  /**
   * @param withinRun whether to estimate the uncertainty within the run
   * @param sizesOrNull repository sizes that count; null for all after the warm-up
   */
  static MeasuredRun of(Lineup.Run run, Choices choices, boolean withinRun, SizeRange sizesOrNull)
      throws IOException, QueryException {
    return new RunMeasurement(run, choices).measured(withinRun, sizesOrNull);
  }

  private Optional<SizeRange> sizes() throws IOException, QueryException {
    try (Query query = run.view().query()) {
      Optional<RequestSeries> requests = RequestSeries.of(query, document);
      if (requests.isEmpty()) {
        return Optional.empty();
      }
      Series service = requests.get().service();
      int first = (int) warmUp(service).coldObjects();
      return first < service.count()
          ? Optional.of(
              new SizeRange(
                  service.objectsBefore() + first, service.objectsBefore() + service.count()))
          : Optional.empty();
    }
  }

  private MeasuredRun measured(boolean withinRun, SizeRange sizesOrNull)
      throws IOException, QueryException {
    remarkOnItsEnd();
    try (Query query = run.view().query()) {
      Optional<RequestSeries> found = RequestSeries.of(query, document);
      if (found.isEmpty()) {
        remarks.add(
            "The run %s has no acknowledged ingest: the ratios leave it out.%s"
                .formatted(
                    run.name(),
                    document.imported() == null
                        ? ""
                        : " Import it again, and name its ingests with --ingest-label."));
        return nothing(false, 0, null, List.of());
      }
      RequestSeries requests = found.get();
      Series service = requests.service();
      WarmUp warmUp = warmUp(service);
      SteadyState steadyState =
          SteadyState.of(service, warmUp, choices.threshold(), choices.resampling().seed());
      List<LabelledChange> changes = labelled(query, requests, steadyState);
      boolean open = requests.response() != null;
      int first = (int) warmUp.coldObjects();
      int end = service.count();
      if (sizesOrNull != null) {
        first = Math.max(first, (int) (sizesOrNull.from() - service.objectsBefore()));
        end = (int) Math.min(end, sizesOrNull.to() - service.objectsBefore());
      }
      if (end - first < WithinRun.MIN_REQUESTS) {
        remarks.add(
            "The run %s has only %s to measure: the ratios leave it out."
                .formatted(run.name(), NumberFormats.count(Math.max(0, end - first), "object")));
        return nothing(open, service.count(), steadyState, changes);
      }
      remarkOnWarmUp(service, first);
      // The last common size is not the end of every run, and only an end has a drain.
      MeasuredPart part = MeasuredPart.of(requests, first, end, sizesOrNull == null, document);
      List<StageTime> stages = StageTimes.of(query, part);
      ResourceUse resources = ResourceTables.of(query, document, part, stages);
      MeasuredRun.Statistics ofService = statistics(part.service(), withinRun);
      MeasuredRun.Statistics ofResponse =
          open ? statistics(requests.response().slice(first, end), withinRun) : null;
      boolean whole = first == 0 && end == service.count();
      MeasuredRun.Part compared =
          new MeasuredRun.Part(
              first,
              part.objects(),
              part.loadedNanos(),
              ofService,
              ofResponse,
              whole ? ofService : statistics(service, withinRun),
              whole || !open ? ofResponse : statistics(requests.response(), withinRun));
      return new MeasuredRun(
          run.name(),
          document,
          run.block(),
          open,
          service.count(),
          steadyState,
          changes,
          compared,
          RunSummary.objectsPerSecond(document),
          stages,
          resources,
          LimitingResource.of(resources, stages, document.workers(), open),
          remarks);
    }
  }

  private MeasuredRun nothing(
      boolean open, long objects, SteadyState steadyState, List<LabelledChange> changes) {
    return new MeasuredRun(
        run.name(),
        document,
        run.block(),
        open,
        objects,
        steadyState,
        changes,
        null,
        RunSummary.objectsPerSecond(document),
        List.of(),
        null,
        null,
        remarks);
  }

  private WarmUp warmUp(Series service) {
    Long chosen = choices.warmUpObjects() == null ? run.warmObjects() : choices.warmUpObjects();
    return chosen == null || chosen == Choices.FOUND_WARM_UP
        ? WarmUp.of(service)
        : WarmUp.given(chosen, service.count());
  }

  private MeasuredRun.Statistics statistics(Series series, boolean withinRun) {
    if (withinRun) {
      WithinRun within = WithinRun.of(series, choices.resampling());
      return new MeasuredRun.Statistics(within.statistics(), within);
    }
    return new MeasuredRun.Statistics(RunStatistics.of(series), null);
  }

  private List<LabelledChange> labelled(
      Query query, RequestSeries requests, SteadyState steadyState) throws QueryException {
    if (steadyState.changes().isEmpty()) {
      return List.of();
    }
    MeasuredPart whole = MeasuredPart.of(requests, 0, requests.service().count(), true, document);
    ChangeCauses causes = new ChangeCauses(query, document, whole.window(), whole.objects());
    List<LabelledChange> labelled = new ArrayList<>();
    for (SteadyState.Change change : steadyState.changes()) {
      long at = requests.clock().nanoTime(change.atNanos());
      labelled.add(
          new LabelledChange(
              change, at - whole.window().startNanos(), causes.at(at, change.exactRequests())));
    }
    return labelled;
  }

  private void remarkOnItsEnd() {
    String state = document.state() == null ? RunSummary.UNKNOWN : document.state();
    if (RunState.DONE_WITH_ERRORS.is(state)) {
      long failed = document.objects() == null ? 0 : document.objects().failed();
      remarks.add(
          "The run %s ended with errors%s: see its report."
              .formatted(
                  run.name(),
                  failed == 0 ? "" : ", " + NumberFormats.count(failed, "object") + " failed"));
    } else if (!RunState.DONE.is(state) && !RunState.IMPORTED.is(state)) {
      remarks.add("The run %s is not complete (%s): see its report.".formatted(run.name(), state));
    }
  }

  /**
   * @param cut initial objects that do not count, for any reason
   */
  private void remarkOnWarmUp(Series service, int cut) {
    long found = WarmUp.of(service).coldObjects();
    if (cut < found) {
      remarks.add(
          "By MSER-5 the first %s of the run %s are warm-up, but %s cut."
              .formatted(
                  NumberFormats.count(found, "object"),
                  run.name(),
                  cut == 0
                      ? "nothing is"
                      : cut == 1
                          ? "only 1 is"
                          : "only %s are".formatted(NumberFormats.count(cut))));
    }
  }
}
