package org.fedometer.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.store.RunStore;
import picocli.CommandLine.Option;

/** The store's folder; the same option for all commands. */
public final class StoreOption {
  private static final String DEFAULT = RunStore.DEFAULT_FOLDER;

  @Option(
      names = "--store",
      paramLabel = "DIR",
      description = "Folder of runs (default: ./" + DEFAULT + ").")
  private Path directory;

  /** Returns an absolute path, by default {@link RunStore#DEFAULT_FOLDER}. It may not exist yet. */
  public Path directory() {
    return (directory == null ? Path.of(DEFAULT) : directory).toAbsolutePath().normalize();
  }

  /** Returns a store that may be created. */
  public RunStore store() {
    return RunStore.at(directory());
  }

  boolean isGiven() {
    return directory != null;
  }

  /**
   * Returns a store that must exist.
   *
   * @throws IllegalArgumentException if the named folder does not exist: a typo must not look like
   *     an empty store
   */
  public RunStore existing() {
    RunStore store = RunStore.at(directory == null ? Path.of(DEFAULT) : directory);
    if (Files.exists(store.directory()) ? !Files.isDirectory(store.directory()) : isGiven()) {
      throw new IllegalArgumentException(
          "--store "
              + store.directory()
              + (Files.exists(store.directory()) ? " is not a folder" : " does not exist")
              + "; give the folder that 'run' or 'collect' wrote to, or leave --store out for ./"
              + DEFAULT);
    }
    return store;
  }
}
