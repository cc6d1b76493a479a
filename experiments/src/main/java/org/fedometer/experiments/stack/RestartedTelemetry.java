package org.fedometer.experiments.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.fedometer.experiments.telemetry.StackTelemetry;

/**
 * Telemetry of a stack whose processes may be replaced. The job's thread opens and closes it; the
 * restarting thread interrupts and resumes it.
 */
public final class RestartedTelemetry implements AutoCloseable {
  private final Supplier<StackTelemetry> factory;
  private final List<String> notes = new ArrayList<>();
  private StackTelemetry current;
  private boolean closed;

  /**
   * @param opening returns null if no telemetry is wanted
   */
  private RestartedTelemetry(Supplier<StackTelemetry> opening) {
    this.factory = opening;
    this.current = opening.get();
  }

  /**
   * Begins at once, on the caller's thread.
   *
   * @param opening called now, and on the resuming thread after each restart; returns null if none
   *     is wanted
   */
  public static RestartedTelemetry open(Supplier<StackTelemetry> opening) {
    return new RestartedTelemetry(opening);
  }

  /**
   * Ends the readings after a process has ended. Does not wait for a hanging database, to not delay
   * a restart.
   */
  public synchronized void interrupt() {
    if (current != null) {
      current.abort();
      current = null;
    }
  }

  /** Resumes after the processes have been restarted. */
  public synchronized void resume() {
    if (!closed && current == null) {
      current = factory.get();
    }
  }

  /** Returns what is missing, a sentence each; complete after {@link #close}. */
  public synchronized List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (current != null) {
      current.close();
      notes.addAll(current.notes());
      current = null;
    }
  }
}
