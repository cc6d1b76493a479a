package org.fedometer.driver.journal;

/**
 * Reference values from which an entry's numbers are differences; the same for writer and reader.
 */
final class EntryContext {
  long expectedBegun;
  long lastSettled;
  long lastStartMicros;
}
