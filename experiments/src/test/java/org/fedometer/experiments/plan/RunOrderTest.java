package org.fedometer.experiments.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunOrderTest {

  @ParameterizedTest
  @EnumSource
  void eachProfileRunsOnceInEachRepetition(Order order) {
    List<PlannedRun> runs =
        RunOrder.of(Plans.threeCopies("repetitions: 7", "order: " + order.id(), "seed: 3"));

    assertThat(runs).hasSize(21);
    assertThat(runs)
        .extracting(PlannedRun::place)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 21).boxed().toList());
    for (String label : List.of("a", "b", "c")) {
      assertThat(runs.stream().filter(run -> run.label().equals(label)))
          .extracting(PlannedRun::repetition)
          .containsExactly(1, 2, 3, 4, 5, 6, 7);
    }
  }

  @Test
  void interleavedABlockHasEachProfileOnceAndTheNextHasItBackwards() {
    List<List<String>> blocks = blocks("repetitions: 8", "seed: 5");

    assertThat(blocks)
        .hasSize(8)
        .allSatisfy(block -> assertThat(block).containsOnlyOnce("a", "b", "c").hasSize(3));
    for (int first = 0; first < 8; first += 2) {
      List<String> backwards = new ArrayList<>(blocks.get(first));
      Collections.reverse(backwards);
      assertThat(blocks.get(first + 1)).isEqualTo(backwards);
    }
  }

  @Test
  void inTwoBlocksNoProfileComesEarlierThanAnother() {
    List<PlannedRun> runs = RunOrder.of(Plans.threeCopies("repetitions: 2", "seed: 9"));

    Map<String, Integer> places = new HashMap<>();
    runs.forEach(run -> places.merge(run.label(), run.place(), Integer::sum));
    assertThat(places.values()).containsOnly(7);
  }

  @Test
  void theSeedDecidesAndNothingElse() {
    assertThat(blocks("repetitions: 6", "seed: 5")).isEqualTo(blocks("repetitions: 6", "seed: 5"));
    ExperimentPlan plan = Plans.threeCopies("repetitions: 6");
    Set<List<List<String>>> orders = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      orders.add(blocks(Plans.withSeed(plan, seed)));
    }
    assertThat(orders).hasSizeGreaterThan(15);
  }

  @Test
  void theOrderOfASeedIsThatOfEveryMachineAndVersion() {
    assertThat(blocks("repetitions: 6", "seed: 1").stream().map(block -> String.join("", block)))
        .containsExactly("cba", "abc", "cab", "bac", "bac", "cab");
  }

  @Test
  void everyOrderOfABlockIsAsLikely() {
    ExperimentPlan plan = Plans.threeCopies("repetitions: 1");
    Map<String, Integer> counts = new HashMap<>();
    for (int seed = 0; seed < 600; seed++) {
      String block = String.join("", blocks(Plans.withSeed(plan, seed)).get(0));
      counts.merge(block, 1, Integer::sum);
    }

    assertThat(counts).hasSize(6);
    // 100 are expected; three standard deviations are 27.
    assertThat(counts.values()).allMatch(count -> count > 70 && count < 130);
  }

  @Test
  void moreRepetitionsAddBlocksAndChangeNone() {
    List<List<String>> few = blocks("repetitions: 3", "seed: 5");

    assertThat(blocks("repetitions: 8", "seed: 5").subList(0, 3)).isEqualTo(few);
    assertThat(
            blocks(
                "repetitions: 3",
                "seed: 5",
                "stop: {until: {throughput: 5 %, max-repetitions: 8}}"))
        .hasSize(8)
        .startsWith(few.get(0), few.get(1), few.get(2));
  }

  @Test
  void asWrittenIsTheOrderOfTheFile() {
    assertThat(blocks("repetitions: 2", "order: as-written"))
        .containsExactly(List.of("a", "b", "c"), List.of("a", "b", "c"));
  }

  @Test
  void randomisedRunsHaveNoBlocks() {
    List<PlannedRun> runs = RunOrder.of(Plans.threeCopies("repetitions: 5", "order: randomised"));

    assertThat(runs).extracting(PlannedRun::block).containsOnlyNulls();
    assertThat(runs.subList(0, 12).stream().map(PlannedRun::repetition))
        .as("not one repetition after the other")
        .isNotEqualTo(runs.subList(0, 12).stream().map(PlannedRun::repetition).sorted().toList());
  }

  @Test
  void namesARunByPlaceAndAttempt() {
    PlannedRun run = new PlannedRun(4, 2, 2, "mulgara");

    assertThat(run.name("night", 1)).isEqualTo("night.2.mulgara");
    assertThat(run.name("night", 3)).isEqualTo("night.2.mulgara.3");
  }

  private static List<List<String>> blocks(String... lines) {
    return blocks(Plans.threeCopies(lines));
  }

  private static List<List<String>> blocks(ExperimentPlan plan) {
    Map<Integer, List<String>> blocks = new HashMap<>();
    for (PlannedRun run : RunOrder.of(plan)) {
      blocks.computeIfAbsent(run.block(), block -> new ArrayList<>()).add(run.label());
    }
    return IntStream.rangeClosed(1, blocks.size()).mapToObj(blocks::get).toList();
  }
}
