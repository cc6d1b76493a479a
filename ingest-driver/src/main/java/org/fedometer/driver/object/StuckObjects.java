package org.fedometer.driver.object;

import java.util.ArrayList;
import java.util.List;

/**
 * What is not as it should be and cannot be mended from here. However much it is, the first {@value
 * #TOLD} sentences are kept; the PIDs of all are in the journal. Safe for use by many threads.
 */
public final class StuckObjects {

  static final int TOLD = 1000;

  private final List<String> sentences = new ArrayList<>();
  private long untold;

  /**
   * @param sentence which object it is, and what is wrong with it
   */
  public synchronized void add(String sentence) {
    if (sentences.size() < TOLD) {
      sentences.add(sentence);
    } else {
      untold++;
    }
  }

  /** In the order in which they were found, and how many more there are. */
  public synchronized List<String> sentences() {
    List<String> all = new ArrayList<>(sentences);
    if (untold > 0) {
      all.add("... and " + untold + " more.");
    }
    return all;
  }
}
