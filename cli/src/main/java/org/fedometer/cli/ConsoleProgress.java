package org.fedometer.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.fedometer.experiments.JobListener;
import org.fedometer.experiments.Step;

/**
 * Shows a job's steps on the terminal: one line a step, rewritten in place while it goes on. Where
 * the output is no terminal, a line every ten seconds instead. Safe for use by several threads.
 */
final class ConsoleProgress implements JobListener {
  private static final long TERMINAL_INTERVAL_NANOS = Duration.ofMillis(200).toNanos();
  private static final long PLAIN_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int BAR_WIDTH = 10;
  private static final String ERASE_LINE = "\r\u001b[2K";

  private final PrintStream out;
  private final boolean terminal;
  private final int columns;
  private boolean lineOpen;
  private long lastShownNanos;

  ConsoleProgress(PrintStream out, boolean terminal, int columns) {
    this.out = out;
    this.terminal = terminal;
    this.columns = columns;
  }

  @Override
  public synchronized void started(Step step) {
    lastShownNanos = System.nanoTime() - TERMINAL_INTERVAL_NANOS;
    if (terminal) {
      show(step, "...");
    }
  }

  @Override
  public synchronized void progress(Step step, double fraction, String text) {
    if (fraction < 0) {
      // One of a step's few parts: worth a line of its own in a log, too.
      show(step, text);
      return;
    }
    long now = System.nanoTime();
    if (now - lastShownNanos >= (terminal ? TERMINAL_INTERVAL_NANOS : PLAIN_INTERVAL_NANOS)) {
      lastShownNanos = now;
      show(step, bar(fraction) + " " + text);
    }
  }

  @Override
  public synchronized void finished(Step step, String summary, Duration took) {
    show(step, String.format(Locale.ROOT, "%s (%.1f s)", summary, took.toMillis() / 1000.0));
    endLine();
  }

  @Override
  public synchronized void note(String text) {
    endLine();
    out.println(text);
    out.flush();
  }

  /** Leaves a line that is being rewritten, so that what is printed next stands on its own. */
  synchronized void endLine() {
    if (lineOpen) {
      out.println();
      out.flush();
      lineOpen = false;
    }
  }

  private void show(Step step, String text) {
    String line = String.format(Locale.ROOT, "%-9s  %s", step.id(), text);
    if (terminal) {
      out.print(ERASE_LINE + cut(line));
      lineOpen = true;
    } else {
      out.println(line);
    }
    out.flush();
  }

  private String cut(String line) {
    return line.length() < columns ? line : line.substring(0, Math.max(1, columns - 1));
  }

  private static String bar(double fraction) {
    int full = (int) Math.round(Math.min(1, fraction) * BAR_WIDTH);
    return "["
        + "=".repeat(full)
        + " ".repeat(BAR_WIDTH - full)
        + String.format(Locale.ROOT, "] %3.0f %%", Math.min(1, fraction) * 100);
  }
}
