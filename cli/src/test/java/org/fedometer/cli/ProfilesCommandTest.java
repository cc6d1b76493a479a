package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Choices of profiles, shown and checked without starting anything. */
class ProfilesCommandTest {
  @TempDir private Path folder;

  @Test
  void theListHasProfilesAndChoices() throws Exception {
    InProcess call = InProcess.fedometer("profile", "list").expect(ExitCode.DONE);
    assertThat(call.out())
        .containsPattern("(?m)^fiz-mulgara-postgresql +The FIZ study")
        .containsPattern("(?m)^gc= +zgc-generational +ZGC with");

    JsonNode json = InProcess.fedometer("profile", "list", "--json").expect(ExitCode.DONE).json();
    assertThat(json.at("/profiles/tuned").asText()).isNotEmpty();
    assertThat(json.at("/choices/triplestore/none/source").asText()).contains("Fedora 2.2");
  }

  @Test
  void aProfileIsShownWithWhereEachValueWasWritten() throws Exception {
    Path mine = write("mine.yaml", "description: mine", "base: mulgara-derby", "heap: 2g");

    InProcess call =
        InProcess.fedometer("profile", "show", mine.toString(), "--set", "gc=g1")
            .expect(ExitCode.DONE);
    assertThat(call.out())
        .startsWith("mine gc=g1: mine")
        .containsPattern("(?m)^heap.maximum +2g +" + mine + ":3$")
        .containsPattern("(?m)^gc.arguments +-XX:\\+UseG1GC +gc/g1.yaml:\\d+$");

    JsonNode json =
        InProcess.fedometer("profile", "show", "fiz-remote-database", "--json")
            .expect(ExitCode.DONE)
            .json();
    assertThat(json.at("/settings/connector.protocol/value").asText()).endsWith("Http11Protocol");
    assertThat(json.at("/missing")).hasSize(3);
  }

  @Test
  void checkReportsAllProblemsWithTheirLocation() throws Exception {
    Path mine =
        write(
            "mine.yaml",
            "description: mine",
            "base: mulgara-derby",
            "gcc: g1",
            "settings:",
            "  heap.maximum: 2 GB",
            "  database.fsync: off");

    InProcess call =
        InProcess.fedometer("profile", "check", mine.toString()).expect(ExitCode.BAD_USAGE);
    assertThat(call.err().lines())
        .hasSize(3)
        .allMatch(line -> line.matches("fedometer: " + mine + ":[356]: .+"));
    InProcess.fedometer("profile", "check", "tuned").expect(ExitCode.DONE);
    assertThat(
            InProcess.fedometer("profile", "check", "fiz-remote-database")
                .expect(ExitCode.BAD_USAGE)
                .err())
        .contains("an external database needs database.url");
  }

  @Test
  void rejectsAMissingProfileFolder() {
    assertThat(
            InProcess.fedometer(
                    "profile", "list", "--profile-dir", folder.resolve("nowhere").toString())
                .expect(ExitCode.BAD_USAGE)
                .err())
        .contains("nowhere is not a folder");
  }

  @Test
  void aFileThatIsWrongDoesNotHideTheOthers() throws Exception {
    Files.createDirectories(folder.resolve("gc"));
    write("gc/silent.yaml", "settings: {arguments: []}");
    write("gc/broken.yaml", "description: d", "settings: {arguments: []");
    Files.write(folder.resolve("gc/latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe4, '\n'});
    write("other.yaml", "description: [a, b]");

    InProcess call =
        InProcess.fedometer("profile", "list", "--profile-dir", folder.toString())
            .expect(ExitCode.DONE);
    assertThat(call.out())
        .containsPattern("(?m)^gc= +silent +cannot be used: .*/gc/silent.yaml:1: key 'description'")
        .containsPattern("(?m)^gc= +broken +cannot be used: .*/gc/broken.yaml:\\d+: ")
        .containsPattern("(?m)^gc= +latin +cannot be used: .*/gc/latin.yaml: it is not UTF-8")
        .containsPattern("(?m)^other +cannot be used: .*/other.yaml:1: ")
        .containsPattern("(?m)^gc= +zgc +collects while");

    JsonNode json =
        InProcess.fedometer("profile", "list", "--json", "--profile-dir", folder.toString())
            .expect(ExitCode.DONE)
            .json();
    assertThat(json.at("/choices/gc/broken/description").asText()).startsWith("cannot be used: ");
  }

  private Path write(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }
}
