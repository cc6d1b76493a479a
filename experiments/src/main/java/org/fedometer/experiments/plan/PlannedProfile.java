package org.fedometer.experiments.plan;

import java.util.Objects;
import java.util.regex.Pattern;
import org.fedometer.profiles.Profile;

/**
 * A profile of an experiment with its label.
 *
 * @param label at most {@value #MAX_LABEL_LENGTH} letters, digits, {@code -} and {@code _}
 * @param profile as resolved, with its changes
 */
public record PlannedProfile(String label, Profile profile) {
  static final int MAX_LABEL_LENGTH = 50;

  /** No dot, which separates parts of run names. */
  private static final Pattern LABEL =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0," + (MAX_LABEL_LENGTH - 1) + "}");

  public PlannedProfile {
    Objects.requireNonNull(profile, "profile");
    if (!isLabel(label)) {
      throw new IllegalArgumentException(label + " is not a label");
    }
  }

  static boolean isLabel(String text) {
    return LABEL.matcher(text).matches();
  }
}
