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
 * Where a page for a browser goes: the option {@code --html} of {@code report} and {@code compare}.
 * Checked before the work that makes the page, written after it.
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
   * @param name as given with {@code --html}, or null
   * @return null where no page is asked for
   * @throws IllegalArgumentException a sentence for the user: no file of that name can be written
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
      throw new IllegalArgumentException("--html is a folder, not a file: " + name);
    }
    if (!Files.isDirectory(file.getParent())) {
      throw new IllegalArgumentException(
          "--html lies in a folder that is not there: " + file.getParent());
    }
    if (!isReplaceable(file)) {
      throw new IllegalArgumentException(
          "--html is a file that is no page, and would be lost: " + name);
    }
    return new PageFile(file);
  }

  /** Whether it holds nothing, or a page; a name mistyped may be a run's own file. */
  private static boolean isReplaceable(Path file) {
    if (!Files.isRegularFile(file)) {
      return true; // Not there yet, a device or a pipe.
    }
    byte[] begin = PAGE_START.getBytes(StandardCharsets.UTF_8);
    try (InputStream content = Files.newInputStream(file)) {
      byte[] found = content.readNBytes(begin.length);
      return found.length == 0 || Arrays.equals(found, begin);
    } catch (IOException e) {
      return false; // What it is cannot be known.
    }
  }

  /**
   * @throws IllegalArgumentException a page is to be opened, and has no file
   */
  public static void requireFile(PageFile pageOrNull, boolean open) {
    if (open && (pageOrNull == null || pageOrNull.isStandardOutput())) {
      throw new IllegalArgumentException("--open needs a page: name its file with --html");
    }
  }

  /** Whether {@code --html} says that the page is printed. */
  static boolean isStandardOutput(String nameOrNull) {
    return STANDARD_OUTPUT.equals(nameOrNull);
  }

  /** Whether the page is printed, and there is no file. */
  public boolean isStandardOutput() {
    return file == null;
  }

  /**
   * Writes the page beside its place first, so that a page that was there is whole until it is
   * replaced; then says on {@code err} where it is.
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
    // In a folder that others may write to, a link of that name is theirs.
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

  /** A page that only its owner may read stays so. */
  private static void keepPermissions(Path from, Path to) throws IOException {
    PosixFileAttributeView after = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    if (after != null && Files.exists(from)) {
      after.setPermissions(Files.getPosixFilePermissions(from));
    }
  }
}
