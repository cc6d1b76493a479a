package org.fedometer.cli;

import java.nio.file.Path;
import org.fedometer.store.RunStore;
import picocli.CommandLine.Option;

/** Where runs are kept; the same option on every command that reads or writes them. */
final class StoreOption {
  @Option(
      names = "--store",
      paramLabel = "DIR",
      defaultValue = "fedometer-store",
      description = "Folder where runs are kept (default: ./${DEFAULT-VALUE}).")
  private Path directory;

  Path directory() {
    return directory.toAbsolutePath().normalize();
  }

  RunStore store() {
    return RunStore.at(directory());
  }
}
