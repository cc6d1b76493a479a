package org.fedometer.store.query;

import java.math.BigDecimal;
import java.util.List;

/**
 * A result, row by row, of which few are in memory. Starts before the first row. One thread at a
 * time.
 *
 * <p>A value is a {@link Long} (all integers of up to 64 bits), {@link Double}, {@link Boolean},
 * {@link String}, {@code byte[]}, a {@link List} or {@link java.util.Map} of these, or null. Times,
 * larger numbers, decimals and all others are their text.
 */
public interface Rows extends AutoCloseable {
  List<Column> columns();

  /** Moves to the next row; returns false if there is none. */
  boolean next() throws QueryException;

  /** Returns a value of the current row; {@code column} counts from 0. */
  Object value(int column) throws QueryException;

  /** Returns a value of the current row; 0 for null. */
  default long integer(int column) throws QueryException {
    Object value = value(column);
    return value instanceof Number number
        ? number.longValue()
        : value == null ? 0 : number(value).longValue();
  }

  /** Returns a value of the current row; 0 for null. */
  default double decimal(int column) throws QueryException {
    Object value = value(column);
    return value instanceof Number number
        ? number.doubleValue()
        : value == null ? 0 : number(value).doubleValue();
  }

  private static BigDecimal number(Object value) throws QueryException {
    try {
      return new BigDecimal(value.toString());
    } catch (NumberFormatException e) {
      throw new QueryException("The result has \"" + value + "\" in place of a number", e);
    }
  }

  /** Returns a value of the current row; false for null. */
  default boolean flag(int column) throws QueryException {
    return Boolean.TRUE.equals(value(column));
  }

  /** Returns a value of the current row; null for null. */
  default String text(int column) throws QueryException {
    Object value = value(column);
    return value == null ? null : value.toString();
  }

  @Override
  void close() throws QueryException;
}
