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

  private static PlainTable measures(DatasetFigures figures) {
    PlainTable table =
        new PlainTable(
            List.of("AN OBJECT", "LEAST", "MEDIAN", "MEAN", "P95", "MOST", "STUDY"),
            List.of(false, true, true, true, true, true, false));
    for (Measure measure : figures.measures()) {
      Distribution distribution = measure.distribution();
      table.row(
          List.of(
              measure.name(),
              value(measure, distribution.least()),
              value(measure, distribution.quantile(0.5)),
              measure.unit() == Unit.BYTES
                  ? Figures.bytes(Math.round(distribution.mean()))
                  : String.format(Locale.ROOT, "%.1f", distribution.mean()),
              value(measure, distribution.quantile(0.95)),
              value(measure, distribution.most()),
              orDash(measure.study())));
    }
    return table;
  }

  private static PlainTable deflation(DatasetFigures figures) {
    PlainTable table =
        new PlainTable(
            List.of("DEFLATES (LEVEL 6)", "FROM", "TO", "RATIO", "STUDY"),
            List.of(false, true, true, true, false));
    for (DatasetFigures.Deflation one : figures.deflation()) {
      table.row(
          List.of(
              one.datastream(),
              Figures.bytes(one.bytes()),
              Figures.bytes(one.deflatedBytes()),
              String.format(Locale.ROOT, "%.3f", one.ratio()),
              orDash(one.study())));
    }
    return table;
  }

  private static void histogram(Measure measure, PrintStream out) {
    List<Distribution.Bar> bars = measure.distribution().histogram();
    long most = bars.stream().mapToLong(Distribution.Bar::count).max().orElse(1);
    PlainTable table =
        new PlainTable(
            List.of(measure.name().toUpperCase(Locale.ROOT) + " FROM", "BELOW", "VALUES", ""),
            List.of(true, true, true, false));
    for (Distribution.Bar bar : bars) {
      table.row(
          List.of(
              value(measure, bar.from()),
              value(measure, bar.to()),
              String.format(Locale.ROOT, "%,d", bar.count()),
              "#".repeat((int) Math.ceil((double) LONGEST_BAR * bar.count() / most))));
    }
    table.print(out);
  }

  private static String value(Measure measure, long value) {
    return measure.unit() == Unit.BYTES
        ? Figures.bytes(value)
        : String.format(Locale.ROOT, "%,d", value);
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
