package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.analysis.compare.EnvironmentDifference.Difference;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDifferenceTest {

  @TempDir private Path folder;

  /** A run of which all that names it differs from other runs, and nothing else. */
  private final class Run {
    private final String name;
    private final int port;
    private final Map<String, String> choices = new LinkedHashMap<>();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private String memory = "8 GB";
    private boolean hasProfile = true;
    private String commit = "abc";
    private String command;
    private String flags = "\"-XX:+UseG1GC\"";
    private String sha = "11";
    private String configuration;
    private String file = "postgresql.conf";
    private String host = "";
    private String more = "";
    private String load = "0.10 0.20";
    private int schema = 1;
    private final Map<String, String> dataset = new LinkedHashMap<>(Map.of("seed", "1"));
    private Map<String, String> workload = Map.of();
    private int workers = 4;

    Run(String name, int port) {
      this.name = name;
      choices.put("gc", "g1");
      choices.put("database", "postgresql");
      settings.put("gc.arguments", "-XX:+UseG1GC");
      settings.put("database.fsync", "on");
      settings.put("jvm.version", "17");
      command =
          "\"java\", \"-Dhome=/store/homes/%1$s-ID%1$s\", \"run-name=%1$s,x\"".formatted(name);
      configuration =
          """
          # Written at 12:%2$d
          port = %2$d
          home = /store/homes/%1$s-ID%1$s
          fsync = on
          """
              .formatted(name, port);
      this.port = port;
    }

    RunFolder written() throws IOException {
      RunFolder run = withoutFiles();
      Files.createDirectories(run.path().resolve("config"));
      Files.writeString(run.path().resolve("config/" + file), configuration);
      return run;
    }

    /** As its source has shipped it before there was a Fedora. */
    RunFolder beginning() throws IOException {
      RunFolder run = withoutEnvironment();
      Files.writeString(
          run.path().resolve("environment.json"),
          """
          {"schema": 1,
           "host": {"memory.total": "%s"},
           "moment": {"load.average": "%s"},
           "tool": {"version": "1", "gitCommit": "%s"},
           "artifacts": [{"part": "agent", "file": "agent.jar", "sha256": "%s"}],
           "runSpecific": {"store": "/store"}}
          """
              .formatted(memory, load, commit, sha));
      return run;
    }

    RunFolder withoutFiles() throws IOException {
      RunFolder run = withoutEnvironment();
      Files.writeString(
          run.path().resolve("environment.json"),
          """
          {"schema": %d,
           "host": {"memory.total": "%s"%s},
           "moment": {"load.average": "%s"},
           "tool": {"version": "1", "gitCommit": "%s"},
           "versions": {"java": "17"},
           "artifacts": [{"part": "installer", "coordinates": "g:a:1", "file": "a.jar", "sha256": "%s"}],
           "processes": [{"role": "Fedora", "command": [%s]%s}],
           "jvm": {"home": "/jvm", "flags": [%s]},
           "configuration": ["config/%s"],
           "runSpecific": {"home": "/store/homes/%s", "run.name": "run-name=%s", "store": "/store", "port": "%d"}}
          """
              .formatted(
                  schema,
                  memory,
                  host,
                  load,
                  commit,
                  sha,
                  command,
                  more,
                  flags,
                  file,
                  name + "-ID" + name,
                  name,
                  port));
      return run;
    }

    RunFolder withoutEnvironment() throws IOException {
      RunFolder run = new RunFolder(Files.createDirectories(folder.resolve(name)));
      RunDocument document =
          RunDocument.builder(name, "done")
              .id("ID" + name)
              .profile(hasProfile ? new RunDocument.Profile("mine", choices, settings) : null)
              .dataset(new RunDocument.Dataset("patents", dataset))
              .workers(workers)
              .workload(workload)
              .versions(Map.of("java", "17"))
              .environment(
                  Map.of(
                      "memory.total",
                      memory,
                      "load.average",
                      load,
                      "fedora.command",
                      "-Dhome=" + name))
              .bootId("boot")
              .build();
      Files.write(run.documentFile(), RunDocumentJson.write(document));
      return run;
    }
  }

  private final Run first = new Run("one", 40001);
  private final Run second = new Run("two", 40002);

  private static RunDifference of(RunFolder first, RunFolder second) throws IOException {
    return RunDifference.of(first, first.document(), second, second.document());
  }

  private EnvironmentDifference difference() throws Exception {
    return of(first.written(), second.written()).difference();
  }

  @Test
  void whatNamesARunIsNoDifference() throws Exception {
    EnvironmentDifference none = difference();

    assertThat(none.profile()).isEmpty();
    assertThat(none.following()).isEmpty();
    assertThat(none.other()).isEmpty();
  }

  @Test
  void separatesOtherDifferencesFromThoseOfTheProfile() throws Exception {
    second.settings.put("gc.arguments", "-XX:+UseSerialGC");
    second.memory = "16 GB";
    second.commit = "def-dirty";
    second.sha = "22";
    second.workers = 8;
    second.workload = Map.of("content", "upload");

    EnvironmentDifference difference = difference();

    assertThat(difference.profile())
        .containsExactly(
            new Difference(
                "profile", "gc.arguments", List.of("-XX:+UseG1GC"), List.of("-XX:+UseSerialGC")));
    assertThat(difference.following()).isEmpty();
    assertThat(difference.other())
        .containsExactlyInAnyOrder(
            new Difference("workload", "workers", List.of("4"), List.of("8")),
            new Difference("workload", "content", List.of(), List.of("upload")),
            new Difference("host", "memory.total", List.of("8 GB"), List.of("16 GB")),
            new Difference("tool", "gitCommit", List.of("abc"), List.of("def-dirty")),
            new Difference(
                "artifact",
                "installer",
                List.of("g:a:1, SHA-256 11"),
                List.of("g:a:1, SHA-256 22")));
  }

  @Test
  void whatIsMadeOfAChoiceMayFollowFromItsDifferenceAndFromNoOther() throws Exception {
    second.choices.put("gc", "serial");
    second.flags = "\"-XX:+UseSerialGC\"";
    second.configuration = second.configuration.replace("fsync = on", "fsync = off");

    EnvironmentDifference difference = difference();

    assertThat(difference.following())
        .as("the garbage collector is a choice of the profile, and differs")
        .containsExactly(
            new Difference("jvm", "flags", List.of("-XX:+UseG1GC"), List.of("-XX:+UseSerialGC")));
    assertThat(difference.other())
        .as("the database is none that differs")
        .containsExactly(
            new Difference(
                "configuration",
                "config/postgresql.conf",
                List.of("fsync = on"),
                List.of("fsync = off")));
  }

  @Test
  void anotherOrderIsADifference() throws Exception {
    first.command = "\"java\", \"-Da\", \"-Db\"";
    second.command = "\"java\", \"-Db\", \"-Da\"";

    assertThat(difference().other())
        .extracting(Difference::name, d -> d.first().get(0))
        .containsExactly(tuple("Fedora.command", "(the same, in another order)"));
  }

  @Test
  void comparesARunOfAnOlderVersionByItsDocument() throws Exception {
    second.memory = "16 GB";

    RunDifference comparison = of(first.withoutEnvironment(), second.withoutEnvironment());

    assertThat(comparison.remarks())
        .anyMatch(remark -> remark.startsWith("The run one has no environment.json"));
    assertThat(comparison.difference().other())
        .containsExactly(new Difference("host", "memory.total", List.of("8 GB"), List.of("16 GB")));
  }

  @Test
  void aRunWithARecordOfItsEnvironmentIsComparedWithOneWithoutByWhatBothHave() throws Exception {
    second.memory = "16 GB";
    second.sha = "22";

    RunDifference comparison = of(first.withoutEnvironment(), second.written());

    assertThat(comparison.remarks())
        .anyMatch(remark -> remark.startsWith("The run one has no environment.json"));
    assertThat(comparison.difference().following()).isEmpty();
    assertThat(comparison.difference().other())
        .containsExactly(new Difference("host", "memory.total", List.of("8 GB"), List.of("16 GB")));
  }

  @Test
  void omitsTheStackOfARunThatFailedBeforeProvisioning() throws Exception {
    second.memory = "16 GB";

    RunDifference comparison = of(first.beginning(), second.written());

    assertThat(comparison.remarks())
        .anyMatch(
            remark ->
                remark.startsWith(
                    "The environment.json of the run one ends before Fedora was up: "));
    assertThat(comparison.difference().following()).isEmpty();
    assertThat(comparison.difference().other())
        .containsExactly(
            new Difference("host", "memory.total", List.of("8 GB"), List.of("16 GB")),
            new Difference("artifact", "agent", List.of("agent.jar, SHA-256 11"), List.of()));
  }

  @Test
  void reportsThatARunWithoutAProfileHasNoSettings() throws Exception {
    second.hasProfile = false;

    RunDifference comparison = of(first.written(), second.written());

    assertThat(comparison.difference().profile()).isEmpty();
    assertThat(ComparisonText.differences(comparison).get(0).none())
        .isEqualTo("Not compared: two has no profile on record.");
    assertThat(comparison.remarks())
        .contains("The run two has no profile on record: settings are not compared.");
  }

  @Test
  void reportsAMissingFileAndDoesNotCountItAsADifference() throws Exception {
    RunDifference comparison = of(first.withoutFiles(), second.written());

    assertThat(comparison.remarks())
        .contains("The run one lacks its config/postgresql.conf: this file is not compared.");
    assertThat(comparison.difference().other()).isEmpty();
  }

  @Test
  void comparesTheBeginningOfALargeFileAndSaysSo() throws Exception {
    String fourMebibytes =
        ("a = " + "x".repeat(1_019) + "\n").repeat(EnvironmentDocument.MAX_BYTES / 1_024);
    first.configuration = fourMebibytes + "b = 1";
    second.configuration = fourMebibytes + "b = 2";

    RunDifference comparison = of(first.written(), second.written());

    assertThat(comparison.remarks())
        .containsExactly(
            "Only the first 4 MiB of the config/postgresql.conf of the run one are compared; the last"
                + " line of these may be cut.",
            "Only the first 4 MiB of the config/postgresql.conf of the run two are compared; the last"
                + " line of these may be cut.");
    assertThat(comparison.difference().other()).isEmpty();
  }

  @Test
  void aRecordOfALaterShapeIsComparedAsFarAsItIsKnown() throws Exception {
    second.schema = 2;

    RunDifference comparison = of(first.written(), second.written());

    assertThat(comparison.remarks())
        .anyMatch(
            remark -> remark.startsWith("A later Fedometer wrote the environment.json of the run"));
    assertThat(comparison.difference().other()).isEmpty();
  }

  @Test
  void theFormOfPidsFollowsFromTheChoiceOfFedora() throws Exception {
    first.settings.put("fedora.pids", "named");
    second.settings.put("fedora.pids", "numeric");
    first.dataset.put("pids", "named");
    second.dataset.put("pids", "numeric");

    EnvironmentDifference difference = difference();

    assertThat(difference.other()).isEmpty();
    assertThat(difference.following())
        .containsExactly(
            new Difference("workload", "dataset.pids", List.of("named"), List.of("numeric")));
  }

  @Test
  void theDisksOfAFolderThatAProfileNamesFollowFromTheDatabase() throws Exception {
    first.settings.put("database.walFolder", "default");
    second.settings.put("database.walFolder", "/fast");
    second.host = ", \"disk.database.wal.device\": \"/dev/nvme0n1\"";

    EnvironmentDifference difference = difference();

    assertThat(difference.other()).isEmpty();
    assertThat(difference.following())
        .extracting(Difference::name)
        .containsExactly("disk.database.wal.device");
  }

  @Test
  void settingsOfFlightRecorderFollowFromTheJvm() throws Exception {
    first.file = "fedora.jfc";
    second.file = "fedora.jfc";
    first.settings.put("jvm.jfr", "default");
    second.settings.put("jvm.jfr", "profile");
    first.configuration = "<configuration><event name='a'/></configuration>";
    second.configuration = "<configuration><event name='b'/></configuration>";

    assertThat(difference().following())
        .extracting(Difference::name)
        .containsExactly("config/fedora.jfc");
  }

  @Test
  void commentsOfXmlAreNoDifference() throws Exception {
    first.file = "fedora.fcfg";
    second.file = "fedora.fcfg";
    first.configuration = "<?xml version='1.0'?>\n<a/> <!-- Written\n at 12 -->\n<b/>";
    second.configuration = "<?xml version='1.0'?>\n<a/>\n<!-- at 13 --><b/>";

    assertThat(difference().other()).isEmpty();
  }

  @Test
  void theSurroundingsOfAProcessAreOfNoChoice() throws Exception {
    first.more = ", \"environment\": {\"LANG\": \"C\"}, \"limits\": [\"Max open files 1024\"]";
    second.more =
        ", \"environment\": {\"LANG\": \"C\", \"LD_PRELOAD\": \"/x.so\"},"
            + " \"limits\": [\"Max open files 4096\"]";

    assertThat(difference().other())
        .containsExactly(
            new Difference("process", "Fedora.environment", List.of(), List.of("LD_PRELOAD=/x.so")),
            new Difference(
                "process",
                "Fedora.limits",
                List.of("Max open files 1024"),
                List.of("Max open files 4096")));
  }

  @Test
  void theNumberOfAPortIsOneOnlyWhereAPortIsMeant() throws Exception {
    Run onItsDefault = new Run("three", 8080);
    first.configuration = "port = 40001\nmaxKeepAliveRequests = 8080\nport.of.others = 8080\n";
    onItsDefault.configuration =
        "port = 8080\nmaxKeepAliveRequests = 8080\nport.of.others = 8080\n";

    assertThat(of(first.written(), onItsDefault.written()).difference().other()).isEmpty();

    first.configuration = "maxKeepAliveRequests = 40001\n";
    onItsDefault.configuration = "maxKeepAliveRequests = 8080\n";

    assertThat(of(first.written(), onItsDefault.written()).difference().other())
        .containsExactly(
            new Difference(
                "configuration",
                "config/postgresql.conf",
                List.of("maxKeepAliveRequests = 40001"),
                List.of("maxKeepAliveRequests = 8080")));
  }

  @Test
  void whatChangesByItselfStandsSideBySideAndIsNoDifference() throws Exception {
    second.load = "7.00 3.00";

    RunDifference comparison = of(first.written(), second.written());

    assertThat(comparison.difference().other()).isEmpty();
    assertThat(comparison.atStart())
        .containsExactly(new RunDifference.AtStart("load.average", "0.10 0.20", "7.00 3.00"));
    assertThat(comparison.differingAtStart()).isEqualTo(comparison.atStart());
  }

  @Test
  void whatIsEqualAtTheStartIsNotListed() throws Exception {
    RunDifference comparison = of(first.written(), second.written());

    assertThat(comparison.atStart()).isNotEmpty();
    assertThat(comparison.differingAtStart()).isEmpty();
  }

  @Test
  void aBrokenEnvironmentIsRefusedWithTheRunsName() throws Exception {
    RunFolder broken = first.written();
    Files.writeString(broken.path().resolve("environment.json"), "{\"schema\":");

    assertThatThrownBy(() -> of(broken, second.written()))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("The environment.json of the run one cannot be read: ");
  }

  @Test
  void anEnvironmentThatIsTooLargeIsCalledThat() throws Exception {
    RunFolder large = first.written();
    Files.writeString(
        large.path().resolve("environment.json"),
        "{" + " ".repeat(EnvironmentDocument.MAX_BYTES) + "}");

    assertThatThrownBy(() -> of(large, second.written()))
        .isInstanceOf(IOException.class)
        .hasMessage("The environment.json of the run one cannot be read: it has more than 4 MiB");
  }
}
