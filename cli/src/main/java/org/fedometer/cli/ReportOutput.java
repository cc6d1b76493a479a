package org.fedometer.cli;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.fedometer.analysis.JsonReport;
import org.fedometer.analysis.RunReport;
import org.fedometer.analysis.TextReport;
import org.fedometer.analysis.TextStyle;
import picocli.CommandLine.Option;

/** How a report goes to standard output: text for people, or JSON. */
final class ReportOutput {
  @Option(names = "--json", description = "Print the report as one JSON object.")
  private boolean json;

  void print(RunReport report) {
    // JSON is UTF-8 whatever the locale: programs read it.
    Charset charset = json ? StandardCharsets.UTF_8 : Terminal.outputCharset();
    String text =
        json
            ? JsonReport.of(report)
            : TextReport.of(report, TextStyle.of(Terminal.columns(), charset, Terminal.colour()));
    PrintStream out = new PrintStream(System.out, true, charset);
    out.print(text.endsWith("\n") ? text : text + "\n");
    out.flush();
  }
}
