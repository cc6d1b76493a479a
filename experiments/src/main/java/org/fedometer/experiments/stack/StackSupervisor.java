package org.fedometer.experiments.stack;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.threads.DaemonThreads;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.store.RunDocument;
import org.fedometer.wire.Counted;
import org.fedometer.wire.FailureText;

/**
 * Keeps Fedora and its database running during a load: when one of the processes has ended,
 * restarts both in place. Runs on its own thread until closed, which ends a restart under way. The
 * job's thread opens and closes it; other methods are thread-safe.
 */
public final class StackSupervisor implements AutoCloseable {

  /** Well below the time in which a worker abandons an object. */
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final Supervised stack;
  private final int maxRestarts;
  private final JobListener listener;
  private final List<RunDocument.Outage> outages = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean closed;
  private volatile StepFailure failure;

  /** The supervised processes, with notifications. */
  public interface Supervised {

    /** Returns the names of processes that do not run. */
    List<String> missing();

    /** Returns how they were killed; empty if unknown. */
    String kills(List<String> processes);

    /** Called on the supervisor's thread, like the next. */
    void onEnded();

    /**
     * Restarts all processes.
     *
     * @throws ProvisioningException if they do not come up; nothing is left running
     * @throws IOException if they are not where they were
     */
    void bringUp() throws ProvisioningException, IOException;
  }

  private StackSupervisor(Supervised stack, int maxRestarts, JobListener listener) {
    this.stack = stack;
    this.maxRestarts = maxRestarts;
    this.listener = listener;
    this.thread = DaemonThreads.newThread("fedometer-stack-keeper", this::supervise);
  }

  public static StackSupervisor start(Supervised stack, int maxRestarts, JobListener listener) {
    StackSupervisor supervisor = new StackSupervisor(stack, maxRestarts, listener);
    supervisor.thread.start();
    return supervisor;
  }

  /** Returns why nothing is restarted any more, if so. */
  public Optional<StepFailure> failure() {
    return Optional.ofNullable(failure);
  }

  /** Returns the outages, oldest first. */
  public List<RunDocument.Outage> outages() {
    return List.copyOf(outages);
  }

  private void supervise() {
    try {
      while (!closed) {
        List<String> missing = stack.missing();
        if (missing.isEmpty()) {
          Thread.sleep(POLL_INTERVAL.toMillis());
        } else if (!restart(missing)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      // Closed.
    } catch (RuntimeException | Error e) {
      failure =
          new StepFailure(
              Step.INGEST, "unexpected fault of Fedometer: " + FailureText.of(e), null, e);
    }
  }

  private boolean restart(List<String> missing) {
    long noticedNanos = System.nanoTime();
    String what =
        String.join(" and ", missing)
            + (missing.size() == 1 ? "'s process has ended" : "'s processes have ended")
            + parenthesized(stack.kills(missing));
    if (outages.size() >= maxRestarts) {
      outages.add(outage(noticedNanos, what + "."));
      failure =
          new StepFailure(
              Step.INGEST,
              what
                  + " during the ingest"
                  + (maxRestarts == 0
                      ? "."
                      : " after "
                          + Counted.of(maxRestarts, "restart")
                          + ", the limit of --max-restarts."),
              null,
              null);
      return false;
    }
    int number = outages.size() + 1;
    listener.note(
        what + ": starting again (" + number + " of " + Counted.of(maxRestarts, "time") + ").");
    stack.onEnded();
    try {
      stack.bringUp();
    } catch (ProvisioningException | IOException e) {
      if (!closed) {
        Path log = e instanceof ProvisioningException failed ? failed.log().orElse(null) : null;
        outages.add(outage(noticedNanos, what + " and did not come up again."));
        failure =
            new StepFailure(
                Step.INGEST,
                what + " during the ingest, and could not be started again: " + Reason.of(e),
                log,
                e);
      }
      return false;
    }
    outages.add(outage(noticedNanos, what + " and was started again."));
    return true;
  }

  private static String parenthesized(String kills) {
    return kills.isEmpty() ? "" : " (" + kills + ")";
  }

  private static RunDocument.Outage outage(long noticedNanos, String reason) {
    return new RunDocument.Outage(
        RunDocument.Outage.FEDORA, noticedNanos, System.nanoTime(), reason);
  }

  /** Returns when no restart is under way, and none will follow. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
