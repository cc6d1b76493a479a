package org.fedometer.analysis;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.OptionalDouble;
import org.fedometer.analysis.statistics.SizeSlope;

/** Formats numbers for the JSON of reports and comparisons. */
public final class JsonNumbers {

  /** Further digits of a measurement are noise. */
  private static final MathContext DIGITS = new MathContext(7);

  private static final double NANOS_A_MILLI = 1e6;

  private JsonNumbers() {}

  /** Returns a plain decimal of seven digits; null for unknown or non-finite values. */
  public static BigDecimal significant(Double value) {
    return value == null || !Double.isFinite(value)
        ? null
        : new BigDecimal(
            BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros().toPlainString());
  }

  public static BigDecimal significant(OptionalDouble value) {
    return value.isEmpty() ? null : significant(value.getAsDouble());
  }

  /** Returns a slope with its interval; null for null. */
  public static ObjectNode slope(SizeSlope slope) {
    if (slope == null) {
      return null;
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("fromObjects", slope.fromObjects());
    node.put("toObjects", slope.toObjects());
    node.put("fromMillis", significant(slope.fromNanos() / NANOS_A_MILLI));
    node.put("toMillis", significant(slope.toNanos() / NANOS_A_MILLI));
    node.put("nanosPerObject", significant(slope.nanosPerObject()));
    node.put("low", significant(slope.low()));
    node.put("high", significant(slope.high()));
    node.put("pValue", significant(slope.pValue()));
    return node;
  }
}
