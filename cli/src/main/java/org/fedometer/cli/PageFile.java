package org.fedometer.cli;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Where a page for a browser goes: the option {@code --html} of {@code report} and {@code compare}.
 * Checked before the work that makes the page, written after it.
 */
final class PageFile {
  private static final String STANDARD_OUTPUT = "-";

  /** Null for standard output. */
  private final Path file;

  private PageFile(Path file) {
    this.file = file;
  }

  /**
   * @param name as given with {@code --html}, or null
   * @return null where no page is asked for
   * @throws IllegalArgumentException a sentence for the user: no file of that name can be written
   */
  static PageFile of(String name) {
    if (name == null || name.equals(STANDARD_OUTPUT)) {
      return name == null ? null : new PageFile(null);
    }
    Path file;
    try {
      file = Path.of(name).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("--html is no name of a file: " + e.getMessage(), e);
    }
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException("--html is a folder, not a file: " + name);
    }
    if (!Files.isDirectory(file.getParent())) {
      throw new IllegalArgumentException(
          "--html lies in a folder that is not there: " + file.getParent());
    }
    return new PageFile(file);
  }

  /**
   * Holds {@code --open} against {@code --html}.
   *
   * @param pageOrNull what {@link #of} gave
   * @throws IllegalArgumentException there is no file to be opened
   */
  static void requireFile(PageFile pageOrNull, boolean open) {
    if (open && (pageOrNull == null || pageOrNull.isStandardOutput())) {
      throw new IllegalArgumentException("--open needs a page: name its file with --html");
    }
  }

  boolean isStandardOutput() {
    return file == null;
  }

  /**
   * Writes the page beside its place first, so that a page that was there is whole until it is
   * replaced; then says where it is.
   *
   * @param open whether it is opened in a browser then
   */
  void write(String html, boolean open) throws IOException {
    if (file == null) {
      StandardOutput.json(html);
      return;
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // A device or a pipe.
      Files.writeString(file, html);
    } else {
      replace(html);
    }
    System.err.println("report page: " + file.toUri());
    if (open) {
      SystemBrowser.open(file.toUri());
    }
  }

  private void replace(String html) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file;
    Path aside =
        target.resolveSibling(
            ".%s.%d.tmp".formatted(target.getFileName(), ProcessHandle.current().pid()));
    try {
      Files.writeString(aside, html);
      try {
        Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(aside, target, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(aside);
    }
  }
}
