package org.fedometer.store.query;

import java.math.BigDecimal;
import java.util.List;

/**
 * An answer, row by row; however many there are, few are in memory. Begins before the first row.
 * For one thread at a time.
 *
 * <p>A value is a {@link Long} (all integers of up to 64 bits), {@link Double}, {@link Boolean},
 * {@link String} (also times, larger numbers, decimals and whatever else has a text), {@code
 * byte[]}, a {@link List} or {@link java.util.Map} of these, or null.
 */
public interface Rows extends AutoCloseable {
  List<Column> columns();

  /** Goes to the next row; false when there is none. */
  boolean next() throws QueryException;

  /** A value of the current row; {@code column} counts from 0. */
  Object value(int column) throws QueryException;

  /** Of the current row; 0 for null. */
  default long integer(int column) throws QueryException {
    Object value = value(column);
    return value instanceof Number number
        ? number.longValue()
        : value == null ? 0 : number(value).longValue();
  }

  /** Of the current row; 0 for null. */
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
      throw new QueryException("The answer has \"" + value + "\" where a number is wanted", e);
    }
  }

  /** Of the current row; false for null. */
  default boolean flag(int column) throws QueryException {
    return Boolean.TRUE.equals(value(column));
  }

  /** Of the current row; null for null. */
  default String text(int column) throws QueryException {
    Object value = value(column);
    return value == null ? null : value.toString();
  }

  @Override
  void close() throws QueryException;
}
