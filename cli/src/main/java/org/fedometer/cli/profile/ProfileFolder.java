package org.fedometer.cli.profile;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.profiles.Profiles;
import picocli.CommandLine.Option;

/** A folder of profiles, in addition to the shipped ones and the user's. */
public final class ProfileFolder {
  @Option(
      names = "--profile-dir",
      paramLabel = "DIR",
      description =
          "Folder of custom profiles and choices; it precedes ~/.config/fedometer/profiles"
              + " and the shipped ones.")
  private Path folder;

  /**
   * Returns profiles of the folder, if given, then of the user, then shipped ones.
   *
   * @throws IllegalArgumentException if it is no folder, with a message for the user
   */
  public Profiles profiles() {
    if (folder == null) {
      return Profiles.ofUser();
    }
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "--profile-dir " + folder + " is not a folder; give a folder of profiles");
    }
    return Profiles.ofUser().with(folder);
  }
}
