package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunDocument.Profile;
import org.fedometer.store.RunStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineupTest {

  @TempDir private Path folder;

  private StoredRun run(String name) {
    StoredRun run = new StoredRun(folder, name);
    run.objects = 1;
    return run;
  }

  private Lineup lineup(String... arguments) throws Exception {
    return lineupWithBaseline(null, arguments);
  }

  private Lineup lineupWithBaseline(String baseline, String... arguments) throws Exception {
    return Lineup.of(RunStore.at(folder), List.of(arguments), baseline);
  }

  private static List<String> runsOf(Lineup lineup, String label) {
    return lineup.profiles().stream()
        .filter(profile -> profile.label().equals(label))
        .flatMap(profile -> profile.runs().stream())
        .map(Lineup.Run::name)
        .toList();
  }

  private static List<String> labels(Lineup lineup) {
    return lineup.profiles().stream().map(Lineup.Profile::label).toList();
  }

  @Test
  void groupsRunsOfOneProfile() throws Exception {
    run("a1").of("mpt").write();
    run("b1").of("mulgara").write();
    run("a2").of("mpt").write();

    Lineup lineup = lineup("a1", "b1", "a2");

    assertThat(labels(lineup)).containsExactly("mpt", "mulgara");
    assertThat(runsOf(lineup, "mpt")).containsExactly("a1", "a2");
    assertThat(lineup.baseline().label()).isEqualTo("mpt");
  }

  @Test
  void whereAllRunsAreOfOneProfileEachStandsForItself() throws Exception {
    run("a1").of("mpt").write();
    run("a2").of("mpt").write();

    assertThat(labels(lineup("a1", "a2"))).containsExactly("a1", "a2");
    assertThat(labels(lineup("a1", "a1"))).containsExactly("a1", "a1 (2)");
  }

  @Test
  void aRunCountsOnce() throws Exception {
    run("a1").of("mpt").write();
    run("b1").of("mulgara").write();
    run("e.1.first").in("e", "first", 1, 1).write();
    run("e.1.second").in("e", "second", 1, 1).write();

    for (String[] twice :
        new String[][] {
          {"a1", "a1", "b1"},
          {"a=a1,a1", "b1"},
          {"x=a1", "y=a1,b1"},
          {"e", "e.1.first"},
          {"e", "e"},
          {"a1", folder.resolve("runs/a1").toString(), "b1"}
        }) {
      assertThatThrownBy(() -> lineup(twice))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is named twice");
    }
  }

  @Test
  void anExperimentOfWhichOneProfileIsLeftIsNotComparedWithItself() throws Exception {
    for (int i = 1; i <= 3; i++) {
      run("e." + i + ".first").in("e", "first", i, i).write();
      StoredRun failed = run("e." + i + ".second").in("e", "second", i, i);
      failed.state = "failed";
      failed.write();
    }

    assertThatThrownBy(() -> lineup("e"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no run to compare first with")
        .hasMessageContaining("no finished run of second");
  }

  @Test
  void reportsAProfileWithoutUsableRuns() throws Exception {
    StoredRun.experimentInWhichFails("third", folder);

    Lineup lineup = lineup("e");
    assertThat(labels(lineup)).containsExactly("first", "second");
    assertThat(lineup.missing()).containsExactly("third");
    assertThat(lineup.remarks())
        .contains("The experiment e has no finished run of third: this profile is not compared.");
  }

  @Test
  void requiresABaselineIfTheExperimentLacksIts() throws Exception {
    StoredRun.experimentInWhichFails("first", folder);

    assertThatThrownBy(() -> lineup("e"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the experiment's baseline first has no finished run");
    assertThat(lineupWithBaseline("third", "e").baseline().label()).isEqualTo("third");
  }

  @Test
  void runsWithoutAProfileStandForThemselves() throws Exception {
    StoredRun first = run("old");
    first.profile = null;
    first.write();
    StoredRun second = run("older");
    second.profile = null;
    second.write();
    run("new").of("mpt").write();

    assertThat(labels(lineup("old", "older", "new"))).containsExactly("old", "older", "mpt");
  }

  @Test
  void distinguishesProfilesOfOneNameByTheirChoices() throws Exception {
    StoredRun first = run("g1");
    first.profile = new Profile("mine", Map.of("gc", "g1"), Map.of());
    first.write();
    StoredRun second = run("zgc");
    second.profile = new Profile("mine", Map.of("gc", "zgc"), Map.of());
    second.write();
    StoredRun third = run("set");
    third.profile = new Profile("mine", Map.of("gc", "g1"), Map.of("database.fsync", "off"));
    third.write();

    assertThat(labels(lineup("g1", "zgc", "set")))
        .containsExactly("mine", "mine gc=zgc", "mine (2)");
  }

  @Test
  void groupsRunsByUserLabels() throws Exception {
    run("a1").of("mpt").write();
    run("a2").of("mulgara").write();
    run("b1").of("mpt").write();

    Lineup lineup = lineup("old=a1,a2", "new=b1");

    assertThat(runsOf(lineup, "old")).containsExactly("a1", "a2");
    assertThat(runsOf(lineup, "new")).containsExactly("b1");
  }

  @Test
  void anExperimentBringsItsLabelsItsBaselineAndItsBlocks() throws Exception {
    run("e.1.second").of("mpt").in("e", "second", 1, 1).write();
    run("e.1.first").of("mpt").in("e", "first", 1, 1).write();
    run("e.2.first").of("mpt").in("e", "first", 2, 2).write();
    run("e.2.second").of("mpt").in("e", "second", 2, 2).write();

    Lineup lineup = lineup("e");

    assertThat(lineup.experiment()).isEqualTo("e");
    assertThat(labels(lineup)).containsExactly("first", "second");
    assertThat(lineup.baseline().label()).isEqualTo("first");
    assertThat(runsOf(lineup, "second")).containsExactly("e.1.second", "e.2.second");
    assertThat(lineup.profiles().get(0).runs().get(1).block())
        .isEqualTo(lineup.profiles().get(1).runs().get(1).block());
    assertThat(labels(lineup("e.1.second", "e.1.first", "e.2.first")))
        .as("runs that are named one by one go by their labels, too")
        .containsExactly("second", "first");
  }

  @Test
  void reportsAndSkipsRunsThatAnExperimentSetAside() throws Exception {
    run("e.1.first").in("e", "first", 1, 1).write();
    run("e.1.second").in("e", "second", 1, 1).write();
    StoredRun broken = run("e.2.second").in("e", "second", 2, 2);
    broken.state = "interrupted";
    broken.write();

    Lineup lineup = lineup("e");

    assertThat(runsOf(lineup, "second")).containsExactly("e.1.second");
    assertThat(lineup.remarks())
        .containsExactly(
            "The run e.2.second (interrupted) is left out: it is not complete, or another run takes"
                + " its place.");
  }

  @Test
  void theBaselineIsALabelOrARun() throws Exception {
    run("a1").of("mpt").write();
    run("b1").of("mulgara").write();

    assertThat(lineupWithBaseline("mulgara", "a1", "b1").baseline().label()).isEqualTo("mulgara");
    assertThat(lineupWithBaseline("b1", "a1", "b1").baseline().label()).isEqualTo("mulgara");
    assertThatThrownBy(() -> lineupWithBaseline("c", "a1", "b1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "c is neither a compared profile nor one of its runs; there are: mpt, mulgara");
  }

  @Test
  void anExperimentWithoutACompleteRunIsRejected() throws Exception {
    StoredRun only = run("e.1.first").in("e", "first", 1, 1);
    only.state = "running";
    only.write();
    assertThatThrownBy(() -> lineup("e")).hasMessage("no run of e has ended yet");

    only.state = "failed";
    only.write();
    assertThatThrownBy(() -> lineup("e")).hasMessage("no run of e is complete");
  }

  @Test
  void oneRunHasNothingToBeComparedWith() throws Exception {
    run("a1").of("mpt").write();

    assertThatThrownBy(() -> lineup("a1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("there is no run to compare mpt with");
    assertThatThrownBy(() -> lineup("a1", "a2")).isInstanceOf(NoSuchRunException.class);
  }
}
