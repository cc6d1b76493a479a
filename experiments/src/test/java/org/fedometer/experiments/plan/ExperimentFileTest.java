package org.fedometer.experiments.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.fedometer.profiles.ProfileFileException;
import org.fedometer.profiles.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentFileTest {
  private static final String REST =
      """
      dataset: patents:small
      warm: 10
      measured: 20
      """;

  @Test
  void aShortFileHasWhatIsUsualForAllElse() {
    ExperimentPlan plan =
        parse(
            """
            name: stores
            profiles: [mptstore-postgresql, mulgara-derby]
            dataset: patents
            warm: 5_000
            measured: 6000
            """);

    assertThat(plan.name()).isEqualTo("stores");
    assertThat(plan.labels()).containsExactly("mptstore-postgresql", "mulgara-derby");
    assertThat(plan.baseline()).isEqualTo("mptstore-postgresql");
    assertThat(plan.objects()).isEqualTo(11_000);
    assertThat(plan.warmObjects()).isEqualTo(5000);
    assertThat(plan.workers()).isEqualTo(4);
    assertThat(plan.ratePerSecond()).isNull();
    assertThat(plan.repetitions()).isEqualTo(3);
    assertThat(plan.order()).isEqualTo(Order.INTERLEAVED);
    assertThat(plan.seed()).isEqualTo(1);
    assertThat(plan.pageCache()).as("cold where it can be had").isNull();
    assertThat(plan.stop()).isEqualTo(new StopRule.Fixed());
  }

  @Test
  void acceptsEveryKey() {
    ExperimentPlan plan =
        parse(
            """
            name: stores
            description: which triplestore
            profiles:
              - mptstore-postgresql
              - name: small-heap
                profile: mptstore-postgresql
                set: {heap: 2g, gc: serial, jvm.arguments+: [-Da=b, -Dc=d]}
            baseline: small-heap
            dataset: patents:small
            content: upload
            packaging: datastreams
            checksum: SHA-256
            workers: 8
            rate: 12.5
            warm: auto
            objects: 300
            repetitions: 4
            order: as-written
            seed: 7
            page-cache: warm
            stop:
              until: {throughput: 2.5 %, max-repetitions: 10}
            """);

    assertThat(plan.description()).isEqualTo("which triplestore");
    assertThat(plan.baseline()).isEqualTo("small-heap");
    assertThat(plan.profile("small-heap").changes())
        .containsExactly("heap=2g", "gc=serial", "jvm.arguments+=-Da=b -Dc=d");
    assertThat(plan.profile("small-heap").text("heap.maximum")).isEqualTo("2g");
    assertThat(plan.content().path().id()).isEqualTo("upload");
    assertThat(plan.content().packaging().id()).isEqualTo("datastreams");
    assertThat(plan.content().checksum().id()).isEqualTo("SHA-256");
    assertThat(plan.workers()).isEqualTo(8);
    assertThat(plan.ratePerSecond()).isEqualTo(12.5);
    assertThat(plan.objects()).isEqualTo(300);
    assertThat(plan.warmObjects()).as("found afterwards").isNull();
    assertThat(plan.order()).isEqualTo(Order.AS_WRITTEN);
    assertThat(plan.seed()).isEqualTo(7);
    assertThat(plan.pageCache()).isEqualTo(PageCache.WARM);
    assertThat(plan.stop()).isEqualTo(new StopRule.Until(0.025, 10));
    assertThat(plan.maxRepetitions()).isEqualTo(10);
  }

  @Test
  void theSameProfileUnderTwoNamesIsACopyToCompareWithItself() {
    ExperimentPlan plan =
        parse(
            """
            name: aa
            profiles:
              - mulgara-derby
              - {name: copy, profile: mulgara-derby}
            """
                + REST);

    assertThat(plan.labels()).containsExactly("mulgara-derby", "copy");
    assertThat(plan.profile("copy")).isEqualTo(plan.profile("mulgara-derby"));
  }

  @Test
  void theSameProfileTwiceUnderOneNameIsRefusedWithBothLines() {
    assertThat(problems("name: aa\nprofiles:\n  - mulgara-derby\n  - mulgara-derby\n" + REST))
        .containsExactly(
            "x.yaml:4: the name mulgara-derby is already used at x.yaml:3; give one of them"
                + " another 'name'");
  }

  @Test
  void aMatrixMakesTheProductOfItsDimensions() {
    ExperimentPlan plan =
        parse(
            """
            name: matrix
            matrix:
              triplestore: [mptstore, mulgara]
              gc: [g1, serial]
              heap: 2g
            baseline: mulgara-g1
            """
                + REST);

    assertThat(plan.labels())
        .containsExactly("mptstore-g1", "mptstore-serial", "mulgara-g1", "mulgara-serial");
    assertThat(plan.profile("mulgara-serial").name()).isEqualTo(Profiles.DEFAULT);
    assertThat(plan.profile("mulgara-serial").changes())
        .containsExactly("triplestore=mulgara", "gc=serial", "heap=2g");
  }

  @Test
  void aMatrixMayHaveProfilesAndSettingsAmongItsDimensionsAndLeaveCombinationsOut() {
    ExperimentPlan plan =
        parse(
            """
            name: matrix
            profiles: [none-derby]
            matrix:
              profile: [mptstore-postgresql, mptstore-derby]
              fedora.validation: [all, none]
              except:
                - {profile: mptstore-derby, fedora.validation: none}
            """
                + REST);

    assertThat(plan.labels())
        .containsExactly(
            "none-derby",
            "mptstore-postgresql-all",
            "mptstore-postgresql-none",
            "mptstore-derby-all");
    assertThat(plan.profile("mptstore-derby-all").name()).isEqualTo("mptstore-derby");
  }

  @Test
  void anUnknownKeyIsRefusedWithItsLineAndTheNearestThatThereIs() {
    assertThat(
            problems(
                """
                name: x
                profiles:
                  - mulgara-derby
                  - {nam: copy, profile: mulgara-derby}
                reptitions:
                  3
                frobnicate: 1
                stop: {untill: 1}
                """
                    + REST))
        .contains(
            "x.yaml:4: unknown key 'nam'; perhaps you mean name",
            "x.yaml:5: unknown key 'reptitions'; perhaps you mean repetitions",
            "x.yaml:8: unknown key 'untill'; perhaps you mean until")
        .anyMatch(
            problem -> problem.startsWith("x.yaml:7: unknown key 'frobnicate'; there are: name, "));
  }

  @Test
  void reportsAllProblemsAtOnce() {
    assertThat(
            problems(
                """
                name: a b
                profiles:
                  - mulgara-derbi
                  - {name: small, profile: mulgara-derby, set: {heep: 2g}}
                  - {name: tiny, profile: mulgara-derby, set: {heap: much}}
                baseline: big
                workers: 0
                rate: fast
                warm: soon
                measured: 10
                objects: 10
                order: alphabetic
                page-cache: hot
                repetitions: three
                """))
        .hasSize(13)
        .isSortedAccordingTo(Comparator.comparingInt(ExperimentFileTest::line))
        .anyMatch(problem -> problem.startsWith("x.yaml:1: 'a b' cannot name an experiment"))
        .anyMatch(problem -> problem.startsWith("x.yaml:1: key 'dataset' is missing"))
        .contains("x.yaml:3: no profile is called 'mulgara-derbi'; perhaps you mean mulgara-derby")
        .contains("x.yaml:4: no dimension is called 'heep'; perhaps you mean heap")
        .anyMatch(problem -> problem.startsWith("x.yaml:5: tiny: unknown heap 'much'"))
        .contains(
            "x.yaml:6: no profile here is called 'big'; there are: mulgara-derbi, small, tiny")
        .contains("x.yaml:7: workers: '0' is not a whole number of 1 to 1000")
        .anyMatch(problem -> problem.startsWith("x.yaml:8: rate: 'fast' is not a number"))
        .contains("x.yaml:9: warm: 'soon' is neither a number of objects nor auto")
        .anyMatch(problem -> problem.startsWith("x.yaml:11: objects: it is the sum of 'warm' and"))
        .contains("x.yaml:12: order: 'alphabetic' is none of interleaved, randomised, as-written")
        .contains("x.yaml:13: page-cache: 'hot' is none of cold, warm")
        .anyMatch(problem -> problem.startsWith("x.yaml:14: repetitions: 'three' is not"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "patent|there is no dataset 'patent'; there are: patents, |; perhaps you mean patents",
        "patents:scal=small|dataset patents has no parameter 'scal'; it|; perhaps you mean scale",
        "patents:seed=x|parameter seed of dataset patents must be a whole number|, not 'x'",
        "foxml:dir,pids=old|parameter pids of dataset foxml cannot be 'old'|; it can be: kept, new"
      })
  void aDatasetThatCannotBeIsRefusedWithItsLineBesideAllElse(
      String dataset, String sentence, String end) {
    assertThat(
            problems(
                "name: x\nprofiles: [mulgara-derbi]\ndataset: "
                    + dataset
                    + "\nwarm: 1\nmeasured: 1\n"))
        .hasSize(2)
        .contains("x.yaml:2: no profile is called 'mulgara-derbi'; perhaps you mean mulgara-derby")
        .anyMatch(problem -> problem.startsWith("x.yaml:3: " + sentence) && problem.endsWith(end));
  }

  @Test
  void reportsAnUnknownMatrixKeyOnce() {
    assertThat(
            problems(
                "name: x\nmatrix:\n  gcc: [g1, zgc]\n  heap: [1g, 2g]\nbaseline: g1-2g\n" + REST))
        .containsExactly("x.yaml:3: matrix: unknown key 'gcc'; perhaps you mean gc");
  }

  @ParameterizedTest
  @ValueSource(strings = {"100001", "0", "-1", "1e-7", "NaN"})
  void aRateThatNoLoadCanHaveIsRefusedWithTheRange(String rate) {
    assertThat(
            problems(
                """
                name: a
                profiles: [mulgara-derby]
                dataset: patents:small
                warm: 5
                measured: 10
                rate: %s
                """
                    .formatted(rate)))
        .singleElement()
        .asString()
        .startsWith("x.yaml:6: rate: a rate of ")
        .endsWith("give one above 0, at most 100000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "warm: 5|key 'measured' is missing",
        "measured: 5|key 'warm' is missing",
        "warm: auto|key 'objects' is missing",
        "seed: 1|key 'measured' is missing",
        "{warm: auto, measured: 5, objects: 9}|give 'objects' instead"
      })
  void howManyObjectsWarmUpAndHowManyAreMeasuredHasToBeClear(String keys, String sentence) {
    String flat = keys.replaceAll("[{}]", "").replace(", ", "\n");

    assertThat(problems("name: x\nprofiles: [mulgara-derby]\ndataset: patents\n" + flat + "\n"))
        .anyMatch(problem -> problem.contains(sentence));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "until|until' is not fixed",
        "{until: {throughput: 5}}|5' is not a percentage",
        "{until: {throughput: 5 %}}|key 'max-repetitions' is missing",
        "{until: {throughput: 5 %, max-repetitions: 2}}|is not a whole number of 3 to 1000",
        "{until: {throughput: 5 %, max-repetitions: 9}}|it needs the ratio of two profiles"
      })
  void aStopRuleThatCannotBeIsRefused(String rule, String sentence) {
    assertThat(problems("name: x\nprofiles: [mulgara-derby]\nstop: " + rule + "\n" + REST))
        .anyMatch(problem -> problem.contains(sentence));
  }

  @Test
  void anOrderWithoutBlocksCannotEndWhenItIsExactEnough() {
    assertThat(
            problems(
                """
                name: x
                profiles: [mulgara-derby, none-derby]
                order: randomised
                stop: {until: {throughput: 5 %, max-repetitions: 9}}
                """
                    + REST))
        .singleElement()
        .asString()
        .startsWith("x.yaml:4: stop:")
        .contains("set it to interleaved");
  }

  @Test
  void aCombinationThatCannotBeIsRefusedByItsLabel() {
    assertThat(problems("name: x\nmatrix:\n  gc: [cms, g1]\n  jvm: [8, 17]\n" + REST))
        .isNotEmpty()
        .allMatch(problem -> problem.startsWith("x.yaml:3: cms-17: "));
  }

  @Test
  void anExceptionThatLeavesOutNothingIsASlip() {
    assertThat(problems("name: x\nmatrix:\n  gc: [g1, serial]\n  except: [{gc: zgc}]\n" + REST))
        .containsExactly("x.yaml:4: except: the matrix has no gc: zgc, so this leaves out nothing");
  }

  @Test
  void rejectsAMatrixWithTooManyProfiles() {
    StringBuilder matrix = new StringBuilder("name: x\nmatrix:\n");
    for (int i = 0; i < 70; i++) {
      matrix.append("  jvm.key").append(i).append(": [a, b]\n");
    }

    assertThat(problems(matrix + REST)).contains("x.yaml:3: matrix: makes more than 100 profiles");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{gc: g1}, {gc: serial}"})
  void exceptionsThatLeaveOutEverythingAreASlip(String exceptions) {
    assertThat(
            problems(
                "name: x\nmatrix:\n  gc: [g1, serial]\n  except: [" + exceptions + "]\n" + REST))
        .anyMatch(problem -> problem.startsWith("x.yaml:4: except: the matrix leaves no profile"));
  }

  @Test
  void theNameThatAProfileGetsByItsChangesHasNoSecretInIt() {
    ExperimentPlan plan =
        parse(
            """
            name: x
            profiles:
              - {profile: none-derby, set: {jvm.arguments+: -Dmy.password=hunter2}}
            matrix:
              profile: none-derby
              gc: [g1, serial]
              jvm.arguments+: ["-Da=b -Dmy.password=hunter3", -Dc=d]
            """
                + REST);

    assertThat(plan.labels()).hasSize(5).noneMatch(label -> label.contains("hunter"));
    assertThat(plan.labels().get(0)).startsWith("none-derby-").contains("password");
  }

  @Test
  void aReferenceToAnotherPlaceIsRefusedWithItsLine() {
    assertThat(problems("name: &n x\nprofiles: [none-derby]\ndescription: *n\n" + REST))
        .singleElement()
        .asString()
        .startsWith("x.yaml:3: '*n' is a YAML alias");
  }

  @Test
  void aDatabaseThatIsThereAlreadyIsRefusedSinceItHoldsTheRunBefore() {
    assertThat(
            problems(
                """
                name: x
                profiles:
                  - name: theirs
                    profile: mulgara-postgresql
                    set:
                      database: postgresql-external
                      database.url: jdbc:postgresql://db.example/fedora
                      database.passwordFile: /etc/fedora-db
                """
                    + REST))
        .anyMatch(
            problem -> problem.contains("an experiment needs a profile that creates its database"));
  }

  @Test
  void neitherProfilesNorMatrixIsNoExperiment() {
    assertThat(problems("name: x\n" + REST))
        .anyMatch(problem -> problem.startsWith("x.yaml:1: give 'profiles'"));
  }

  @Test
  void reportsInvalidYamlWithItsLine() {
    assertThatThrownBy(() -> parse("name: x\nprofiles: [a\nwarm: 1\n"))
        .isInstanceOf(ProfileFileException.class)
        .hasMessageMatching("(?s)x\\.yaml:[23]: .*");
  }

  @Test
  void reportsAMissingFile(@TempDir Path folder) {
    assertThatThrownBy(() -> ExperimentFile.read(folder.resolve("none.yaml"), Profiles.shipped()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no file")
        .hasMessageContaining("none.yaml");
  }

  @Test
  void ofAFileThatIsNotThereTheOneBesideItOfNearlyTheSameNameIsGuessed(@TempDir Path folder)
      throws Exception {
    Path there = Files.writeString(folder.resolve("triplestores.yaml"), "name: x");
    Files.writeString(folder.resolve("triplestore.txt"), "");
    Path missing = folder.resolve("triplestore.yaml");

    assertThatThrownBy(() -> ExperimentFile.read(missing, Profiles.shipped()))
        .hasMessage("there is no file " + missing + "; perhaps you mean " + there);
    assertThatThrownBy(() -> ExperimentFile.read(folder.resolve("none/x.yaml"), Profiles.shipped()))
        .hasMessage("there is no file " + folder.resolve("none/x.yaml"));
  }

  @Test
  void reportsAFolderInPlaceOfTheFile(@TempDir Path folder) {
    assertThatThrownBy(() -> ExperimentFile.read(folder, Profiles.shipped()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(folder + " is a folder; give the experiment's file in it");
  }

  @Test
  void theFilesThatAreShownCanBeRun() throws Exception {
    try (var shown = Files.list(Path.of("../docs/experiments"))) {
      List<Path> files = shown.filter(file -> file.toString().endsWith(".yaml")).toList();

      assertThat(files).isNotEmpty();
      for (Path file : files) {
        assertThat(ExperimentFile.read(file, Profiles.shipped()).profiles()).isNotEmpty();
      }
    }
  }

  private static int line(String problem) {
    return Integer.parseInt(problem.split(":")[1]);
  }

  private static ExperimentPlan parse(String text) {
    return ExperimentFile.parse("x.yaml", text, Profiles.shipped());
  }

  private static List<String> problems(String text) {
    ProfileFileException refused =
        catchThrowableOfType(ProfileFileException.class, () -> parse(text));
    assertThat(refused).as("refused").isNotNull();
    return refused.problems().stream().map(ProfileFileException.Problem::toString).toList();
  }
}
