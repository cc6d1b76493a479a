package org.fedometer.analysis.timeline;

import java.util.Arrays;
import java.util.Objects;

/**
 * A column of numbers, NaN if unknown. Immutable, safe on any thread.
 *
 * <p>An array of primitives, since a chart has hundreds of columns with hundreds of numbers.
 */
public final class Column {
  private final double[] values;

  private Column(double[] values) {
    this.values = values;
  }

  static Column of(double... values) {
    return new Column(values.clone());
  }

  public int size() {
    return values.length;
  }

  public double at(int index) {
    return values[Objects.checkIndex(index, values.length)];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Column column && Arrays.equals(values, column.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }

  static final class Builder {
    private double[] values = new double[64];
    private int size;

    void add(double value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    Column build() {
      return new Column(Arrays.copyOf(values, size));
    }
  }
}
