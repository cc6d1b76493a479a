package org.fedometer.store;

import java.util.List;

/** There is no run of that name; the message lists up to ten that there are. */
public final class NoSuchRunException extends Exception {
  private static final int MAX_LISTED = 10;

  private final String run;
  private final String location;

  /**
   * @param location where the store is, for people
   * @param existing names of the runs there are, the newest first
   * @param missingRunHint what is said where there are none, see {@link StoreView#missingRunHint}
   */
  public NoSuchRunException(
      String name, String location, List<String> existing, String missingRunHint) {
    super(
        existing.isEmpty()
            ? "No run \"%s\": the store %s holds no run yet; %s"
                .formatted(name, location, missingRunHint)
            : "No run \"%s\" in the store %s; there is %s"
                .formatted(name, location, listed(existing)));
    this.run = name;
    this.location = location;
  }

  public String run() {
    return run;
  }

  /** Where the store is: a directory, or a collector's address. */
  public String location() {
    return location;
  }

  private static String listed(List<String> names) {
    String some = String.join(", ", names.subList(0, Math.min(MAX_LISTED, names.size())));
    int more = names.size() - MAX_LISTED;
    return more > 0 ? some + " and " + more + " older ('fedometer runs list' lists all)" : some;
  }
}
