package org.fedometer.analysis.report;

import static org.fedometer.analysis.section.Table.ALWAYS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.report.RunReport.Latency;
import org.fedometer.analysis.section.Block;
import org.fedometer.analysis.section.Cell;
import org.fedometer.analysis.section.Section;
import org.fedometer.analysis.section.Table;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.RequestSql;
import org.fedometer.store.query.Rows;

/**
 * Service times of ingests by size of their content. Immutable.
 *
 * @param sizes in powers of ten, smallest first; those without ingests are omitted
 */
record ContentSizes(List<Size> sizes) implements ReportPart {

  /** The section needs sizes that far apart, in powers of ten: fewer make little difference. */
  private static final int MIN_POWERS_APART = 2;

  /** Stands for all sizes below 1,000 bytes. */
  private static final int MIN_POWER = 2;

  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  /**
   * Ingests of one order of magnitude.
   *
   * @param power of ten of its smallest size, in bytes
   * @param bytes content of all of them
   */
  record Size(int power, long bytes, Latency times) {

    double totalNanos() {
      return times.count() * times.meanNanos();
    }

    long fromBytes() {
      return power == MIN_POWER ? 0 : (long) Math.pow(10, power);
    }

    /** Returns the exclusive end; null beyond a long. */
    Long toBytes() {
      return power == 18 ? null : (Long) (long) Math.pow(10, power + 1.0);
    }

    String name() {
      if (power == MIN_POWER) {
        return "below 1 kB";
      }
      String from = power % 3 == 2 ? amount(power) : Long.toString(number(power));
      return from + " to " + amount(power + 1);
    }

    private static String amount(int power) {
      return number(power) + " " + UNITS[power / 3];
    }

    private static long number(int power) {
      return Math.round(Math.pow(10, power % 3));
    }
  }

  ContentSizes {
    sizes = List.copyOf(sizes);
  }

  static ContentSizes of(Query query) throws QueryException {
    String sql =
        """
        SELECT power, least(sum(content), 9223372036854775807)::BIGINT, %1$s
        FROM (
          SELECT duration_nanos, greatest(coalesce(content_bytes, 0), 0) AS content,
            greatest(length(content::VARCHAR) - 1, %2$s) AS power
          FROM requests WHERE %3$s)
        GROUP BY power ORDER BY power"""
            .formatted(
                RunTables.latencyColumns("duration_nanos", ""), MIN_POWER, RequestSql.INGESTED);
    List<Size> sizes = new ArrayList<>();
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        sizes.add(
            new Size(
                Math.toIntExact(rows.integer(0)), rows.integer(1), RunTables.latency(rows, 2)));
      }
    }
    return new ContentSizes(sizes);
  }

  @Override
  public String field() {
    return "contentSizes";
  }

  @Override
  public JsonNode json() {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (Size size : sizes) {
      ObjectNode node = array.addObject();
      node.put("fromBytes", size.fromBytes());
      node.put("toBytes", size.toBytes());
      node.put("bytes", size.bytes());
      node.put("share", Math.rint(share(size) * 1e6) / 1e6);
      JsonReport.putLatency(node.putObject("serviceTime"), size.times());
    }
    return array;
  }

  @Override
  public Optional<Section> section() {
    if (sizes.isEmpty()
        || sizes.get(sizes.size() - 1).power() - sizes.get(0).power() < MIN_POWERS_APART) {
      return Optional.empty();
    }
    return Optional.of(
        new Section("content-sizes", "Sizes", "Ingests by size of content")
            .add(
                table(),
                Block.faint("Share is of the time of all ingests; times are service times.")));
  }

  private Table<Size> table() {
    double maxShare = sizes.stream().mapToDouble(this::share).max().orElse(0);
    Table<Size> table =
        new Table<Size>("content-sizes", "Ingests by size of content")
            .text("content", ALWAYS, Size::name)
            .count("objects", ALWAYS, size -> size.times().count())
            .number(
                "bytes", 4, size -> Cell.number(NumberFormats.bytes(size.bytes()), size.bytes()))
            .bar(
                "share",
                size ->
                    maxShare > 0
                        ? Cell.bar(
                            NumberFormats.share(share(size)), share(size), share(size) / maxShare)
                        : Cell.EMPTY);
    ReportTables.addTimes(table, Size::times);
    return table.rows(sizes);
  }

  private double share(Size size) {
    double allNanos = sizes.stream().mapToDouble(Size::totalNanos).sum();
    return allNanos > 0 ? size.totalNanos() / allNanos : 0;
  }
}
