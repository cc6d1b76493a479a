package org.fedometer.repair;

import java.util.Comparator;
import java.util.Objects;

/** Key of one version of a datastream with managed content, as in the low-level store. */
final class ContentKey implements Comparable<ContentKey> {

  private static final Comparator<ContentKey> ORDER =
      Comparator.comparing(ContentKey::pid)
          .thenComparing(ContentKey::datastreamId)
          .thenComparing(ContentKey::versionId);

  private final String pid;
  private final String datastreamId;
  private final String versionId;

  ContentKey(String pid, String datastreamId, String versionId) {
    this.pid = pid;
    this.datastreamId = datastreamId;
    this.versionId = versionId;
  }

  /**
   * Returns the key for {@code PID+DATASTREAM+VERSION}; null if it is none, or null. Names with a
   * plus sign, which Fedora forbids but a file may have, are not recognized.
   */
  static ContentKey of(String token) {
    if (token == null) {
      return null;
    }
    String[] parts = token.split("\\+", -1);
    return parts.length == 3 ? new ContentKey(parts[0], parts[1], parts[2]) : null;
  }

  String pid() {
    return pid;
  }

  String datastreamId() {
    return datastreamId;
  }

  String versionId() {
    return versionId;
  }

  @Override
  public int compareTo(ContentKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ContentKey && compareTo((ContentKey) other) == 0;
  }

  @Override
  public int hashCode() {
    return Objects.hash(pid, datastreamId, versionId);
  }

  @Override
  public String toString() {
    return pid + "+" + datastreamId + "+" + versionId;
  }
}
