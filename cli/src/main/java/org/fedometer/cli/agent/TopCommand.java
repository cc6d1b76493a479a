package org.fedometer.cli.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvms;
import org.fedometer.attach.LiveStages;
import org.fedometer.cli.option.DurationConverter;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.terminal.CtrlC;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.AgentReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "top",
    description = {
      "Show the stages of a running Fedora live, until Ctrl-C.",
      "If the output is not a terminal, prints one block of lines for each interval."
    },
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer top 4242", "  fedometer top 4242 --interval 10s --count 6 --json"},
    mixinStandardHelpOptions = true)
public final class TopCommand implements Callable<Integer> {
  private static final Duration MAX_INTERVAL = Duration.ofHours(1);

  @Mixin private AgentProcess process;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = DurationConverter.class,
      description = "Interval of updates (default: ${DEFAULT-VALUE}).")
  private Duration interval;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Stop after N intervals (default: on Ctrl-C).")
  private Integer count;

  @Option(names = "--json", description = "Print a JSON object for each interval, one a line.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    if (interval.compareTo(MAX_INTERVAL) > 0) {
      throw new IllegalArgumentException("--interval " + interval.toSeconds() + "s: give 1s to 1h");
    }
    if (count != null && count < 1) {
      throw new IllegalArgumentException("--count " + count + ": give 1 or more");
    }
    AgentTool tool = new AgentTool(Installation.current().agentJar());
    AtomicBoolean ended = new AtomicBoolean();
    // Restores the terminal before the JVM exits.
    try (CtrlC ignored = CtrlC.register(() -> ended.set(true));
        TopOutput output = TopOutput.of(process.pid(), json)) {
      tool.top(Jvms.of(process.pid()), new LiveListener(output, ended));
    }
    return ExitCode.DONE;
  }

  /** Called on the command's single thread. */
  private final class LiveListener implements AgentTool.LiveListener {
    private final TopOutput output;
    private final AtomicBoolean ended;
    private final LiveStages stages = new LiveStages(interval);
    private long shownNanos = System.nanoTime();
    private int shown;

    LiveListener(TopOutput output, AtomicBoolean ended) {
      this.output = output;
      this.ended = ended;
    }

    @Override
    public void onReport(AgentReport report) {
      output.facts(report.facts());
      double silentSeconds = (System.nanoTime() - shownNanos) / 1e9;
      // A paused agent may send no totals.
      if (silentSeconds > interval.toSeconds() + 2) {
        show(new LiveStages.Interval(silentSeconds, List.of(), 0, 0));
      }
    }

    @Override
    public void onFrame(Frame frame) {
      try {
        stages.add(frame, System.nanoTime()).ifPresent(this::show);
      } catch (MalformedFrameException e) {
        throw new UncheckedIOException(
            new IOException(
                "cannot read the samples of the agent in process "
                    + process.pid()
                    + ": "
                    + e.getMessage(),
                e));
      }
    }

    @Override
    public boolean isActive() {
      return !ended.get() && (count == null || shown < count) && !output.isClosed();
    }

    private void show(LiveStages.Interval statistics) {
      if (isActive()) {
        output.show(statistics);
        shown++;
        shownNanos = System.nanoTime();
      }
    }
  }
}
