package org.fedometer.cli.profile;

import org.fedometer.cli.option.CompletionValues;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.UnknownProfileException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which tuning profile, and what is to be other than it says. */
public final class ProfileChoice {
  @Option(
      names = "--profile",
      paramLabel = "PROFILE",
      completionCandidates = CompletionValues.ProfileNames.class,
      description =
          "Tuning profile: a name from 'fedometer profile list', or a .yaml file (default: "
              + Profiles.DEFAULT
              + ").")
  private String name;

  @Mixin private ProfileChanges changes;

  /**
   * As resolved with what is to be other; {@link Profiles#DEFAULT} where none was named.
   *
   * @throws UnknownProfileException if there is none of that name; says what may have been meant
   * @throws org.fedometer.profiles.ProfileFileException if it cannot be resolved; says why and
   *     where
   * @throws IllegalArgumentException in words for the user: {@code --profile-dir} names no folder
   */
  public Profile profile() throws UnknownProfileException {
    return changes.profile(name == null ? Profiles.DEFAULT : name);
  }

  /** Whether the user said anything of it. */
  public boolean isGiven() {
    return name != null || changes.isAny();
  }
}
