package org.fedometer.cli.load;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.driver.study.DatastreamStudyResult;
import org.fedometer.experiments.load.DatastreamsChoice;
import org.fedometer.experiments.load.StudyJson;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "datastreams",
    description = {
      "Find out how many datastreams one object can have.",
      "Starts a fresh Fedora, adds datastreams until no more can be added, and times each"
          + " addition."
    },
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer study datastreams --profile mulgara-derby --max-datastreams 5000",
    mixinStandardHelpOptions = true)
public final class StudyDatastreamsCommand implements Callable<Integer> {
  @Option(
      names = "--max-datastreams",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Maximum number of datastreams (default: ${DEFAULT-VALUE}).")
  private long upTo;

  @Mixin private StudyOptions study;

  @Override
  public Integer call() throws Exception {
    return study.run(
        "datastreams",
        1,
        new DatastreamsChoice(upTo),
        job -> job.datastreamStudy().ifPresent(this::print));
  }

  private void print(DatastreamStudyResult results) {
    if (study.isJson()) {
      StandardOutput.json(new String(StudyJson.of(results), StandardCharsets.UTF_8));
      return;
    }
    PrintStream out = StandardOutput.inLocale();
    PlainTable.of(results.additions())
        .right("DATASTREAMS", row -> NumberFormats.count(row.datastreams()))
        .right("ADDED", row -> NumberFormats.count(row.timing().count()))
        .right("MEAN MS", row -> millis(row.timing().meanMillis()))
        .right("MIN MS", row -> millis(row.timing().minMillis()))
        .right("MAX MS", row -> millis(row.timing().maxMillis()))
        .print(out);
    out.println(
        results.limit() == null
            ? NumberFormats.count(results.added(), "datastream")
                + (results.added() == 1 ? " was" : " were")
                + " added; no limit was reached."
            : "After "
                + NumberFormats.count(results.added(), "datastream")
                + " no more could be added: "
                + SafeLine.of(results.limit()));
  }

  private static String millis(double millis) {
    return String.format(Locale.ROOT, millis < 100 ? "%.1f" : "%,.0f", millis);
  }
}
