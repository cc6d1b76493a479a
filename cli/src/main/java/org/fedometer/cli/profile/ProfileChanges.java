package org.fedometer.cli.profile;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.UnknownProfileException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for additional profile folders and changed settings. */
final class ProfileChanges {
  @Option(
      names = "--set",
      paramLabel = "K=V",
      description =
          "Choice (gc=zgc, jvm=25, heap=2g) or setting (database.synchronous_commit=off) to"
              + " change. Repeatable.")
  private List<String> changes = new ArrayList<>();

  @Mixin private ProfileFolder folder;

  boolean isAny() {
    return !changes.isEmpty();
  }

  Profile profile(String name) throws UnknownProfileException {
    return profile(profiles(), name);
  }

  /**
   * @param profiles those of {@link #profiles}
   */
  Profile profile(Profiles profiles, String name) throws UnknownProfileException {
    return profiles.profile(name, changes);
  }

  Profiles profiles() {
    return folder.profiles();
  }
}
