package org.fedometer.repair;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.wire.disk.Durable;

/**
 * The folder for copies before removals: unchanged files, rows as SQL, triples as N-Triples. It is
 * created with the first of them. For one thread.
 */
final class Copies {

  private final Path folder;
  private final Path home;

  Copies(Path folder, Path home) {
    this.folder = folder;
    this.home = home;
  }

  /**
   * Moves an existing file here, to its path below the home. If an earlier file already has that
   * path, it is placed next to it, in {@code files-2} and so on.
   */
  void addFile(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    Path path = file.startsWith(home) ? home.relativize(file) : file.getRoot().relativize(file);
    Path target = folder.resolve("files").resolve(path);
    for (int i = 2; Files.exists(target); i++) {
      target = folder.resolve("files-" + i).resolve(path);
    }
    Durable.createDirectories(target.getParent());
    move(file, target);
    Durable.syncDirectory(file.toAbsolutePath().getParent());
  }

  /**
   * Moves a file, also to another file system; the original is deleted once the copy is on disk.
   */
  private static void move(Path file, Path target) throws IOException {
    try {
      Durable.moveIntoPlace(file, target);
    } catch (AtomicMoveNotSupportedException e) {
      Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
      Durable.syncFile(target);
      Durable.syncDirectory(target.getParent());
      Files.delete(file);
    }
  }

  void addRows(List<String> statements) throws IOException {
    append("rows.sql", statements);
  }

  void addRemovedTriples(List<Statement> statements) throws IOException {
    append("removed.nt", lines(statements));
  }

  void addAddedTriples(List<Statement> statements) throws IOException {
    append("added.nt", lines(statements));
  }

  private static List<String> lines(List<Statement> statements) {
    List<String> lines = new ArrayList<>();
    for (Statement statement : statements) {
      lines.add(statement.line());
    }
    return lines;
  }

  /** Appends lines, which are on disk on return. */
  private void append(String name, List<String> lines) throws IOException {
    if (lines.isEmpty()) {
      return;
    }
    Durable.createDirectories(folder);
    Path file = folder.resolve(name);
    Files.write(
        file, lines, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Durable.syncFile(file);
    Durable.syncDirectory(folder);
  }
}
