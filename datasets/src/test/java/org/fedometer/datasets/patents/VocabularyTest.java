package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.fedometer.datasets.random.StableRandom;
import org.junit.jupiter.api.Test;

class VocabularyTest {

  /** 2 * n^0.6: 32 after a hundred, 126 after a thousand, 502 after ten thousand. */
  @Test
  void distinctNamesFollowHeapsLaw() {
    List<Integer> mentions = mentions(10_000);

    assertThat(new HashSet<>(mentions.subList(0, 100))).hasSizeBetween(20, 45);
    assertThat(new HashSet<>(mentions.subList(0, 1_000))).hasSizeBetween(100, 155);
    assertThat(new HashSet<>(mentions)).hasSizeBetween(440, 570);
  }

  @Test
  void aFewNamesMakeUpMostOfTheText() {
    List<Integer> mentions = mentions(10_000);

    long oftenest =
        mentions.stream().collect(Collectors.groupingBy(name -> name)).values().stream()
            .mapToLong(List::size)
            .boxed()
            .sorted(Comparator.reverseOrder())
            .limit(50)
            .mapToLong(Long::longValue)
            .sum();
    assertThat(oftenest).isGreaterThan(5_000);
  }

  private static List<Integer> mentions(int count) {
    AtomicInteger names = new AtomicInteger();
    Vocabulary<Integer> vocabulary = new Vocabulary<>(2, 0.6, names::incrementAndGet);
    StableRandom random = StableRandom.of(1, 0, 0);
    List<Integer> mentions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      mentions.add(vocabulary.next(random));
    }
    return mentions;
  }
}
