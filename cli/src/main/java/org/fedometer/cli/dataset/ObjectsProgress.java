package org.fedometer.cli.dataset;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.fedometer.cli.terminal.StandardStreams;
import org.fedometer.cli.terminal.Terminal;

/**
 * Shows the number of processed objects on a line that is rewritten once a second; for one thread.
 */
final class ObjectsProgress implements LongConsumer {
  private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

  private final PrintStream err;
  private final long objects;
  private long nextNanos = System.nanoTime() + INTERVAL_NANOS;
  private boolean shown;

  private ObjectsProgress(PrintStream err, long objects) {
    this.err = err;
    this.objects = objects;
  }

  /** Returns a listener that shows nothing unless a terminal is used. */
  static LongConsumer of(long objects) {
    return Terminal.interactive()
        ? new ObjectsProgress(StandardStreams.styledErrors(), objects)
        : done -> {};
  }

  @Override
  public void accept(long done) {
    if (done == objects && shown) {
      err.print("\r\033[K");
      err.flush();
    } else if (System.nanoTime() - nextNanos >= 0) {
      err.printf(Locale.ROOT, "\r%,d of %,d objects", done, objects);
      err.flush();
      nextNanos = System.nanoTime() + INTERVAL_NANOS;
      shown = true;
    }
  }
}
