package org.fedometer.profiles.stack.database;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.StackFiles;
import org.fedometer.wire.disk.Durable;

/**
 * Where a database's files lie: in the stack's home, or in a folder of the stack's own below one
 * that the profile names, on another disk for instance.
 *
 * @param data tables and all else
 * @param wal the write-ahead log, or null where it lies among the data
 */
public record DatabaseFolders(Path data, Path wal) {

  private static final String DEFAULT = "default";

  /** Where a stack's are to be; they need not be there. */
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

  /** Makes all of them, empty. */
  public void create() throws IOException {
    StackFiles.createPrivateFolder(data);
    if (wal != null) {
      StackFiles.createPrivateFolder(wal);
    }
  }

  /** Makes the folder that the data lies in where that is the stack's. */
  void createParents() throws IOException {
    Durable.createDirectories(data.getParent());
  }

  /** Deletes whatever of it is there, inside and outside of the stack's home. */
  public void delete() throws IOException {
    StackFiles.deleteTree(data);
    if (wal != null) {
      StackFiles.deleteTree(wal);
    }
  }
}
