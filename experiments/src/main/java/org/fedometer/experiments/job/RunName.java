package org.fedometer.experiments.job;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.fedometer.driver.request.Shard;
import org.fedometer.store.RunFolder;

/** Valid and generated names of runs. Stateless. */
public final class RunName {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

  /**
   * Characters of a run's ULID, which distinguish runs of the same second, for example of a script.
   */
  private static final int CHARACTERS_OF_ID = 4;

  /** Space in the 100 characters of a name between these and the time of day. */
  private static final int MAX_MIDDLE_CHARACTERS = 79;

  private RunName() {}

  /**
   * Returns a name from the time of day, the given parts, and the end of the ULID.
   *
   * @param of such as profile and dataset; may contain any character, since a profile is named like
   *     its file
   */
  public static String generate(String runId, String... of) {
    String between = String.join("-", of).replaceAll("[^A-Za-z0-9._-]+", "-");
    return LocalDateTime.now().format(TIME)
        + "-"
        + between.substring(0, Math.min(between.length(), MAX_MIDDLE_CHARACTERS))
        + "-"
        + runId.substring(runId.length() - CHARACTERS_OF_ID).toLowerCase(Locale.ROOT);
  }

  /** Returns the name of the folder of one driver's journal and record: one per shard. */
  public static String ofPart(String runName, Shard shard) {
    return shard.isPart() ? runName + "." + shard.number() + "-of-" + shard.count() : runName;
  }

  /**
   * Returns whether a user may give this name: valid by {@link RunFolder#isValidName}, without a
   * leading hyphen.
   *
   * @param name not null
   */
  public static boolean isValid(String name) {
    // A leading hyphen would make it look like an option.
    return RunFolder.isValidName(name) && !name.startsWith("-");
  }

  /**
   * @param option name of the option
   * @param name may be null: none was given
   * @throws IllegalArgumentException with a one-sentence message, if the name is invalid
   */
  public static void require(String option, String name) {
    if (name != null && !isValid(name)) {
      throw new IllegalArgumentException(
          option
              + " '"
              + name
              + "': a run's name has 1 to 100 letters, digits, '.', '_' and '-' and begins with"
              + " neither a dot nor a hyphen");
    }
  }
}
