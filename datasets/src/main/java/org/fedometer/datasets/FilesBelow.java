package org.fedometer.datasets;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
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
 * Files with certain extensions in a directory and those below it, for datasets that are made of a
 * user's files. Links are followed, a loop of links is entered once; what begins with a dot is left
 * alone. Used by the thread that opens a dataset.
 */
public final class FilesBelow {

  private final List<Found> files = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();

  /**
   * A file.
   *
   * @param path below the directory, separated by {@code /}
   */
  public record Found(String path, long sizeBytes) {}

  private FilesBelow() {}

  /**
   * Walks through a directory.
   *
   * @param extensions in lower case, without the dot; files have them in any case
   */
  public static FilesBelow in(Path directory, Set<String> extensions) {
    FilesBelow found = new FilesBelow();
    Walk walk = found.new Walk(directory, extensions);
    try {
      Files.walkFileTree(
          directory, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, walk);
    } catch (IOException e) {
      // No method of the visitor throws one; the walk itself might.
      walk.addUnreadable(directory, e);
    }
    found.files.sort(Comparator.comparing(Found::path));
    found.unreadable.sort(Comparator.naturalOrder());
    return found;
  }

  /** By path, so that their order is the same on every machine. */
  public List<Found> files() {
    return files;
  }

  /**
   * What may be or hide such files, but cannot be looked at: one sentence each. Links that lead
   * nowhere, and folders, count whatever their names.
   */
  public List<String> unreadable() {
    return unreadable;
  }

  /** What is wrong, without the path that Java puts before it. */
  public static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "it is gone";
    } else if (e instanceof AccessDeniedException) {
      return "this user may not";
    } else if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return e.toString();
  }

  private final class Walk extends SimpleFileVisitor<Path> {

    private final Path directory;
    private final Set<String> extensions;

    Walk(Path directory, Set<String> extensions) {
      this.directory = directory;
      this.extensions = extensions;
    }

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
      if (attributes.isSymbolicLink()) {
        unreadable.add(relative + " cannot be read: it is a link that leads nowhere");
      } else if (hasExtension(relative) && attributes.isRegularFile()) {
        files.add(new Found(relative, attributes.size()));
      } else if (hasExtension(relative)) {
        unreadable.add(relative + " cannot be read: it is neither a file nor a folder");
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException e) {
      if (!isHidden(path) && !(e instanceof FileSystemLoopException)) {
        addUnreadable(path, e);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path path, IOException e) {
      if (e != null) {
        addUnreadable(path, e);
      }
      return FileVisitResult.CONTINUE;
    }

    void addUnreadable(Path path, IOException e) {
      String relative = path.equals(directory) ? "." : relative(path);
      unreadable.add(relative + " cannot be read: " + reason(e));
    }

    private boolean hasExtension(String path) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      int dot = name.lastIndexOf('.');
      return dot >= 0 && extensions.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT));
    }

    private String relative(Path path) {
      return directory.relativize(path).toString().replace('\\', '/');
    }

    private boolean isHidden(Path path) {
      Path name = path.getFileName();
      return !path.equals(directory) && name != null && name.toString().startsWith(".");
    }
  }
}
