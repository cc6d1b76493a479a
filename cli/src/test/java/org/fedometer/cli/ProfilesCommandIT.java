package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on profiles that need a process's environment, or the distribution. */
class ProfilesCommandIT {
  @TempDir private Path folder;

  @Test
  void searchesTheUserFolders() throws Exception {
    Path userFolder = folder.resolve("config/fedometer/profiles");
    Files.createDirectories(userFolder.resolve("heap"));
    Files.write(
        userFolder.resolve("heap/huge.yaml"),
        List.of("description: d", "base: fixed", "settings: {minimum: 64g, maximum: 64g}"));
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.write(other.resolve("ours.yaml"), List.of("description: d", "base: tuned", "heap: huge"));

    Fedometer.Call call =
        new Fedometer(folder)
            .start(
                Map.of("XDG_CONFIG_HOME", folder.resolve("config").toString()),
                "profile",
                "show",
                "ours",
                "--profile-dir",
                other.toString())
            .await(Duration.ofMinutes(3))
            .expect(ExitCode.DONE);
    assertThat(call.out())
        .containsPattern("(?m)^heap.minimum +64g +" + userFolder + "/heap/huge.yaml:3$");
  }

  /** Without it commands start twice as slowly, without any message. */
  @Test
  void theBuildHasKeptAnArchiveOfClasses() {
    Path home = Path.of("target/fedometer").toAbsolutePath();
    assertThat(home.resolve("classes.jsa.of")).content().startsWith(home + "\n");
    assertThat(home.resolve("classes.jsa")).isNotEmptyFile();
  }

  @Test
  void rejectsAnImpossibleProfileBeforeStarting() throws Exception {
    Fedometer fedometer = new Fedometer(folder);
    Path home = folder.resolve("home");
    for (List<String> command :
        List.of(
            List.of("stack", "up", "--home", home.toString(), "--set", "gc=cms"),
            List.of("run", "--set", "heap=2gb"))) {
      Fedometer.Call call =
          fedometer
              .start(command.toArray(String[]::new))
              .await(Duration.ofMinutes(3))
              .expect(ExitCode.BAD_USAGE);
      assertThat(call.err()).startsWith("fedometer: --set: ").hasLineCount(1);
    }
    assertThat(home).doesNotExist();
    assertThat(fedometer.processesLeft()).isEmpty();
  }
}
