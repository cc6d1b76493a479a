package org.fedometer.store;

import java.util.List;

/** There is no run of that name; the message lists up to ten existing ones. */
public final class NoSuchRunException extends Exception {
  private static final int MAX_LISTED = 10;

  private final String run;
  private final String location;

  /**
   * @param location the store, for users
   * @param existing names of existing runs, newest first
   * @param missingRunHint added if there are none, see {@link StoreView#missingRunHint}
   */
  public NoSuchRunException(
      String name, String location, List<String> existing, String missingRunHint) {
    super(
        existing.isEmpty()
            ? "No run \"%s\": the store %s has no run yet; %s"
                .formatted(name, location, missingRunHint)
            : "No run \"%s\" in the store %s; its runs are %s"
                .formatted(name, location, listed(existing)));
    this.run = name;
    this.location = location;
  }

  public String run() {
    return run;
  }

  /** Returns the store: a directory, or a collector's address. */
  public String location() {
    return location;
  }

  private static String listed(List<String> names) {
    String some = String.join(", ", names.subList(0, Math.min(MAX_LISTED, names.size())));
    int more = names.size() - MAX_LISTED;
    return more > 0 ? some + " and " + more + " older ('fedometer runs list' lists all)" : some;
  }
}
