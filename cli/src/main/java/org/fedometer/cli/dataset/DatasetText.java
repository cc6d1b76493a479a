package org.fedometer.cli.dataset;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.Figures;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.figures.DatasetFigures;
import org.fedometer.datasets.figures.DatasetFigures.Deflation;
import org.fedometer.datasets.figures.DatasetFigures.Measure;
import org.fedometer.datasets.figures.DatasetFigures.Unit;
import org.fedometer.datasets.figures.Distribution;
import org.fedometer.wire.SafeLine;

/** The figures of a dataset as people read them: a table, then small histograms. */
final class DatasetText {
  private static final int LONGEST_BAR = 40;

  private DatasetText() {}

  static String of(Dataset dataset, DatasetFigures figures) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    out.print(dataset.name());
    dataset.parameters().forEach((name, value) -> out.print(" " + name + "=" + SafeLine.of(value)));
    out.printf(
        Locale.ROOT,
        "%n%s measured, from number %d on; sizes in powers of ten%n%n",
        Figures.count(figures.objects(), "object"),
        figures.from());
    measures(figures).print(out);
    if (!figures.deflation().isEmpty()) {
      out.println();
      deflation(figures).print(out);
    }
    for (Measure measure : figures.measures()) {
      if (measure.distribution().least() < measure.distribution().most()) {
        out.println();
        histogram(measure, out);
      }
    }
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static PlainTable<Measure> measures(DatasetFigures figures) {
    return PlainTable.of(figures.measures())
        .left("AN OBJECT", Measure::name)
        .right("LEAST", measure -> value(measure, measure.distribution().least()))
        .right("MEDIAN", measure -> value(measure, measure.distribution().quantile(0.5)))
        .right("MEAN", DatasetText::mean)
        .right("P95", measure -> value(measure, measure.distribution().quantile(0.95)))
        .right("MOST", measure -> value(measure, measure.distribution().most()))
        .left("STUDY", measure -> orDash(measure.study()));
  }

  private static String mean(Measure measure) {
    double mean = measure.distribution().mean();
    return measure.unit() == Unit.BYTES
        ? Figures.bytes(Math.round(mean))
        : String.format(Locale.ROOT, "%.1f", mean);
  }

  private static PlainTable<Deflation> deflation(DatasetFigures figures) {
    return PlainTable.of(figures.deflation())
        .left("DEFLATES (LEVEL 6)", Deflation::datastream)
        .right("FROM", one -> Figures.bytes(one.bytes()))
        .right("TO", one -> Figures.bytes(one.deflatedBytes()))
        .right("RATIO", one -> String.format(Locale.ROOT, "%.3f", one.ratio()))
        .left("STUDY", one -> orDash(one.study()));
  }

  private static void histogram(Measure measure, PrintStream out) {
    List<Distribution.Bar> bars = measure.distribution().histogram();
    long most = bars.stream().mapToLong(Distribution.Bar::count).max().orElse(1);
    PlainTable.of(bars)
        .right(measure.name().toUpperCase(Locale.ROOT) + " FROM", bar -> value(measure, bar.from()))
        .right("BELOW", bar -> value(measure, bar.to()))
        .right("VALUES", bar -> Figures.count(bar.count()))
        .left("", bar -> "#".repeat((int) Math.ceil((double) LONGEST_BAR * bar.count() / most)))
        .print(out);
  }

  private static String value(Measure measure, long value) {
    return measure.unit() == Unit.BYTES ? Figures.bytes(value) : Figures.count(value);
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
