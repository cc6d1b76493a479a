package org.fedometer.experiments.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.profiles.Profile;

/**
 * An experiment: profiles, their load, repetitions and order. Read from a file by {@link
 * ExperimentFile}; immutable.
 *
 * @param name of the experiment: at most {@value #MAX_NAME_LENGTH} letters, digits, {@code -} and
 *     {@code _}
 * @param description one line, or empty
 * @param profiles at least one, in the order of the file, with distinct labels
 * @param baseline label that the others are compared with
 * @param dataset as on the command line: {@code NAME[:key=value,...]}
 * @param ratePerSecond objects due per second, or null for a closed model
 * @param objects of each run, including its warm-up
 * @param warmObjects number of first objects that are warm-up; null to find it afterwards
 * @param repetitions of each profile; the minimum if a rule depends on measurements
 * @param pageCache before each run; null for cold if possible
 */
public record ExperimentPlan(
    String name,
    String description,
    List<PlannedProfile> profiles,
    String baseline,
    String dataset,
    ContentOptions content,
    int workers,
    Double ratePerSecond,
    long objects,
    Long warmObjects,
    int repetitions,
    Order order,
    long seed,
    PageCache pageCache,
    StopRule stop,
    String file) {

  static final int MAX_NAME_LENGTH = 40;

  /** No dot, which separates parts of run names. */
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0," + (MAX_NAME_LENGTH - 1) + "}");

  public ExperimentPlan {
    requireName(name);
    profiles = List.copyOf(profiles);
    Objects.requireNonNull(stop, "stop");
    HashSet<String> labels = new HashSet<>();
    for (PlannedProfile each : profiles) {
      if (!labels.add(each.label())) {
        throw new IllegalArgumentException("two profiles are called " + each.label());
      }
    }
    if (!labels.contains(baseline)) {
      throw new IllegalArgumentException("no profile is called " + baseline);
    }
  }

  /**
   * @throws IllegalArgumentException with a message for the user
   */
  public static void requireName(String name) {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' cannot name an experiment: letters, digits, '-' and '_' are allowed, "
              + MAX_NAME_LENGTH
              + " at most, the first a letter or digit");
    }
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  public ExperimentPlan withName(String other) {
    return new ExperimentPlan(
        other,
        description,
        profiles,
        baseline,
        dataset,
        content,
        workers,
        ratePerSecond,
        objects,
        warmObjects,
        repetitions,
        order,
        seed,
        pageCache,
        stop,
        file);
  }

  /** Returns the labels of all profiles, in the order of the file. */
  public List<String> labels() {
    return profiles.stream().map(PlannedProfile::label).toList();
  }

  public Profile profile(String label) {
    return profiles.stream()
        .filter(each -> each.label().equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no profile is called " + label))
        .profile();
  }

  public int maxRepetitions() {
    return stop instanceof StopRule.Until until ? until.maxRepetitions() : repetitions;
  }
}
