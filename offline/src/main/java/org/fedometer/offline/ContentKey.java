package org.fedometer.offline;

import java.util.Objects;

/** Names one version of a datastream with managed content, as the low-level store does. */
final class ContentKey {

  private final String pid;
  private final String datastreamId;
  private final String versionId;

  ContentKey(String pid, String datastreamId, String versionId) {
    this.pid = pid;
    this.datastreamId = datastreamId;
    this.versionId = versionId;
  }

  /** Of {@code PID+DATASTREAM+VERSION}; null if it is none, or null. */
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
  public boolean equals(Object other) {
    return other instanceof ContentKey && toString().equals(other.toString());
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
