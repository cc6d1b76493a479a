package org.fedometer.cli.load;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.cli.option.CompletionValues;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.driver.study.ScaleStudyResult;
import org.fedometer.experiments.load.StudyChoice;
import org.fedometer.experiments.load.StudyJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "scale",
    description = {
      "Time each operation on a collection that doubles.",
      "Starts a fresh Fedora, begins with 100 objects, and reports the sizes at which an"
          + " operation exceeds 0.1, 1 and 10 s."
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer study scale",
      "  fedometer study scale --profile mulgara-derby --max-objects 12800"
    },
    mixinStandardHelpOptions = true)
public final class StudyScaleCommand implements Callable<Integer> {
  private static final String NEVER = "-";

  /** Records in ndltd's smallest workload; each further one has twice as many. */
  private static final long SMALLEST_WORKLOAD = 100;

  @Option(
      names = "--dataset",
      paramLabel = "DATASET",
      completionCandidates = CompletionValues.DatasetNames.class,
      description =
          "What the collection is made of, NAME[:key=value,...] (default: ndltd); 'fedometer"
              + " datasets' lists all.")
  private String dataset;

  @Option(
      names = "--max-objects",
      paramLabel = "N",
      defaultValue = "1600",
      description =
          "Objects of the largest size at most: sizes are 100, 200, 400, ... (default:"
              + " ${DEFAULT-VALUE}).")
  private long upTo;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How often each operation is timed at each size (default: ${DEFAULT-VALUE}); one round"
              + " before that does not count.")
  private int repetitions;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Concurrent requests while the collection grows (default: ${DEFAULT-VALUE}); what is timed"
              + " is alone.")
  private int workers;

  @Mixin private StudyOptions study;

  @Override
  public Integer call() throws Exception {
    return study.run(
        dataset == null ? datasetFor(upTo) : dataset,
        workers,
        new StudyChoice(upTo, repetitions),
        job -> job.scaleStudy().ifPresent(this::print));
  }

  private static String datasetFor(long objects) {
    int workload = 1;
    for (long records = SMALLEST_WORKLOAD; records < objects && workload < 15; records *= 2) {
      workload++;
    }
    return "ndltd:W" + workload;
  }

  private void print(ScaleStudyResult results) {
    if (study.isJson()) {
      StandardOutput.json(new String(StudyJson.of(results), StandardCharsets.UTF_8));
      return;
    }
    if (results.sizes().isEmpty()) {
      return;
    }
    PrintStream out = StandardOutput.inLocale();
    List<String> operations = List.copyOf(results.sizes().get(0).timings().keySet());
    out.println(
        "Mean time of "
            + repetitions
            + " in ms (batch-index: of one), by objects in the collection");
    PlainTable<String> times = PlainTable.of(operations).left("OPERATION", name -> name);
    results
        .sizes()
        .forEach(
            size ->
                times.right(
                    NumberFormats.count(size.objects()), name -> millis(size.timings().get(name))));
    times.print(out);
    out.println();
    out.println("From which size on it takes longer");
    PlainTable<String> passes = PlainTable.of(operations).left("OPERATION", name -> name);
    for (double limit : ScaleStudyResult.LIMITS_MILLIS) {
      Map<String, Long> sizes = results.exceededFrom(limit);
      passes.right(
          String.format(Locale.ROOT, limit < 1000 ? "%.1f s" : "%.0f s", limit / 1000),
          name -> sizes.containsKey(name) ? NumberFormats.count(sizes.get(name)) : NEVER);
    }
    passes.print(out);
  }

  private static String millis(ScaleStudyResult.Timing timing) {
    if (timing.count() == 0) {
      return "failed";
    }
    return String.format(
        Locale.ROOT, timing.meanMillis() < 100 ? "%.1f" : "%,.0f", timing.meanMillis());
  }
}
