package org.fedometer.cli.profile;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.profiles.Profiles;
import picocli.CommandLine.Option;

/** A folder of profiles besides those shipped and the user's own. */
public final class ProfileFolder {
  @Option(
      names = "--profile-dir",
      paramLabel = "DIR",
      description =
          "Folder of custom profiles and choices; it precedes ~/.config/fedometer/profiles"
              + " and the shipped ones.")
  private Path folder;

  /**
   * Those of the folder, if there is one, before the user's own and those shipped.
   *
   * @throws IllegalArgumentException in words for the user: what was named is no folder
   */
  public Profiles profiles() {
    if (folder == null) {
      return Profiles.ofUser();
    }
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "--profile-dir " + folder + " is no folder; name one that holds profiles");
    }
    return Profiles.ofUser().with(folder);
  }
}
