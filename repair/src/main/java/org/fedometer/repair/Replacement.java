package org.fedometer.repair;

import java.nio.file.Path;

/**
 * A file that Fedora would not look for. Akubra makes them while a file is replaced by another:
 * first {@code new} is written, then the file becomes {@code old}, then {@code new} becomes the
 * file, then {@code old} goes. The older store writes a file first and puts it into its list then,
 * and keeps a {@code .bak} while it writes over a file. Immutable.
 */
final class Replacement {

  private final String pid;
  private final Path file;
  private final Path replaced;
  private final boolean newer;
  private final boolean ofObject;

  /**
   * @param replaced where the file that it replaces, or was, has its place; null if it replaces
   *     none
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

  /** Null if it replaces none. */
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
