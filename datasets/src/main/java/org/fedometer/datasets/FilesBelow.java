package org.fedometer.datasets;

import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Files with certain extensions in a directory and its subfolders, and unreadable items there, for
 * datasets from a user's files. Links are followed, and a loop of links is entered once. Names that
 * begin with a dot are ignored. Used by the thread that opens a dataset.
 */
public final class FilesBelow {

  private final Path directory;
  private final Set<String> extensions;
  private final List<Found> files = new ArrayList<>();
  private final List<UnusableDocument> unreadableFiles = new ArrayList<>();
  private final List<UnusableDocument> unreadableFolders = new ArrayList<>();

  /**
   * @param path the path below the directory, separated by {@code /}; other characters replace
   *     those that the locale cannot represent
   * @param exact the file itself if {@code path} does not lead to it, else null, since most files
   *     do not need both
   */
  public record Found(String path, long sizeBytes, Path exact) {

    public Path in(Path directory) {
      return exact == null ? directory.resolve(path) : exact;
    }

    /** Returns the path in a form that differs for different files, whatever the locale. */
    public String distinctPath() {
      return exact == null ? path : exact.toUri().getRawPath();
    }

    /** Returns the extension without the dot, in any case; empty if there is none. */
    public String extension() {
      int dot = path.lastIndexOf('.');
      return dot < 0 ? "" : path.substring(dot + 1);
    }
  }

  FilesBelow(Path directory, Set<String> extensions) {
    this.directory = directory;
    this.extensions = extensions;
  }

  /**
   * @param extensions in lower case, without the dot; files may have them in any case
   */
  public static FilesBelow in(Path directory, Set<String> extensions) {
    FilesBelow found = new FilesBelow(directory, extensions);
    try {
      Files.walkFileTree(
          directory, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, found.visitor());
    } catch (IOException e) {
      // No method of this visitor throws one, but the walk might.
      found.addFolder(directory, e);
    }
    return found;
  }

  /** Returns the files by path, so that their order is the same on every machine. */
  public List<Found> files() {
    return files.stream()
        .sorted(Comparator.comparing(Found::path).thenComparing(Found::distinctPath))
        .toList();
  }

  /** Returns broken links, pipes and files that could not be examined, by path. */
  public List<UnusableDocument> unreadableFiles() {
    return byPath(unreadableFiles);
  }

  /** Returns folders by path; their content is unknown. */
  public List<UnusableDocument> unreadableFolders() {
    return byPath(unreadableFolders);
  }

  private static List<UnusableDocument> byPath(List<UnusableDocument> documents) {
    return documents.stream().sorted(Comparator.comparing(UnusableDocument::path)).toList();
  }

  FileVisitor<Path> visitor() {
    return new Visitor();
  }

  private final class Visitor extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      return isHidden(path) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      if (isHidden(path)) {
        return FileVisitResult.CONTINUE;
      }
      String relative = relative(path);
      Found found = new Found(relative, attributes.size(), leadsTo(relative, path) ? null : path);
      if (attributes.isSymbolicLink()) {
        // Whatever its name: its target may have been a folder of documents.
        addFile(found.path, "the target of the link does not exist");
      } else if (!extensions.contains(found.extension().toLowerCase(Locale.ROOT))) {
        return FileVisitResult.CONTINUE;
      } else if (!attributes.isRegularFile()) {
        addFile(found.path, "it is neither a file nor a folder");
      } else {
        files.add(found);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException e) {
      // A loop of links has been traversed once.
      if (!isHidden(path) && !(e instanceof FileSystemLoopException)) {
        if (Files.isDirectory(path)) {
          addFolder(path, e);
        } else {
          addFile(relative(path), reason(e));
        }
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path path, IOException e) {
      if (e != null) {
        addFolder(path, e);
      }
      return FileVisitResult.CONTINUE;
    }
  }

  private void addFile(String path, String reason) {
    unreadableFiles.add(new UnusableDocument(path, "cannot be read: " + reason));
  }

  private void addFolder(Path path, IOException e) {
    unreadableFolders.add(
        new UnusableDocument(
            path.equals(directory) ? "." : relative(path),
            "is a folder that cannot be read: " + reason(e)));
  }

  /** Returns text such as {@code 1 folder and 2 files}, without zero counts. */
  public static String counted(int folders, int files) {
    List<String> counts = new ArrayList<>(2);
    addCount(counts, folders, "folder");
    addCount(counts, files, "file");
    return String.join(" and ", counts);
  }

  private static void addCount(List<String> counts, int count, String what) {
    if (count > 0) {
      counts.add(count + " " + what + (count == 1 ? "" : "s"));
    }
  }

  /** Returns the fault, without the path that Java puts before it. */
  public static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "it no longer exists";
    } else if (e instanceof AccessDeniedException) {
      return "permission denied";
    } else if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return e.getMessage() == null || e instanceof FileSystemException
        ? "it cannot be read"
        : e.getMessage();
  }

  private String relative(Path path) {
    // A backslash is an ordinary character if it is not the separator.
    return directory.relativize(path).toString().replace(File.separatorChar, '/');
  }

  private boolean leadsTo(String relative, Path path) {
    try {
      return directory.resolve(relative).equals(path);
    } catch (InvalidPathException e) {
      // On some systems, names are bytes; the locale has no characters for these.
      return false;
    }
  }

  private boolean isHidden(Path path) {
    Path name = path.getFileName();
    return !path.equals(directory) && name != null && name.toString().startsWith(".");
  }
}
