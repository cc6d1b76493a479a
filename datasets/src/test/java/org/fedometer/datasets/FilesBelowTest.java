package org.fedometer.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of a traversal of a user's folders, including unreadable items. */
class FilesBelowTest {

  @TempDir private Path directory;

  @Test
  void filesComeInTheOrderOfTheirPathsAndLinksAreFollowedOnce() throws IOException {
    Path elsewhere = Files.createDirectories(directory.resolve(".elsewhere/deep"));
    Files.writeString(elsewhere.resolve("z.XML"), "four");
    Files.writeString(directory.resolve("b.xml"), "");
    Files.writeString(directory.resolve("a.txt"), "");
    Files.writeString(directory.resolve("xml"), "");
    Files.createSymbolicLink(directory.resolve("a"), elsewhere);
    Files.createSymbolicLink(elsewhere.resolve("loop"), directory.resolve("a"));

    FilesBelow found = FilesBelow.in(directory, Set.of("xml"));

    assertThat(found.files())
        .containsExactly(
            new FilesBelow.Found("a/z.XML", 4, null), new FilesBelow.Found("b.xml", 0, null));
    assertThat(found.unreadableFiles()).isEmpty();
    assertThat(found.unreadableFolders()).isEmpty();
  }

  /** Uses the result of the directory traversal for any user, since the super-user may read all. */
  @Test
  void reportsAnUnreadableFolderAsAFolder() throws IOException {
    Path folder = Files.createDirectories(directory.resolve("a/b"));
    FilesBelow files = new FilesBelow(directory, Set.of("xml"));
    FileVisitor<Path> visitor = files.visitor();

    visitor.visitFileFailed(folder, new AccessDeniedException(folder.toString()));
    visitor.visitFileFailed(directory.resolve("c.xml"), new NoSuchFileException("c.xml"));
    visitor.postVisitDirectory(
        directory.resolve("a"), new FileSystemException("a", null, "Input/output error"));
    visitor.visitFileFailed(directory.resolve(".git"), new AccessDeniedException(".git"));

    assertThat(files.unreadableFolders())
        .extracting(UnusableDocument::message)
        .containsExactly(
            "a is a folder that cannot be read: Input/output error",
            "a/b is a folder that cannot be read: permission denied");
    assertThat(files.unreadableFiles())
        .extracting(UnusableDocument::message)
        .containsExactly("c.xml cannot be read: it no longer exists");
  }
}
