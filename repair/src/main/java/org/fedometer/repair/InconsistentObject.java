package org.fedometer.repair;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A PID with incomplete data, and the places of the rest. For one thread. */
final class InconsistentObject {

  private final String pid;
  private final int marks;
  private final Map<ContentKey, Path> contents = new TreeMap<>();
  private final Set<String> subjects = new TreeSet<>();
  private Path file;

  InconsistentObject(String pid, int marks) {
    this.pid = pid;
    this.marks = marks;
  }

  String pid() {
    return pid;
  }

  boolean has(int mark) {
    return (marks & mark) != 0;
  }

  /** Returns the object's file; null if there is none. */
  Path file() {
    return file;
  }

  void setFile(Path file) {
    this.file = file;
  }

  /** Returns the existing managed content, ordered by name. */
  Map<ContentKey, Path> contents() {
    return contents;
  }

  Set<String> subjects() {
    return subjects;
  }
}
