package org.fedometer.analysis.html;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import org.fedometer.analysis.compare.MeasuredProfile;
import org.fedometer.analysis.compare.MeasuredRun;
import org.fedometer.analysis.compare.MeasuredRun.LabelledChange;
import org.fedometer.analysis.compare.ProfileComparison;
import org.fedometer.analysis.timeline.Column;
import org.fedometer.analysis.timeline.RunPaces;
import org.fedometer.analysis.timeline.RunTimeline;

/** Writes the timelines of a comparison's runs as JSON for the page's script. Pure. */
final class ComparisonJson {
  /** More digits are invisible in a chart. */
  private static final MathContext DIGITS = new MathContext(4);

  /** More lines would hide the data. */
  private static final int MAX_CHANGES = 30;

  private ComparisonJson() {}

  static String of(ProfileComparison comparison, RunPaces paces) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("bucketSeconds", paces.bucketSeconds());
    root.put("bucketObjects", paces.bucketObjects());
    ArrayNode runs = root.putArray("runs");
    ArrayNode changes = root.putArray("changes");
    int profileIndex = 0;
    int place = 0;
    int number = 0;
    for (MeasuredProfile profile : comparison.profiles()) {
      for (MeasuredRun run : profile.runs()) {
        RunPaces.Pace pace = paces.runs().get(place++);
        ObjectNode node = runs.addObject();
        node.put("name", profile.letter() + " " + run.name());
        node.put("colour", ComparisonPage.colour(profileIndex));
        if (pace.time() != null) {
          add(node.putObject("time"), null, 0, pace.time().rate(), pace.time().latency());
          add(
              node.putObject("objects"),
              pace.objects().n(),
              paces.bucketObjects(),
              pace.objects().rate(),
              pace.objects().latency());
        }
        for (LabelledChange change : run.changes()) {
          number++;
          ObjectNode one = changes.addObject();
          one.put("number", number);
          one.put("object", change.change().request());
          one.put("t", BigDecimal.valueOf(change.afterNanos(), 9).stripTrailingZeros());
        }
      }
      profileIndex++;
    }
    if (changes.size() > MAX_CHANGES) {
      changes.removeAll();
    }
    return root.toString();
  }

  private static void add(
      ObjectNode node, Column begins, long bucket, Column rate, RunTimeline.Latencies latency) {
    add(node, "rate", begins, bucket, rate);
    add(node, "p50", begins, bucket, latency.p50());
    add(node, "p99", begins, bucket, latency.p99());
  }

  /**
   * @param beginsOrNull start of each bucket; null if there are no gaps
   */
  private static void add(
      ObjectNode node, String name, Column beginsOrNull, long bucket, Column column) {
    ArrayNode array = node.putArray(name);
    for (int i = 0; i < column.size(); i++) {
      while (beginsOrNull != null && array.size() < (long) beginsOrNull.at(i) / bucket) {
        array.addNull();
      }
      double value = column.at(i);
      array.add(
          Double.isFinite(value)
              ? new BigDecimal(
                  BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros().toPlainString())
              : null);
    }
  }
}
