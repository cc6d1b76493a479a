package org.fedometer.cli.runs;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.fedometer.analysis.logs.JsonLogs;
import org.fedometer.analysis.logs.LogFilter;
import org.fedometer.analysis.logs.LogLevel;
import org.fedometer.analysis.logs.TextLogs;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.cli.option.StoreChoice;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.StandardStreams;
import org.fedometer.cli.terminal.Terminal;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunView;
import org.fedometer.store.query.QueryException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "logs",
    description = "Show the log lines of a run, or one of its log files.",
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer runs logs big --log-level warn --tail 50",
      "  fedometer runs logs big --grep \"deadlock|timed out\" --source fedora.log"
    },
    mixinStandardHelpOptions = true)
public final class RunsLogsCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RUN", description = "Name of a run, or the path of its folder.")
  private String run;

  @Mixin private StoreChoice store;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "Lowest level: ${COMPLETION-CANDIDATES}.")
  private LogLevel level;

  @Option(
      names = "--grep",
      paramLabel = "REGEX",
      description =
          "Lines whose message, stack trace or logger matches a regular expression (RE2).")
  private String grep;

  @Option(
      names = "--source",
      paramLabel = "NAME",
      description =
          "Lines of one source: its name (fedora.log of 'run'), or the start of its UUID.")
  private String source;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Lines from this time on: seconds since the start of the run, or"
              + " 2026-11-20T10:12:03Z.")
  private String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Lines before this time.")
  private String until;

  @Option(names = "--tail", paramLabel = "N", description = "The newest N lines.")
  private Long last;

  @Option(names = "--no-stack-traces", description = "Omit stack traces.")
  private boolean noStackTraces;

  @Option(names = "--file", paramLabel = "NAME", description = "Print this log file instead.")
  private String file;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    RunView view = store.view().run(run);
    if (file != null && json) {
      throw new IllegalArgumentException("--file prints a file as it is: leave out --json");
    }
    Charset charset = json ? StandardCharsets.UTF_8 : Terminal.outputCharset();
    TextStyle style = TextStyle.of(Terminal.columns(), charset, Terminal.colour());
    // A PrintWriter hides a closed pipe, so the whole run would be read in vain.
    Writer out =
        new BufferedWriter(
            new OutputStreamWriter(
                json ? StandardStreams.data() : StandardStreams.styled(charset), charset));
    try {
      write(view, style, out);
    } catch (IOException e) {
      if (!StandardStreams.hasFailed()) {
        throw e;
      }
    }
    return ExitCode.DONE;
  }

  private void write(RunView view, TextStyle style, Writer out) throws IOException, QueryException {
    StringBuilder notes = new StringBuilder();
    if (file != null) {
      TextLogs.writeFile(view, file, style, out);
    } else if (json) {
      JsonLogs.write(view, filter(view), out);
    } else {
      TextLogs.write(view, filter(view), style, out, notes);
    }
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    err.print(notes);
    err.flush();
  }

  private LogFilter filter(RunView view) throws IOException {
    if (last != null && last < 1) {
      throw new IllegalArgumentException("--tail " + last + ": must be 1 or more");
    }
    RunDocument document =
        (since != null || until != null) && view.hasDocument() ? view.document() : null;
    return new LogFilter(
        level,
        grep,
        source,
        since == null ? null : LogFilter.epochNanos(since, document),
        until == null ? null : LogFilter.epochNanos(until, document),
        last == null ? 0 : last,
        !noStackTraces);
  }
}
