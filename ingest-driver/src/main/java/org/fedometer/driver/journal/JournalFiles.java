package org.fedometer.driver.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a journal in their folder, and their latest state. Reading is safe while a driver
 * writes; deleting requires the {@link JournalLock}. Thread-safe.
 */
final class JournalFiles {

  /** Covers a checkpoint with every other one of a hundred million objects pending. */
  private static final long MAX_FILE_BYTES = 256L << 20;

  /** The first file exceeds this once an object was sent: a checkpoint has at most 35 bytes. */
  private static final int FIRST_CHECKPOINT_LIMIT_BYTES = 64;

  static final byte[] HEAD = "FDMJRNL\u0002".getBytes(StandardCharsets.US_ASCII);

  private static final Pattern FILE = Pattern.compile("[0-9]{10}\\.journal");

  private final Path folder;

  JournalFiles(Path folder) {
    this.folder = folder;
  }

  boolean isEmpty() throws IOException {
    return all().isEmpty();
  }

  /**
   * @throws IOException if there is none
   */
  Path last() throws IOException {
    List<Path> files = all();
    if (files.isEmpty()) {
      throw new IOException("There is no journal in " + folder + ".");
    }
    return files.get(files.size() - 1);
  }

  /**
   * Returns when the latest file was written, by the clock of this host's files; now, if there is
   * none.
   */
  long lastWrittenEpochMillis() throws IOException {
    List<Path> files = all();
    return files.isEmpty()
        ? System.currentTimeMillis()
        : Files.getLastModifiedTime(files.get(files.size() - 1)).toMillis();
  }

  Path path(long number) {
    return folder.resolve(String.format(Locale.ROOT, "%010d.journal", number));
  }

  /**
   * Returns the state of the latest file with a complete checkpoint.
   *
   * @throws IOException if there is none, or it is unusable
   */
  JournalState read() throws IOException {
    return latest().orElseThrow(() -> new IOException("There is no journal in " + folder + "."));
  }

  /**
   * Returns whether no object was sent: the journal has none, or its first file was never
   * completed.
   *
   * @throws IOException if there is an unusable file
   */
  boolean isWithoutObjects() throws IOException {
    Optional<JournalState> state = latest();
    if (state.isPresent()) {
      return state.get().isEmpty();
    }
    if (isEmpty()) {
      return true;
    }
    Path last = last();
    if (Files.size(last) > HEAD.length + FIRST_CHECKPOINT_LIMIT_BYTES) {
      throw new IOException(last + " cannot be read: its first block is damaged.");
    }
    return number(last) == 1;
  }

  private Optional<JournalState> latest() throws IOException {
    List<Path> files = all();
    for (int i = files.size() - 1; i >= 0; i--) {
      if (Files.size(files.get(i)) > MAX_FILE_BYTES) {
        throw new IOException(
            files.get(i)
                + " is larger than any journal of Fedometer; it is damaged or another file.");
      }
      byte[] content = Files.readAllBytes(files.get(i));
      if (content.length < HEAD.length) {
        continue; // killed while creating it; the one before has everything
      }
      if (!Arrays.equals(HEAD, 0, HEAD.length, content, 0, HEAD.length)) {
        if (i > 0) {
          continue; // the disk was full when it was created
        }
        throw new IOException(files.get(i) + " is not a journal of this version of Fedometer.");
      }
      try {
        JournalState state = EntryReader.read(content, HEAD.length);
        if (state != null) {
          return Optional.of(state);
        }
      } catch (IllegalStateException | IllegalArgumentException | ArithmeticException e) {
        throw new IOException(files.get(i) + " cannot be read: " + e.getMessage(), e);
      }
    }
    return Optional.empty();
  }

  void deleteBefore(long number) throws IOException {
    for (Path file : all()) {
      if (number(file) < number) {
        Files.delete(file);
      }
    }
  }

  static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().substring(0, 10));
  }

  void delete() throws IOException {
    for (Path file : all()) {
      Files.delete(file);
    }
    JournalLock.deleteFile(folder);
    try (Stream<Path> others = Files.list(folder)) {
      if (others.findAny().isPresent()) {
        return;
      }
    }
    Files.delete(folder);
  }

  /** Returns all files, ordered by number. */
  private List<Path> all() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> FILE.matcher(path.getFileName().toString()).matches())
          .filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
          .sorted(Comparator.comparing(Path::getFileName))
          .toList();
    }
  }
}
