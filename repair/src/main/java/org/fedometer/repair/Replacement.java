package org.fedometer.repair;

import java.nio.file.Path;

/**
 * A file that Fedora would not look for. Akubra creates them while it replaces a file. It first
 * writes {@code new}, then renames the file to {@code old} and {@code new} to the file, and then
 * deletes {@code old}. The older store writes a file before it lists it, and keeps a {@code .bak}
 * while it overwrites a file. Immutable.
 */
final class Replacement {

  private final String pid;
  private final Path file;
  private final Path replaced;
  private final boolean newer;
  private final boolean ofObject;

  /**
   * @param replaced the path of the file that it replaces or was; null if it replaces none
   * @param newer whether it is the {@code new} one
   */
  Replacement(String pid, Path file, Path replaced, boolean newer, boolean ofObject) {
    this.pid = pid;
    this.file = file;
    this.replaced = replaced;
    this.newer = newer;
    this.ofObject = ofObject;
  }

  String pid() {
    return pid;
  }

  Path file() {
    return file;
  }

  /** Returns the replaced file; null if there is none. */
  Path replaced() {
    return replaced;
  }

  boolean isNewer() {
    return newer;
  }

  boolean isOfObject() {
    return ofObject;
  }
}
