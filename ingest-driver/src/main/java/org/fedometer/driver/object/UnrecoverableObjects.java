package org.fedometer.driver.object;

import java.util.ArrayList;
import java.util.List;

/**
 * Objects that the driver cannot repair. Keeps the first {@value #MAX_MESSAGES} sentences; the
 * journal has the PIDs of all. Thread-safe.
 */
public final class UnrecoverableObjects {

  static final int MAX_MESSAGES = 1000;

  private final List<String> messages = new ArrayList<>();
  private long omitted;

  /**
   * @param message the object and its problem
   */
  public synchronized void add(String message) {
    if (messages.size() < MAX_MESSAGES) {
      messages.add(message);
    } else {
      omitted++;
    }
  }

  /** Returns the messages in order, and the number of omitted ones. */
  public synchronized List<String> messages() {
    List<String> all = new ArrayList<>(messages);
    if (omitted > 0) {
      all.add("... and " + omitted + " more.");
    }
    return all;
  }
}
