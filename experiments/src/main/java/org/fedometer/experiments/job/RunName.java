package org.fedometer.experiments.job;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.fedometer.driver.request.Shard;
import org.fedometer.store.RunFolder;

/** What runs may be called, and are called where the user gives no name. Stateless. */
public final class RunName {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

  /** Of a run's ULID: they tell apart runs that begin in the same second, as a script's may. */
  private static final int CHARACTERS_OF_ID = 4;

  /** What the 100 of a name have room for between these and the time of day. */
  private static final int MAX_MIDDLE_CHARACTERS = 79;

  private RunName() {}

  /**
   * A name of the time of day, what the run is of, and the end of its ULID.
   *
   * @param of such as profile and dataset; a profile is called like its file, so that anything may
   *     be in it
   */
  public static String generate(String runId, String... of) {
    String between = String.join("-", of).replaceAll("[^A-Za-z0-9._-]+", "-");
    return LocalDateTime.now().format(TIME)
        + "-"
        + between.substring(0, Math.min(between.length(), MAX_MIDDLE_CHARACTERS))
        + "-"
        + runId.substring(runId.length() - CHARACTERS_OF_ID).toLowerCase(Locale.ROOT);
  }

  /** Of the folder of journal and record of one driver: each shard of a run has its own. */
  public static String ofPart(String runName, Shard shard) {
    return shard.isPart() ? runName + "." + shard.number() + "-of-" + shard.count() : runName;
  }

  /**
   * Whether a run may be called so by a user: as {@link RunFolder#isValidName} says, and with no
   * hyphen at first.
   *
   * @param name not null
   */
  public static boolean isValid(String name) {
    // One that begins with a hyphen would be taken for an option wherever it is given.
    return RunFolder.isValidName(name) && !name.startsWith("-");
  }

  /**
   * @param option that gave it
   * @param name may be null: none was given
   * @throws IllegalArgumentException one sentence: no run can be called so
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
