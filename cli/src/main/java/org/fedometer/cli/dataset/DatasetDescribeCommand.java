package org.fedometer.cli.dataset;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.statistics.DatasetStatistics;
import org.fedometer.datasets.statistics.Distribution;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "describe",
    description = {
      "Measure a sample of a dataset: sizes, triples, compression.",
      "The values of the FIZ study stand beside."
    },
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer dataset describe --dataset patents:scale=us-fulltext --objects 500",
    mixinStandardHelpOptions = true)
public final class DatasetDescribeCommand implements Callable<Integer> {
  private static final int MAX_OBJECTS = 1_000_000_000;
  private static final int DEFAULT_OBJECTS = 500;

  @Spec private CommandSpec spec;

  @Mixin private DatasetChoice dataset;

  @Option(
      names = "--objects",
      paramLabel = "N",
      description =
          "Number of objects to measure, 1 to "
              + MAX_OBJECTS
              + " (default: "
              + DEFAULT_OBJECTS
              + ").")
  private Integer sample;

  @Option(
      names = "--offset",
      paramLabel = "N",
      defaultValue = "0",
      description = "Index of the first object (default: ${DEFAULT-VALUE}).")
  private long from;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    if (sample != null && (sample < 1 || sample > MAX_OBJECTS)) {
      throw new ParameterException(
          spec.commandLine(), "--objects " + sample + ": give 1 to " + MAX_OBJECTS);
    }
    if (from < 0 || from > Long.MAX_VALUE - MAX_OBJECTS) {
      throw new ParameterException(
          spec.commandLine(), "--offset " + from + ": objects count from 0");
    }
    Dataset opened = dataset.open();
    int objects =
        sample != null
            ? sample
            : (int) Math.max(1, Math.min(DEFAULT_OBJECTS, opened.size() - from));
    DatasetStatistics statistics =
        DatasetStatistics.of(opened, from, objects, ObjectsProgress.of(objects));
    if (json) {
      StandardOutput.asJson(asJson(opened, statistics));
    } else {
      StandardOutput.text(DatasetText.of(opened, statistics));
    }
    return ExitCode.DONE;
  }

  private static Map<String, Object> asJson(Dataset dataset, DatasetStatistics statistics) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("dataset", dataset.name());
    all.put("parameters", dataset.parameters());
    all.put("skipped", dataset.skipped());
    all.put("from", statistics.from());
    all.put("objects", statistics.objects());
    all.put(
        "measures", statistics.measures().stream().map(DatasetDescribeCommand::asJson).toList());
    all.put(
        "deflation", statistics.deflation().stream().map(DatasetDescribeCommand::asJson).toList());
    return all;
  }

  private static Map<String, Object> asJson(DatasetStatistics.Measure measure) {
    Distribution distribution = measure.distribution();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", measure.name());
    fields.put("unit", measure.unit() == DatasetStatistics.Unit.BYTES ? "bytes" : "count");
    fields.put("values", distribution.count());
    fields.put("min", distribution.min());
    fields.put("median", distribution.quantile(0.5));
    fields.put("mean", distribution.mean());
    fields.put("p95", distribution.quantile(0.95));
    fields.put("max", distribution.max());
    fields.put("study", measure.study().isEmpty() ? null : measure.study());
    fields.put("histogram", distribution.histogram());
    return fields;
  }

  private static Map<String, Object> asJson(DatasetStatistics.Deflation deflation) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("datastream", deflation.datastream());
    fields.put("bytes", deflation.bytes());
    fields.put("deflatedBytes", deflation.deflatedBytes());
    fields.put("ratio", deflation.ratio());
    fields.put("study", deflation.study().isEmpty() ? null : deflation.study());
    return fields;
  }
}
