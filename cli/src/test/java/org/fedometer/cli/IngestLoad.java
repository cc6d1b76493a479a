package org.fedometer.cli;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.fedometer.wire.TestDelay;

/** Clients that ingest one small object after the other and note each failure. */
final class IngestLoad implements AutoCloseable {
  private static final String FOXML =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <foxml:digitalObject VERSION="1.1" PID="%s" xmlns:foxml="info:fedora/fedora-system:def/foxml#">
        <foxml:objectProperties>
          <foxml:property NAME="info:fedora/fedora-system:def/model#state" VALUE="Active"/>
          <foxml:property NAME="info:fedora/fedora-system:def/model#label" VALUE="load"/>
        </foxml:objectProperties>
      </foxml:digitalObject>
      """;

  private final String objects;
  private final String authorization;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong ingested = new AtomicLong();
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

  // Guarded by this.
  private int waiting;
  private boolean paused;
  private boolean ended;
  private Duration thinkTime = Duration.ZERO;

  IngestLoad(String fedoraUrl, String user, String password, int clients) {
    this.objects = fedoraUrl + "/objects/";
    this.authorization =
        "Basic "
            + Base64.getEncoder()
                .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < clients; i++) {
      Thread thread = new Thread(this::run, "load-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  /** Objects that Fedora has acknowledged. */
  long ingested() {
    return ingested.get();
  }

  /** Every answer that was not 201, every broken connection. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  /** Returns when no request is on its way. */
  synchronized void pause() throws InterruptedException {
    paused = true;
    while (waiting < threads.size()) {
      wait();
    }
  }

  synchronized void resume() {
    paused = false;
    notifyAll();
  }

  /** Between an answer and the client's next request; none at first. */
  synchronized void thinkTime(Duration duration) {
    thinkTime = duration;
  }

  @Override
  public void close() throws InterruptedException {
    synchronized (this) {
      ended = true;
      notifyAll();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void run() {
    // Without its cookie Fedora would open a session for each request and keep it for half an hour.
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .cookieHandler(new CookieManager())
            .build();
    try {
      while (awaitResumed()) {
        ingest(client, "load:o-" + numbers.incrementAndGet());
        TestDelay.sleep(thinkTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits out a pause; false at the end. */
  private synchronized boolean awaitResumed() throws InterruptedException {
    waiting++;
    notifyAll();
    while (paused && !ended) {
      wait();
    }
    waiting--;
    return !ended;
  }

  private synchronized Duration thinkTime() {
    return thinkTime;
  }

  private HttpRequest request(String pid) {
    return HttpRequest.newBuilder(
            URI.create(objects + pid + "?format=info:fedora/fedora-system:FOXML-1.1"))
        .header("Authorization", authorization)
        .header("Content-Type", "text/xml")
        .POST(HttpRequest.BodyPublishers.ofString(FOXML.formatted(pid)))
        .build();
  }

  private void ingest(HttpClient client, String pid) throws InterruptedException {
    try {
      HttpResponse<String> response =
          client.send(request(pid), HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() == 201) {
        ingested.incrementAndGet();
      } else {
        failures.add(pid + ": " + response.statusCode() + " " + response.body());
      }
    } catch (IOException e) {
      failures.add(pid + ": " + e);
    }
  }
}
