package org.fedometer.driver.journal;

/** What the numbers of an entry are differences to; the same for who writes and who reads. */
final class EntryContext {
  long expectedBegun;
  long lastSettled;
  long lastStartMicros;
}
