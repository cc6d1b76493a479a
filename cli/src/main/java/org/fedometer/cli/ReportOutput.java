package org.fedometer.cli;

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
    if (json) {
      StandardOutput.json(JsonReport.of(report));
    } else {
      StandardOutput.text(
          TextReport.of(
              report,
              TextStyle.of(Terminal.columns(), Terminal.outputCharset(), Terminal.colour())));
    }
  }
}
