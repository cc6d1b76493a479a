package org.fedometer.offline;

import java.nio.file.Path;

/**
 * A file that Fedora writes while it replaces another one: first {@code new} is written, then the
 * file becomes {@code old}, then {@code new} becomes the file, then {@code old} goes. Immutable.
 */
final class Replacement {

  private final String pid;
  private final Path file;
  private final Path replaced;
  private final boolean newer;
  private final boolean ofObject;

  /**
   * @param file where it lies
   * @param replaced where the file that it replaces, or was, has its place
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
