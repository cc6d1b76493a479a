package org.fedometer.store;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths of files relative to a run's folder, with slashes. Stateless. */
final class RunPath {
  /**
   * A file being fetched, in its destination folder; short, as file names may have the maximum
   * length.
   */
  static final String FETCHED_ASIDE = ".fetch.tmp";

  private static final String SEGMENTS = "segments/";
  private static final String TEMPORARY = ".tmp";
  private static final int MAX_PATH_CHARACTERS = 1_024;
  private static final int MAX_NAME_CHARACTERS = 255;

  /** Replaces unreadable parts of a name. */
  private static final int REPLACEMENT = 0xFFFD;

  private RunPath() {}

  static String of(RunFolder run, Path file) {
    return run.path().relativize(file).toString();
  }

  /**
   * @param path untrusted
   * @throws IOException one sentence: this machine has no such names, or it would leave the folder
   */
  static Path within(Path folder, String path) throws IOException {
    Path file;
    try {
      file = folder.resolve(path).normalize();
    } catch (InvalidPathException e) {
      throw new IOException(
          "This machine does not allow the file name \"%s\": %s".formatted(path, e.getReason()), e);
    }
    if (!file.startsWith(folder) || file.equals(folder)) {
      throw new IOException("The file \"" + path + "\" would lie outside the run");
    }
    return file;
  }

  /** Returns whether the store is writing the file, or a crash has left it. */
  static boolean isTemporary(String path) {
    if (path.startsWith(SEGMENTS)) {
      return path.endsWith(TEMPORARY) || path.contains(TEMPORARY + "/");
    }
    return path.equals(RunFolder.DOCUMENT + TEMPORARY)
        || path.equals(FETCHED_ASIDE)
        || path.endsWith("/" + FETCHED_ASIDE);
  }

  /**
   * Returns whether a file of that path is valid on any machine: without links it stays in the
   * folder, and its name is the same everywhere.
   */
  static boolean isPlain(String path) {
    if (path.isEmpty() || path.length() > MAX_PATH_CHARACTERS) {
      return false;
    }
    for (String name : path.split("/", -1)) {
      if (name.isEmpty()
          || name.equals(".")
          || name.equals("..")
          || name.length() > MAX_NAME_CHARACTERS) {
        return false;
      }
    }
    return path.codePoints()
        .noneMatch(
            character ->
                character == '\\'
                    || character == REPLACEMENT
                    || Character.isISOControl(character)
                    || Character.getType(character) == Character.SURROGATE);
  }

  /** Explains why {@link #isPlain} rejects a path, as the end of a sentence. */
  static String notPlain(String path) {
    return ("\"%s\": the name of a file must not be \"..\" or have a backslash, a control character"
            + " or an unreadable character; with its folders it must have at most %d"
            + " characters; rename the file")
        .formatted(path, MAX_PATH_CHARACTERS);
  }
}
