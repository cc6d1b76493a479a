package org.fedometer.cli.terminal;

import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.fedometer.analysis.text.Shortened;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Step;
import org.fedometer.wire.SafeLine;

/**
 * Shows a job's steps on the terminal: one line per step, rewritten in place, or a panel of several
 * lines.
 *
 * <p>Without a terminal, prints a line a minute, the first after ten seconds. Ignores write
 * failures: a run survives the loss of its terminal. Thread-safe.
 */
public final class ConsoleProgress implements JobListener {
  private static final long TERMINAL_INTERVAL_NANOS = Duration.ofMillis(200).toNanos();
  private static final long PLAIN_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long PLAIN_FIRST_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int BAR_WIDTH = 10;
  private static final String ERASE_LINE = "\r\u001b[2K";
  private static final String UP_AND_ERASE = "\u001b[1A\u001b[2K";
  private static final String INDENT = " ".repeat(11);

  private final PrintStream out;
  private final boolean terminal;
  private final int columns;

  /** Lines to be rewritten. */
  private int linesOpen;

  private long lastShownNanos;

  private final BiConsumer<URI, Consumer<String>> browser;

  /**
   * @param out flushed with each line, never closed
   * @param terminal whether lines can be rewritten in place
   * @param columns width of the terminal, of which lines leave one column free; ignored without one
   * @param browser receives a run's page and a callback for the result; the job waits for it
   */
  public ConsoleProgress(
      PrintStream out, boolean terminal, int columns, BiConsumer<URI, Consumer<String>> browser) {
    this.browser = browser;
    this.out = out;
    this.terminal = terminal;
    this.columns = columns;
  }

  /** Returns progress on this process's terminal; {@code open} opens a run's page in a browser. */
  public static ConsoleProgress forTerminal(boolean open) {
    return new ConsoleProgress(
        StandardStreams.styledErrors(),
        Terminal.interactive(),
        Terminal.progressColumns(),
        open ? SystemBrowser::openInBackground : (page, reporter) -> {});
  }

  @Override
  public void followable(URI page) {
    note(String.format(Locale.ROOT, "%-9s  %s", "live", page));
    browser.accept(page, this::note);
  }

  @Override
  public synchronized void started(Step step) {
    lastShownNanos =
        System.nanoTime()
            - (terminal ? TERMINAL_INTERVAL_NANOS : PLAIN_INTERVAL_NANOS - PLAIN_FIRST_NANOS);
    if (terminal) {
      show(step, "...");
    }
  }

  @Override
  public synchronized void progress(Step step, double fraction, String text) {
    if (Double.isNaN(fraction)) {
      // One of a step's few parts: worth its own line in a log.
      show(step, text);
      return;
    }
    if (isTimeToShow()) {
      show(step, bar(fraction) + " " + text);
    }
  }

  @Override
  public synchronized void progress(Step step, double fraction, String line, List<String> panel) {
    if (!isTimeToShow()) {
      return;
    }
    String bar = Double.isNaN(fraction) ? "" : bar(fraction) + " ";
    if (terminal) {
      show(step, bar + panel.get(0), panel.subList(1, panel.size()));
    } else {
      show(step, bar + line);
    }
  }

  private boolean isTimeToShow() {
    long now = System.nanoTime();
    if (now - lastShownNanos < (terminal ? TERMINAL_INTERVAL_NANOS : PLAIN_INTERVAL_NANOS)) {
      return false;
    }
    lastShownNanos = now;
    return true;
  }

  @Override
  public synchronized void finished(Step step, String summary, Duration took) {
    show(step, String.format(Locale.ROOT, "%s (%.1f s)", summary, took.toMillis() / 1000.0));
    endLine();
  }

  @Override
  public synchronized void note(String text) {
    if (linesOpen > 1) {
      out.print(erased()); // the panel is rewritten below
    } else {
      endLine();
    }
    out.println(SafeLine.lines(text));
    out.flush();
  }

  /** Ends a line that is being rewritten, before other output. */
  public synchronized void endLine() {
    if (linesOpen > 0) {
      out.println();
      out.flush();
      linesOpen = 0;
    }
  }

  private void show(Step step, String text) {
    show(step, text, List.of());
  }

  private void show(Step step, String text, List<String> more) {
    String line = String.format(Locale.ROOT, "%-9s  %s", step.id(), SafeLine.of(text));
    if (terminal) {
      StringBuilder lines = new StringBuilder(erased()).append(cut(line));
      more.forEach(next -> lines.append('\n').append(cut(INDENT + SafeLine.of(next))));
      out.print(lines);
      linesOpen = 1 + more.size();
    } else {
      out.println(line);
    }
    out.flush();
  }

  /** Returns the sequence that erases open lines, and marks none as open. */
  private String erased() {
    String erasing = ERASE_LINE + UP_AND_ERASE.repeat(Math.max(0, linesOpen - 1));
    linesOpen = 0;
    return erasing;
  }

  private String cut(String line) {
    return line.length() < columns ? line : Shortened.beginning(line, Math.max(1, columns - 1));
  }

  private static String bar(double fraction) {
    int full = (int) Math.round(Math.min(1, fraction) * BAR_WIDTH);
    return "["
        + "=".repeat(full)
        + " ".repeat(BAR_WIDTH - full)
        + String.format(Locale.ROOT, "] %3.0f %%", Math.min(1, fraction) * 100);
  }
}
