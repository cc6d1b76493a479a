package org.fedometer.driver.object;

import java.util.ArrayList;
import java.util.List;

/**
 * What is not as it should be and cannot be mended from here. However much it is, the first {@value
 * #MAX_MESSAGES} sentences are kept; the PIDs of all are in the journal. Safe for use by many
 * threads.
 */
public final class UnrecoverableObjects {

  static final int MAX_MESSAGES = 1000;

  private final List<String> messages = new ArrayList<>();
  private long omitted;

  /**
   * @param message which object it is, and what is wrong with it
   */
  public synchronized void add(String message) {
    if (messages.size() < MAX_MESSAGES) {
      messages.add(message);
    } else {
      omitted++;
    }
  }

  /** In the order in which they were found, and how many more there are. */
  public synchronized List<String> messages() {
    List<String> all = new ArrayList<>(messages);
    if (omitted > 0) {
      all.add("... and " + omitted + " more.");
    }
    return all;
  }
}
