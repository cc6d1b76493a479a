package org.fedometer.driver.mix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.mix.MixOrder.MixStep;

/** The steps of any mix. */
class MixOrderTest {

  @Property
  void everyBlockHasExactlyTheWeights(
      @ForAll("mixes") Mix mix, @ForAll long seed, @ForAll @IntRange(max = 1_000) int block) {
    MixOrder order = new MixOrder(options(mix, seed, 0, 1_000_000), 0);
    Map<Operation, Integer> found = new EnumMap<>(Operation.class);
    for (int i = 0; i < mix.blockLength(); i++) {
      long number = (long) block * mix.blockLength() + i;
      found.merge(order.step(number).operation(), 1, Integer::sum);
    }

    assertThat(found).isEqualTo(mix.weights());
  }

  @Property(tries = 200)
  void stepsDoNotDependOnTheOrderOfCalls(
      @ForAll("mixes") Mix mix, @ForAll long seed, @ForAll @IntRange(max = 5) int leading) {
    MixOptions options = options(mix, seed, leading, 300);
    List<MixStep> forth = new ArrayList<>();
    MixOrder order = new MixOrder(options, leading);
    for (int number = 0; number < 300; number++) {
      forth.add(order.step(number));
    }
    for (int number = 299; number >= 0; number -= 7) {
      assertThat(order.step(number)).isEqualTo(forth.get(number));
      assertThat(new MixOrder(options, leading).step(number)).isEqualTo(forth.get(number));
    }
  }

  @Property(tries = 300)
  void everyStepIsAboutAnObjectThatIsThere(
      @ForAll("mixes") Mix mix, @ForAll long seed, @ForAll @IntRange(max = 5) int leading) {
    MixOptions options = options(mix, seed, leading, 500);
    MixOrder order = new MixOrder(options, leading);
    long end = options.preload();
    long oldest = leading;
    for (long number = 0; number < 500; number++) {
      assertThat(order.ingestsBefore(number)).isEqualTo(end - options.preload());
      assertThat(order.purgesBefore(number)).isEqualTo(oldest - leading);
      MixStep step = order.step(number);
      switch (step.operation()) {
        case INGEST -> assertThat(step.target()).isEqualTo(end++);
        case PURGE -> {
          assertThat(step.target()).isEqualTo(oldest++);
          assertThat(oldest).isLessThanOrEqualTo(end);
        }
        default -> {
          if (Mix.isOfAnObject(step.operation())) {
            assertThat(step.target()).isBetween(oldest, end - 1);
          } else {
            assertThat(step.target()).isEqualTo(-1);
          }
        }
      }
    }
  }

  @Property(tries = 50)
  void whatCameBeforeAStepFarAwayIsKnownWithoutGoingThere(
      @ForAll("mixes") Mix mix, @ForAll @LongRange(min = 1, max = 1L << 40) long block) {
    long number = block * mix.blockLength();
    MixOrder order = new MixOrder(options(mix, 1, 0, 1), 0);

    assertThat(order.ingestsBefore(number)).isEqualTo(block * mix.weight(Operation.INGEST));
    assertThat(order.purgesBefore(number)).isEqualTo(block * mix.weight(Operation.PURGE));
  }

  /** A change here makes other loads of the same name: runs could not be compared any more. */
  @Example
  void theOrderIsPinned() {
    Mix mix = Mix.parse("ingest=3,get-object=2,purge=1");
    MixOrder order = new MixOrder(new MixOptions(mix, 7, 10, 0), 0);
    List<String> steps = new ArrayList<>();
    for (int number = 0; number < 12; number++) {
      MixStep step = order.step(number);
      steps.add(step.operation().wireName() + " " + step.target());
    }

    assertThat(steps)
        .containsExactly(
            "ingest 10",
            "get-object 2",
            "get-object 1",
            "ingest 11",
            "purge 0",
            "ingest 12",
            "ingest 13",
            "ingest 14",
            "get-object 3",
            "ingest 15",
            "get-object 9",
            "purge 1");
  }

  @Example
  void otherSeedsGiveOtherOrders() {
    Mix mix = Mix.parse("ingest=50,get-object=50");
    List<Operation> one = new ArrayList<>();
    List<Operation> two = new ArrayList<>();
    for (int number = 0; number < 100; number++) {
      one.add(new MixOrder(new MixOptions(mix, 1, 10, 0), 0).step(number).operation());
      two.add(new MixOrder(new MixOptions(mix, 2, 10, 0), 0).step(number).operation());
    }

    assertThat(one).isNotEqualTo(two);
  }

  @Example
  void aMixIsReadAsItIsWritten() {
    Mix mix = Mix.parse("get-object=10, ingest=70");

    assertThat(mix).hasToString("ingest=70,get-object=10").isEqualTo(Mix.parse(mix.toString()));
    assertThat(mix.blockLength()).isEqualTo(80);
  }

  @Example
  void whatIsNoMixIsRefusedInWords() {
    assertThatThrownBy(() -> Mix.parse("ingest"))
        .hasMessage("'ingest' is not a part of a mix; write OPERATION=WEIGHT, ...");
    assertThatThrownBy(() -> Mix.parse("ingest=1,read=2"))
        .hasMessageStartingWith("there is no operation 'read'; operations are ingest, add-datas");
    assertThatThrownBy(() -> Mix.parse("flush-triples=2"))
        .hasMessageStartingWith("there is no operation 'flush-triples'");
    assertThatThrownBy(() -> Mix.parse("ingest=1,ingest=2")).hasMessage("ingest is given twice");
    assertThatThrownBy(() -> Mix.parse("ingest=0")).hasMessage("ingest=0: a weight is 1 or more");
    assertThatThrownBy(() -> Mix.parse("ingest=x"))
        .hasMessage("ingest=x: a weight is a whole number");
    assertThatThrownBy(() -> Mix.parse("ingest=10001"))
        .hasMessage("the weights of a mix must add up to 1 to 10,000, not 10,001");
  }

  @Example
  void aMixThatWouldRunOutOfObjectsIsRefused() {
    Mix mix = Mix.parse("purge=1,get-object=1");

    assertThatThrownBy(() -> MixOptions.of(mix, 1, 50L, 0, 3, 200))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "--preload 50 is not enough for this mix: its steps need 104 objects");
    assertThat(MixOptions.of(mix, 1, null, 0, 3, 200).preload()).isEqualTo(104);
    assertThat(MixOptions.of(Mix.parse("ingest=1"), 1, null, 10, 3, 200).preload()).isZero();
    assertThat(MixOptions.of(Mix.parse("get-dc=1"), 1, null, 0, 0, 200).preload()).isEqualTo(100);
  }

  private static MixOptions options(Mix mix, long seed, int leading, long steps) {
    return MixOptions.of(mix, seed, MixOptions.minPreload(mix, leading, steps), 0, leading, steps);
  }

  @Provide
  Arbitrary<Mix> mixes() {
    return Arbitraries.maps(
            Arbitraries.of(Operation.values())
                .filter(
                    o ->
                        o != Operation.UPLOAD
                            && o != Operation.ADD_RELATIONSHIP
                            && o != Operation.FLUSH_TRIPLES),
            Arbitraries.integers().between(1, 12))
        .ofMinSize(1)
        .map(Mix::new);
  }
}
