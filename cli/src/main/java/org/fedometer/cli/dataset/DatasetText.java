package org.fedometer.cli.dataset;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.statistics.DatasetStatistics;
import org.fedometer.datasets.statistics.DatasetStatistics.Deflation;
import org.fedometer.datasets.statistics.DatasetStatistics.Measure;
import org.fedometer.datasets.statistics.DatasetStatistics.Unit;
import org.fedometer.datasets.statistics.Distribution;
import org.fedometer.wire.SafeLine;

/** Formats a dataset's statistics as a table and small histograms. */
final class DatasetText {
  private static final int MAX_BAR_WIDTH = 40;

  private DatasetText() {}

  static String of(Dataset dataset, DatasetStatistics statistics) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    out.print(dataset.name());
    dataset.parameters().forEach((name, value) -> out.print(" " + name + "=" + SafeLine.of(value)));
    out.printf(
        Locale.ROOT,
        "%n%s measured, from number %d on; sizes in powers of ten%n%n",
        NumberFormats.count(statistics.objects(), "object"),
        statistics.from());
    measures(statistics).print(out);
    if (!statistics.deflation().isEmpty()) {
      out.println();
      deflation(statistics).print(out);
    }
    for (Measure measure : statistics.measures()) {
      if (measure.distribution().min() < measure.distribution().max()) {
        out.println();
        histogram(measure, out);
      }
    }
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static PlainTable<Measure> measures(DatasetStatistics statistics) {
    return PlainTable.of(statistics.measures())
        .left("PER OBJECT", Measure::name)
        .right("MIN", measure -> value(measure, measure.distribution().min()))
        .right("MEDIAN", measure -> value(measure, measure.distribution().quantile(0.5)))
        .right("MEAN", DatasetText::mean)
        .right("P95", measure -> value(measure, measure.distribution().quantile(0.95)))
        .right("MAX", measure -> value(measure, measure.distribution().max()))
        .left("STUDY", measure -> orDash(measure.study()));
  }

  private static String mean(Measure measure) {
    double mean = measure.distribution().mean();
    return measure.unit() == Unit.BYTES
        ? NumberFormats.bytes(Math.round(mean))
        : String.format(Locale.ROOT, "%.1f", mean);
  }

  private static PlainTable<Deflation> deflation(DatasetStatistics statistics) {
    return PlainTable.of(statistics.deflation())
        .left("DEFLATES (LEVEL 6)", Deflation::datastream)
        .right("FROM", one -> NumberFormats.bytes(one.bytes()))
        .right("TO", one -> NumberFormats.bytes(one.deflatedBytes()))
        .right("RATIO", one -> String.format(Locale.ROOT, "%.3f", one.ratio()))
        .left("STUDY", one -> orDash(one.study()));
  }

  private static void histogram(Measure measure, PrintStream out) {
    List<Distribution.Bar> bars = measure.distribution().histogram();
    long max = bars.stream().mapToLong(Distribution.Bar::count).max().orElse(1);
    PlainTable.of(bars)
        .right(measure.name().toUpperCase(Locale.ROOT) + " FROM", bar -> value(measure, bar.from()))
        .right("BELOW", bar -> value(measure, bar.to()))
        .right("VALUES", bar -> NumberFormats.count(bar.count()))
        .left("", bar -> "#".repeat((int) Math.ceil((double) MAX_BAR_WIDTH * bar.count() / max)))
        .print(out);
  }

  private static String value(Measure measure, long value) {
    return measure.unit() == Unit.BYTES ? NumberFormats.bytes(value) : NumberFormats.count(value);
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
