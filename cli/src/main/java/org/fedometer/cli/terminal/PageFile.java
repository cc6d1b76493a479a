package org.fedometer.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Arrays;
import org.fedometer.wire.FailureText;

/**
 * Destination of an HTML page, option {@code --html} of {@code report} and {@code compare}. Checked
 * before the work, written after it.
 */
public final class PageFile {
  private static final String STANDARD_OUTPUT = "-";

  private static final String PAGE_START = "<!DOCTYPE html>";

  /** Null for standard output. */
  private final Path file;

  private PageFile(Path file) {
    this.file = file;
  }

  /**
   * @param name value of {@code --html}, or null
   * @return null without a page
   * @throws IllegalArgumentException if no file of that name can be written, with a sentence for
   *     the user
   */
  public static PageFile of(String name) {
    if (name == null || name.equals(STANDARD_OUTPUT)) {
      return name == null ? null : new PageFile(null);
    }
    Path file;
    try {
      file = Path.of(name).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("--html: " + FailureText.of(e), e);
    }
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException("--html: " + name + " is a folder; give a file");
    }
    if (!Files.isDirectory(file.getParent())) {
      throw new IllegalArgumentException(
          "--html: the folder " + file.getParent() + " does not exist");
    }
    if (!isReplaceable(file)) {
      throw new IllegalArgumentException(
          "--html: " + name + " exists and is not a page; give another file");
    }
    return new PageFile(file);
  }

  /** Returns whether it is empty or a page; a mistyped name may be a run's file. */
  private static boolean isReplaceable(Path file) {
    if (!Files.isRegularFile(file)) {
      return true; // Missing, a device or a pipe.
    }
    byte[] begin = PAGE_START.getBytes(StandardCharsets.UTF_8);
    try (InputStream content = Files.newInputStream(file)) {
      byte[] found = content.readNBytes(begin.length);
      return found.length == 0 || Arrays.equals(found, begin);
    } catch (IOException e) {
      return false; // Its content is unknown.
    }
  }

  /**
   * @throws IllegalArgumentException if a page is to be opened but has no file
   */
  public static void requireFile(PageFile pageOrNull, boolean open) {
    if (open && (pageOrNull == null || pageOrNull.isStandardOutput())) {
      throw new IllegalArgumentException("--open needs a page: name its file with --html");
    }
  }

  /** Returns whether {@code --html} prints the page. */
  static boolean isStandardOutput(String nameOrNull) {
    return STANDARD_OUTPUT.equals(nameOrNull);
  }

  /** Returns whether the page is printed instead of written to a file. */
  public boolean isStandardOutput() {
    return file == null;
  }

  /**
   * Writes the page to a temporary file first, so that an existing page stays complete until
   * replaced; then prints its location on {@code err}.
   */
  public void write(String html, boolean open, PrintWriter err) throws IOException {
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
    err.println("report page: " + file.toUri());
    if (open) {
      SystemBrowser.open(file.toUri(), err::println);
    }
  }

  private void replace(String html) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file;
    Path temporary =
        target.resolveSibling(".fedometer-page.%s.tmp".formatted(ProcessHandle.current().pid()));
    // In a folder others can write to, an existing link of that name is foreign.
    Files.createFile(temporary);
    try {
      keepPermissions(target, temporary);
      Files.writeString(temporary, html);
      try {
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void keepPermissions(Path from, Path to) throws IOException {
    PosixFileAttributeView after = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    if (after != null && Files.exists(from)) {
      after.setPermissions(Files.getPosixFilePermissions(from));
    }
  }
}
