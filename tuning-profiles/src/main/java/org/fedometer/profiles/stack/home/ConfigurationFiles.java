package org.fedometer.profiles.stack.home;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;

/**
 * All files of a folder of configuration with the folders in it, but for links, instructions for
 * readers, and files too large to be anybody's configuration. For one thread.
 *
 * @param prefix of the files' paths, empty or ending with a slash
 * @param folder may be missing
 */
public record ConfigurationFiles(String prefix, Path folder) {

  private static final long MAX_FILE_BYTES = 1 << 20;

  /** Somebody's policies may be many. */
  private static final int MAX_FILES = 500;

  /** Adds them by their path, at most so many; of two whose paths became one, the first. */
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
            // Gone meanwhile.
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static boolean isForReaders(Path file) {
    return file.getFileName().toString().equalsIgnoreCase("readme.txt");
  }

  /** Of the characters that a run's files may have in their names. */
  private String nameOf(Path file) {
    return prefix + folder.relativize(file).toString().replaceAll("[^\\w./-]", "_");
  }
}
