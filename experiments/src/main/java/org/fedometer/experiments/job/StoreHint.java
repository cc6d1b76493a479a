package org.fedometer.experiments.job;

import java.nio.file.Path;
import org.fedometer.store.RunStore;

/** Provides the {@code --store} option of a displayed command, to be copied. Stateless. */
public final class StoreHint {
  private StoreHint() {}

  /**
   * Returns an empty string for the default store of this folder, else the option after a blank.
   */
  public static String of(Path store) {
    Path absolute = store.toAbsolutePath().normalize();
    if (absolute.equals(Path.of(RunStore.DEFAULT_FOLDER).toAbsolutePath().normalize())) {
      return "";
    }
    return " --store " + ShellWord.of(absolute.toString());
  }
}
