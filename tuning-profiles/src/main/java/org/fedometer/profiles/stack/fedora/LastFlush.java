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
 * Writes the triples that Fedora has acknowledged and still has in memory, before Fedora ends.
 *
 * <p>Tomcat first refuses new requests and finishes those under way; otherwise a client that goes
 * on writing would fill the buffer again. Then Fedora is asked to flush through a connector that is
 * opened for this alone, since the others refuse. Where Fedora's JVM cannot be managed from
 * outside, Fedora is asked to flush through its own port, and what comes between that and its end
 * is left to the flush of its shutdown. For one thread.
 */
public final class LastFlush {

  private static final Duration REQUESTS_TIMEOUT = Duration.ofSeconds(30);

  /** The largest buffer of the shipped profiles takes seconds. */
  private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(120);

  /** What {@link #run} may take, in which a JVM that hangs is given up, too. */
  public static final Duration TIMEOUT = REQUESTS_TIMEOUT.plus(FLUSH_TIMEOUT).plusSeconds(30);

  private static final String PATH =
      "risearch?type=triples&lang=spo&format=count&limit=1&flush=true&query=*%20*%20*";

  /** Of Trippi, at a flush whose triples it drops. */
  private static final String DROPPED_BY_ITSELF = "Error auto-flushing update buffer";

  private static final String DROPPED_AT_THE_END = "Error flushing update buffer";

  /** Fedora has not flushed, and has not tried to. */
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

  /** Whether a request may have been answered after the flush. */
  private volatile boolean incomplete;

  private int status = HttpURLConnection.HTTP_OK;

  /**
   * @param fedora the stack's, which may be about to come up
   */
  public LastFlush(StackFolders folders, StackDocument stack, LinuxProcess fedora)
      throws IOException {
    this.folders = folders;
    this.stack = stack;
    this.fedora = fedora;
    this.logPosition = LogLines.size(folders.fedoraLog());
  }

  /** Flushes; returns when that has succeeded or failed, even if the thread is interrupted. */
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

  /** The result, or that Fedora could not be asked within {@link #TIMEOUT}. */
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
        return HttpURLConnection.HTTP_OK; // nothing has come in yet
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
        // Its port takes a connection all the same, and never answers.
        return FedoraServer.NOT_REACHED;
      }
      incomplete = true;
      return requestFlush(stack.session().httpPort(), secrets);
    }
  }

  /** Empty where it cannot be had, which is no reason not to flush. */
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
   * What is lost all the same, as a sentence; to be called when Fedora has ended.
   *
   * @param orderly whether Fedora has ended by itself, with a flush of its own
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

  /** Its resource index is off, or it is not up. */
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
    return "%s that Fedora had acknowledged could not be written as it stopped, and got lost (%s); 'fedometer verify --home %s' names the objects, and 'fedometer stack repair --home %s' makes up for the loss"
        .formatted(number, reason, folders.home(), folders.home());
  }

  private String reasonOfStatus() {
    if (isFlushed()) {
      return "requests went on while Fedora wrote, and it was killed after that";
    }
    return status == FedoraServer.NOT_REACHED
        ? "Fedora did not answer"
        : "Fedora answered with status " + status;
  }
}
