package org.fedometer.experiments.stack;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.fedometer.experiments.telemetry.StackTelemetry;

/**
 * Telemetry of a stack whose processes may be others after a while. Opened and closed by the job's
 * one thread, interrupted and continued by whoever starts them again.
 */
public final class RestartedTelemetry implements AutoCloseable {
  private final Supplier<StackTelemetry> factory;
  private final List<String> notes = new ArrayList<>();
  private StackTelemetry current;
  private boolean closed;

  /** Opening gives null where no telemetry is wanted. */
  private RestartedTelemetry(Supplier<StackTelemetry> opening) {
    this.factory = opening;
    this.current = opening.get();
  }

  /**
   * Begins at once, on the caller's thread.
   *
   * @param opening called now, and whenever the processes are up again, by whoever says so; gives
   *     null where none is wanted
   */
  public static RestartedTelemetry open(Supplier<StackTelemetry> opening) {
    return new RestartedTelemetry(opening);
  }

  /**
   * Some of the processes have ended, which is told elsewhere, and why readings are missing.
   * Whoever starts them again is not kept waiting for a last answer of a database that hangs.
   */
  public synchronized void interrupt() {
    if (current != null) {
      current.abort();
      current = null;
    }
  }

  /** They are up again. */
  public synchronized void resume() {
    if (!closed && current == null) {
      current = factory.get();
    }
  }

  /** What is missing, a sentence each; all of it after {@link #close}. */
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
