package org.fedometer.datasets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The directory of a dataset from a user's documents, and its checks before the start. Used by the
 * thread that opens the dataset.
 */
public final class DocumentFolder {

  public static final Parameter<String> DIRECTORY =
      Parameter.directory("dir", "where the files are: in it and below it");

  public static final Parameter<Boolean> SKIP_BAD =
      Parameter.flag(
          "skip-invalid", "whether files that are broken are left out, not refused", false);

  private final Path directory;
  private final boolean skipsInvalid;
  private final String use;

  private DocumentFolder(Path directory, boolean skipsInvalid, String use) {
    this.directory = directory;
    this.skipsInvalid = skipsInvalid;
    this.use = use;
  }

  /**
   * @param use the use that a broken document prevents, such as {@code sent to Fedora}
   * @throws UnusableDataException if there is no such directory
   * @throws IllegalArgumentException if none is given, or it cannot be a name
   */
  public static DocumentFolder open(String dataset, Parameters parameters, String use) {
    boolean skipsInvalid = parameters.value(SKIP_BAD);
    Path directory =
        path(
            parameters
                .text(DIRECTORY)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "dataset %1$s needs a directory: %1$s:DIR".formatted(dataset))));
    if (!Files.isDirectory(directory)) {
      throw new UnusableDataException(
          "%s %s (of dataset %s)"
              .formatted(
                  Files.exists(directory) ? "not a directory:" : "no such directory:",
                  directory,
                  dataset),
          List.of());
    }
    return new DocumentFolder(directory, skipsInvalid, use);
  }

  private static Path path(String given) {
    try {
      // A shell does not expand the tilde after a dataset's name and a colon.
      return (given.startsWith("~/") ? home().resolve(given.substring(2)) : Path.of(given))
          .toAbsolutePath()
          .normalize();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("'" + given + "' cannot be a directory's name", e);
    }
  }

  /** Returns Java's home folder, for which commands pass the shell's value to Java. */
  private static Path home() {
    String home = System.getProperty("user.home", "");
    if (!home.startsWith("/")) {
      throw new IllegalArgumentException(
          "'~' names no folder, since the home folder is unknown; set HOME to an absolute"
              + " path, or name the folder in full");
    }
    return Path.of(home);
  }

  /** Returns the absolute path of the directory. */
  public Path directory() {
    return directory;
  }

  public boolean skipsInvalid() {
    return skipsInvalid;
  }

  /**
   * Refuses unreadable files even if the user leaves out broken ones, since their content is
   * unknown.
   *
   * @throws UnusableDataException with each file's name
   */
  public void requireReadable(
      FilesBelow files, List<UnusableDocument> unreadable, List<UnusableDocument> broken) {
    List<UnusableDocument> unusable = new ArrayList<>(files.unreadableFolders());
    unusable.addAll(files.unreadableFiles());
    unusable.addAll(unreadable);
    if (unusable.isEmpty()) {
      return;
    }
    int folders = files.unreadableFolders().size();
    String counts = FilesBelow.counted(folders, unusable.size() - folders);
    String summary =
        "%s in %s cannot be read (make them readable or move them away; --skip-invalid"
            + " omits only broken files)";
    if (!skipsInvalid && !broken.isEmpty()) {
      summary += ", and " + broken.size() + " cannot be " + use;
      unusable.addAll(broken);
    }
    throw new UnusableDataException(summary.formatted(counts, directory), unusable);
  }

  /**
   * @param names the pattern of document names, such as {@code *.xml}
   * @throws UnusableDataException if there are no documents, or broken ones, unless those are left
   *     out and there are others; names each broken one
   */
  public void requireUsable(String names, int documents, List<UnusableDocument> broken) {
    if (documents == 0) {
      throw new UnusableDataException(
          "there is no file named " + names + " in " + directory + " or below it", List.of());
    }
    if (!broken.isEmpty() && (!skipsInvalid || broken.size() == documents)) {
      throw new UnusableDataException(
          "%d of %s in %s cannot be %s (move them away, rename them%s)"
              .formatted(
                  broken.size(),
                  FilesBelow.counted(0, documents),
                  directory,
                  use,
                  skipsInvalid ? "" : ", or omit them with --skip-invalid"),
          broken);
    }
  }

  /**
   * Returns the failure of a document that was usable when the dataset was opened.
   *
   * @param reason a clause with the current fault
   * @param before a clause with the state at that time
   */
  public static UncheckedIOException changed(
      String path, String reason, String before, Exception cause) {
    String message = new UnusableDocument(path, reason).message();
    return new UncheckedIOException(
        new IOException(message + "; " + before + " when the dataset was opened", cause));
  }
}
