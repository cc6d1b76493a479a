package org.fedometer.experiments.job;

import java.nio.file.Path;
import org.fedometer.store.RunStore;

/** The {@code --store} of a command that a user is told of, so that it can be copied. Stateless. */
public final class StoreHint {
  private StoreHint() {}

  /** Empty for the store that a command takes by itself in this folder, else with a blank first. */
  public static String of(Path store) {
    Path absolute = store.toAbsolutePath().normalize();
    if (absolute.equals(Path.of(RunStore.DEFAULT_FOLDER).toAbsolutePath().normalize())) {
      return "";
    }
    return " --store " + ShellWord.of(absolute.toString());
  }
}
