package org.fedometer.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.store.RunStore;
import picocli.CommandLine.Option;

/** Where runs are kept; the same option on every command that reads or writes them. */
public final class StoreOption {
  private static final String DEFAULT = RunStore.DEFAULT_FOLDER;

  @Option(
      names = "--store",
      paramLabel = "DIR",
      description = "Folder of runs (default: ./" + DEFAULT + ").")
  private Path directory;

  /**
   * Absolute; {@link RunStore#DEFAULT_FOLDER} where none was given. It may still have to be made.
   */
  public Path directory() {
    return (directory == null ? Path.of(DEFAULT) : directory).toAbsolutePath().normalize();
  }

  /** For a command that makes the store if need be. */
  public RunStore store() {
    return RunStore.at(directory());
  }

  boolean isGiven() {
    return directory != null;
  }

  /**
   * For a command that needs runs.
   *
   * @throws IllegalArgumentException there is no such folder: a slip of the pen, which must not
   *     look like a store without runs
   */
  public RunStore existing() {
    RunStore store = RunStore.at(directory == null ? Path.of(DEFAULT) : directory);
    if (Files.exists(store.directory()) ? !Files.isDirectory(store.directory()) : isGiven()) {
      throw new IllegalArgumentException(
          "--store "
              + store.directory()
              + (Files.exists(store.directory()) ? " is no folder" : " does not exist")
              + "; give the folder that 'run' or 'collect' wrote to, or leave --store out for ./"
              + DEFAULT);
    }
    return store;
  }
}
