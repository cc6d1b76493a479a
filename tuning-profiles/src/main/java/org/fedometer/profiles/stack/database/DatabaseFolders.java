package org.fedometer.profiles.stack.database;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.StackFiles;
import org.fedometer.wire.disk.Durable;

/**
 * Folders of a database's files: in the stack's home, or in the stack's folder below one that the
 * profile names, for example on another disk.
 *
 * @param data tables and all else
 * @param wal the write-ahead log, or null if within the data
 */
public record DatabaseFolders(Path data, Path wal) {

  private static final String DEFAULT = "default";

  /** Returns a stack's folders, which need not exist. */
  public static DatabaseFolders of(StackFolders folders, StackDocument stack) {
    String product = stack.setting("database.product");
    return new DatabaseFolders(
        named(stack, "database.dataFolder", product + "-data")
            .orElseGet(() -> folders.database(product)),
        named(stack, "database.walFolder", product + "-wal").orElse(null));
  }

  private static Optional<Path> named(StackDocument stack, String setting, String kind) {
    String folder = stack.plan().settings().getOrDefault(setting, DEFAULT);
    return folder.equals(DEFAULT)
        ? Optional.empty()
        : Optional.of(Path.of(folder).normalize().resolve("fedometer-" + stack.id() + "-" + kind));
  }

  /** Creates all of them, empty. */
  public void create() throws IOException {
    StackFiles.createPrivateFolder(data);
    if (wal != null) {
      StackFiles.createPrivateFolder(wal);
    }
  }

  /** Creates the parent of the data folder, if the stack's. */
  void createParents() throws IOException {
    Durable.createDirectories(data.getParent());
  }

  /** Deletes all existing files, inside and outside of the stack's home. */
  public void delete() throws IOException {
    StackFiles.deleteTree(data);
    if (wal != null) {
      StackFiles.deleteTree(wal);
    }
  }
}
