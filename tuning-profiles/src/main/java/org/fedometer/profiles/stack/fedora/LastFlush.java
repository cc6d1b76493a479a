package org.fedometer.profiles.stack.fedora;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.LogLines;
import org.fedometer.profiles.stack.program.Ports;
import org.fedometer.wire.Counted;

/**
 * Writes triples that Fedora has acknowledged and still holds in memory, before Fedora ends.
 *
 * <p>Tomcat first refuses new requests and finishes those in progress; otherwise a client that
 * continues to write would refill the buffer. Fedora then receives a flush request through a
 * temporary connector, since the others refuse requests. If Fedora's JVM cannot be managed from
 * outside, the flush request uses Fedora's own port. Later triples are then left to the flush at
 * shutdown. For one thread.
 */
public final class LastFlush {

  private static final Duration REQUESTS_TIMEOUT = Duration.ofSeconds(30);

  /** The largest buffer of the shipped profiles takes seconds. */
  private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(120);

  /** Longest duration of {@link #run}, after which a hanging JVM is given up. */
  public static final Duration TIMEOUT = REQUESTS_TIMEOUT.plus(FLUSH_TIMEOUT).plusSeconds(30);

  private static final String PATH =
      "risearch?type=triples&lang=spo&format=count&limit=1&flush=true&query=*%20*%20*";

  /** Trippi's log text for a flush whose triples it drops. */
  private static final String DROPPED_BY_ITSELF = "Error auto-flushing update buffer";

  private static final String DROPPED_AT_THE_END = "Error flushing update buffer";

  /** Statuses after which Fedora has not tried to flush. */
  private static final Set<Integer> FLUSH_NOT_REQUESTED =
      Set.of(
          FedoraServer.NOT_REACHED,
          HttpURLConnection.HTTP_UNAUTHORIZED,
          HttpURLConnection.HTTP_FORBIDDEN,
          HttpURLConnection.HTTP_UNAVAILABLE);

  private final StackFolders folders;
  private final StackDocument stack;
  private final LinuxProcess fedora;
  private final long logPosition;

  private volatile OptionalLong waiting = OptionalLong.empty();

  /** True if a request may have been answered after the flush. */
  private volatile boolean incomplete;

  private int status = HttpURLConnection.HTTP_OK;

  /**
   * @param fedora the stack's process, which may still be starting
   */
  public LastFlush(StackFolders folders, StackDocument stack, LinuxProcess fedora)
      throws IOException {
    this.folders = folders;
    this.stack = stack;
    this.fedora = fedora;
    this.logPosition = LogLines.size(folders.fedoraLog());
  }

  /** Flushes; returns after success or failure, even if the thread is interrupted. */
  public void run() {
    if (stack.setting("triplestore.store").equals("none") || stack.session().httpPort() == 0) {
      return;
    }
    FutureTask<Integer> work = new FutureTask<>(this::flush);
    Thread thread = new Thread(work, "fedometer-last-flush");
    thread.setDaemon(true);
    thread.start();
    status = await(work);
  }

  /** Returns the result, or not reached after {@link #TIMEOUT}. */
  private static int await(FutureTask<Integer> work) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return work.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
          return FedoraServer.NOT_REACHED;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private int flush() throws IOException, InterruptedException {
    Secrets secrets = Secrets.read(folders);
    boolean refuses = false;
    try (TomcatManagement tomcat = TomcatManagement.of(fedora.pid())) {
      if (!tomcat.acceptsRequests()) {
        return HttpURLConnection.HTTP_OK; // no data has arrived yet
      }
      refuses = true;
      tomcat.refuseRequests();
      incomplete = !tomcat.awaitRequests(REQUESTS_TIMEOUT);
      if (!incomplete) {
        waiting = count(tomcat);
      }
      int port = Ports.free();
      tomcat.openConnector(port);
      return requestFlush(port, secrets);
    } catch (IOException e) {
      if (refuses) {
        // Its port still accepts connections, but never answers.
        return FedoraServer.NOT_REACHED;
      }
      incomplete = true;
      return requestFlush(stack.session().httpPort(), secrets);
    }
  }

  /** Returns the count; empty if unavailable, which does not prevent a flush. */
  private static OptionalLong count(TomcatManagement tomcat) {
    try {
      return OptionalLong.of(tomcat.waitingUpdates());
    } catch (IOException | RuntimeException e) {
      return OptionalLong.empty();
    }
  }

  private static int requestFlush(int port, Secrets secrets) {
    return FedoraServer.get(
        FedoraServer.url(port, PATH),
        FedoraServer.authorization(secrets),
        (int) FLUSH_TIMEOUT.toMillis());
  }

  /**
   * Returns the remaining loss as a sentence. Call it after Fedora has ended.
   *
   * @param orderly whether Fedora ended by itself, with its own flush
   */
  public Optional<String> loss(boolean orderly) throws IOException {
    boolean dropped =
        LogLines.contains(folders.fedoraLog(), logPosition, DROPPED_BY_ITSELF)
            || LogLines.contains(folders.fedoraLog(), logPosition, DROPPED_AT_THE_END);
    if (!dropped
        && (isWritten() || orderly && (isFlushed() || FLUSH_NOT_REQUESTED.contains(status)))) {
      return Optional.empty();
    }
    if (waiting.isPresent() && waiting.getAsLong() == 0 && !dropped) {
      return Optional.empty();
    }
    return Optional.of(lossMessage());
  }

  private boolean isFlushed() {
    return status == HttpURLConnection.HTTP_OK;
  }

  private boolean isWritten() {
    return isFlushed() && !incomplete || isWithoutTriplestore();
  }

  /** Returns whether Fedora's resource index is off or Fedora is not up. */
  private boolean isWithoutTriplestore() {
    return status == HttpURLConnection.HTTP_NOT_FOUND;
  }

  private String lossMessage() throws IOException {
    String reason =
        LogLines.firstCause(folders.fedoraLog(), logPosition).orElseGet(this::reasonOfStatus);
    String number =
        waiting.isPresent() && waiting.getAsLong() > 0
            ? "up to " + Counted.of(waiting.getAsLong(), "triple")
            : "an unknown number of triples";
    return ("Fedora lost %s at shutdown although it had acknowledged them (%s); 'fedometer"
            + " verify --home %s' names the objects, and 'fedometer stack repair --home %s'"
            + " restores the triples")
        .formatted(number, reason, folders.home(), folders.home());
  }

  private String reasonOfStatus() {
    if (isFlushed()) {
      return "requests continued during its last flush, and it was killed afterwards";
    }
    return status == FedoraServer.NOT_REACHED
        ? "Fedora did not answer"
        : "Fedora answered with status " + status;
  }
}
