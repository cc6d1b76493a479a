package org.fedometer.store;

import java.util.List;

/** There is no run of that name; the message lists up to ten that there are. */
public final class NoSuchRunException extends Exception {
  private static final int MOST_LISTED = 10;

  private final String run;
  private final String place;

  /**
   * @param place where the store is, for people
   * @param existing names of the runs there are, the newest first
   * @param howToMakeARun what is said where there are none, see {@link StoreView#howToMakeARun}
   */
  public NoSuchRunException(
      String name, String place, List<String> existing, String howToMakeARun) {
    super(
        existing.isEmpty()
            ? "No run \"%s\": the store %s holds no run yet; %s"
                .formatted(name, place, howToMakeARun)
            : "No run \"%s\" in the store %s; there is %s"
                .formatted(name, place, listed(existing)));
    this.run = name;
    this.place = place;
  }

  public String run() {
    return run;
  }

  /** Where the store is: a directory, or a collector's address. */
  public String place() {
    return place;
  }

  private static String listed(List<String> names) {
    String some = String.join(", ", names.subList(0, Math.min(MOST_LISTED, names.size())));
    int more = names.size() - MOST_LISTED;
    return more > 0 ? some + " and " + more + " older ('fedometer runs list' lists all)" : some;
  }
}
