package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What there is to choose, shown and checked without starting anything. */
class ProfilesCommandIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path folder;
  private Fedometer fedometer;

  @BeforeEach
  void command() {
    fedometer = new Fedometer(folder);
  }

  @Test
  void theListHasProfilesAndChoices() throws Exception {
    Fedometer.Call call = fedometer.start("profiles").await(PATIENCE).expect(ExitCode.DONE);
    assertThat(call.out())
        .containsPattern("(?m)^fiz-mulgara-postgresql +The FIZ study")
        .containsPattern("(?m)^gc= +zgc-generational +ZGC with");

    JsonNode json =
        fedometer.start("profiles", "list", "--json").await(PATIENCE).expect(ExitCode.DONE).json();
    assertThat(json.at("/profiles/tuned").asText()).isNotEmpty();
    assertThat(json.at("/choices/triplestore/none/source").asText()).contains("Fedora 2.2");
  }

  @Test
  void aProfileIsShownWithWhereEachValueWasWritten() throws Exception {
    Path mine = write("mine.yaml", "description: mine", "base: mulgara-derby", "heap: 2g");

    Fedometer.Call call =
        fedometer
            .start("profiles", "show", mine.toString(), "--set", "gc=g1")
            .await(PATIENCE)
            .expect(ExitCode.DONE);
    assertThat(call.out())
        .startsWith("mine gc=g1: mine")
        .containsPattern("(?m)^heap.maximum +2g +" + mine + ":3$")
        .containsPattern("(?m)^gc.arguments +-XX:\\+UseG1GC +gc/g1.yaml:\\d+$");

    JsonNode json =
        fedometer
            .start("profiles", "show", "fiz-remote-database", "--json")
            .await(PATIENCE)
            .expect(ExitCode.DONE)
            .json();
    assertThat(json.at("/settings/connector.protocol/value").asText()).endsWith("Http11Protocol");
    assertThat(json.at("/missing")).hasSize(3);
  }

  @Test
  void aCheckSaysAllThatIsWrongAndWhere() throws Exception {
    Path mine =
        write(
            "mine.yaml",
            "description: mine",
            "base: mulgara-derby",
            "gcc: g1",
            "settings:",
            "  heap.maximum: 2 GB",
            "  database.fsync: off");

    Fedometer.Call call =
        fedometer
            .start("profiles", "check", mine.toString())
            .await(PATIENCE)
            .expect(ExitCode.BAD_USAGE);
    assertThat(call.err().lines())
        .hasSize(3)
        .allMatch(line -> line.matches("fedometer: " + mine + ":[356]: .+"));
    fedometer.start("profiles", "check", "tuned").await(PATIENCE).expect(ExitCode.DONE);
    assertThat(
            fedometer
                .start("profiles", "check", "fiz-remote-database")
                .await(PATIENCE)
                .expect(ExitCode.BAD_USAGE)
                .err())
        .contains("database.url of an external database is needed");
  }

  @Test
  void theUsersOwnFoldersAreSearchedToo() throws Exception {
    Path own = folder.resolve("config/fedometer/profiles");
    Files.createDirectories(own.resolve("heap"));
    Files.write(
        own.resolve("heap/huge.yaml"),
        List.of("description: d", "base: fixed", "settings: {minimum: 64g, maximum: 64g}"));
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.write(other.resolve("ours.yaml"), List.of("description: d", "base: tuned", "heap: huge"));

    Fedometer.Call call =
        fedometer
            .start(
                Map.of("XDG_CONFIG_HOME", folder.resolve("config").toString()),
                "profiles",
                "show",
                "ours",
                "--profiles",
                other.toString())
            .await(PATIENCE)
            .expect(ExitCode.DONE);
    assertThat(call.out()).containsPattern("(?m)^heap.minimum +64g +" + own + "/heap/huge.yaml:3$");

    assertThat(
            fedometer
                .start("profiles", "list", "--profiles", folder.resolve("nowhere").toString())
                .await(PATIENCE)
                .expect(ExitCode.BAD_USAGE)
                .err())
        .contains("nowhere is no folder");
  }

  @Test
  void aFileThatIsWrongDoesNotHideTheOthers() throws Exception {
    Files.createDirectories(folder.resolve("gc"));
    write("gc/silent.yaml", "settings: {arguments: []}");
    write("gc/broken.yaml", "description: d", "settings: {arguments: []");
    Files.write(folder.resolve("gc/latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe4, '\n'});
    write("other.yaml", "description: [a, b]");

    Fedometer.Call call =
        fedometer
            .start("profiles", "list", "--profiles", folder.toString())
            .await(PATIENCE)
            .expect(ExitCode.DONE);
    assertThat(call.out())
        .containsPattern("(?m)^gc= +silent +cannot be used: .*/gc/silent.yaml:1: key 'description'")
        .containsPattern("(?m)^gc= +broken +cannot be used: .*/gc/broken.yaml:\\d+: ")
        .containsPattern("(?m)^gc= +latin +cannot be used: .*/gc/latin.yaml: it is not UTF-8")
        .containsPattern("(?m)^other +cannot be used: .*/other.yaml:1: ")
        .containsPattern("(?m)^gc= +zgc +collects while");

    JsonNode json =
        fedometer
            .start("profiles", "list", "--json", "--profiles", folder.toString())
            .await(PATIENCE)
            .expect(ExitCode.DONE)
            .json();
    assertThat(json.at("/choices/gc/broken/description").asText()).startsWith("cannot be used: ");
  }

  @Test
  void anOptionBeforeTheSubcommandHoldsForIt() throws Exception {
    Path first = Files.createDirectory(folder.resolve("first"));
    Path second = Files.createDirectory(folder.resolve("second"));
    Files.write(first.resolve("ours.yaml"), List.of("description: ours", "base: tuned"));
    Files.write(second.resolve("theirs.yaml"), List.of("description: theirs", "base: ours"));

    for (List<String> command :
        List.of(List.of("show", "ours"), List.of("check", "ours"), List.of("list"))) {
      List<String> all = new ArrayList<>(List.of("profiles", "--profiles", first.toString()));
      all.addAll(command);
      assertThat(
              fedometer
                  .start(all.toArray(String[]::new))
                  .await(PATIENCE)
                  .expect(ExitCode.DONE)
                  .out())
          .contains("ours");
    }
    JsonNode json =
        fedometer
            .start(
                "profiles",
                "--json",
                "--profiles",
                first.toString(),
                "show",
                "theirs",
                "--profiles",
                second.toString())
            .await(PATIENCE)
            .expect(ExitCode.DONE)
            .json();
    assertThat(json.at("/description").asText()).isEqualTo("theirs");
    assertThat(
            fedometer
                .start("profiles", "--json", "list")
                .await(PATIENCE)
                .expect(ExitCode.DONE)
                .json()
                .at("/profiles/tuned")
                .asText())
        .isNotEmpty();
    assertThat(
            fedometer
                .start("profiles", "--json", "check", "tuned")
                .await(PATIENCE)
                .expect(ExitCode.BAD_USAGE)
                .err())
        .contains("prints no JSON");
  }

  @Test
  void nothingIsStartedForAProfileThatCannotBe() throws Exception {
    Path home = folder.resolve("home");
    for (List<String> command :
        List.of(
            List.of("up", "--home", home.toString(), "--set", "gc=cms"),
            List.of("run", "--set", "heap=2gb"))) {
      Fedometer.Call call =
          fedometer
              .start(command.toArray(String[]::new))
              .await(PATIENCE)
              .expect(ExitCode.BAD_USAGE);
      assertThat(call.err()).startsWith("fedometer: --set: ").hasLineCount(1);
    }
    assertThat(home).doesNotExist();
    assertThat(fedometer.processesLeft()).isEmpty();
  }

  private Path write(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }
}
