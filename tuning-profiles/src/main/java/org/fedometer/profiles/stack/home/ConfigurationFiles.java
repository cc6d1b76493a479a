package org.fedometer.profiles.stack.home;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;

/**
 * All files of a configuration folder and its subfolders, except links, readme files, and files too
 * large for configuration. For one thread.
 *
 * @param prefix the prefix of the files' paths, empty or ending with a slash
 * @param folder the folder; may be missing
 */
public record ConfigurationFiles(String prefix, Path folder) {

  private static final long MAX_FILE_BYTES = 1 << 20;

  /** Limit on files, because a folder may hold many policies. */
  private static final int MAX_FILES = 500;

  /**
   * Adds up to {@code MAX_FILES} files by their path; if two paths become equal, the first one
   * counts.
   */
  public void addTo(Map<String, Path> files) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          private int left = MAX_FILES;

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()
                && attributes.size() <= MAX_FILE_BYTES
                && !isForReaders(file)) {
              files.putIfAbsent(nameOf(file), file);
              left--;
            }
            return left > 0 ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            // The file is gone.
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static boolean isForReaders(Path file) {
    return file.getFileName().toString().equalsIgnoreCase("readme.txt");
  }

  /** Returns a name with only the characters allowed in the names of a run's files. */
  private String nameOf(Path file) {
    return prefix + folder.relativize(file).toString().replaceAll("[^\\w./-]", "_");
  }
}
