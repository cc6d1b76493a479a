package org.fedometer.cli.profile;

import org.fedometer.cli.option.CompletionValues;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.UnknownProfileException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for a tuning profile and changes to it. */
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
   * Returns the resolved profile with its changes; {@link Profiles#DEFAULT} by default.
   *
   * @throws UnknownProfileException if there is none of that name; the message suggests similar
   *     ones
   * @throws org.fedometer.profiles.ProfileFileException if it cannot be resolved; the message has
   *     cause and place
   * @throws IllegalArgumentException if {@code --profile-dir} is no folder, with a message for the
   *     user
   */
  public Profile profile() throws UnknownProfileException {
    return changes.profile(name == null ? Profiles.DEFAULT : name);
  }

  public boolean isGiven() {
    return name != null || changes.isAny();
  }
}
