package org.fedometer.driver.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.driver.TinyDataset;
import org.junit.jupiter.api.Test;

class PidNumbersTest {

  private final AtomicInteger made = new AtomicInteger();

  /** PIDs as in {@code even:4} and {@code odd:5}. */
  private final TinyDataset endless =
      new TinyDataset() {
        @Override
        public ComposedObject object(long index) {
          made.incrementAndGet();
          return named((index % 2 == 0 ? "even:" : "odd:") + index);
        }
      };

  private static ComposedObject named(String pid) {
    ComposedObject any = new TinyDataset().object(0);
    return new ComposedObject(
        pid, any.label(), any.content(), any.dublinCore(), any.relationships());
  }

  @Test
  void anObjectIsKnownByItsWholePidAndNotByItsNumberAlone() {
    PidNumbers numbers = new PidNumbers(endless, 10_000);

    for (int twice = 0; twice < 2; twice++) {
      assertThat(numbers.indexOf("even:4000")).isEqualTo(4000);
      assertThat(numbers.indexOf("odd:5")).isEqualTo(5);
      assertThat(numbers.indexOf("odd:4000")).isEqualTo(-1);
      assertThat(numbers.indexOf("even:04000")).isEqualTo(-1);
      assertThat(numbers.indexOf("even:")).isEqualTo(-1);
      assertThat(numbers.indexOf("even:4x")).isEqualTo(-1);
      assertThat(numbers.indexOf("even:99999999999999999999")).isEqualTo(-1);
    }
  }

  @Test
  void generatesEachObjectOnce() {
    PidNumbers numbers = new PidNumbers(endless, 10_000);
    int before = made.get();

    for (int i = 0; i < 50; i++) {
      assertThat(numbers.indexOf("even:8")).isEqualTo(8);
    }

    assertThat(made.get() - before).isEqualTo(1);
  }

  @Test
  void pidsThatDoNotEndWithTheNumberAreKept() {
    TinyDataset files =
        new TinyDataset() {
          @Override
          public ComposedObject object(long index) {
            return named("files:" + (char) ('a' + index) + "7");
          }

          @Override
          public long size() {
            return 20;
          }
        };
    PidNumbers numbers = new PidNumbers(files, 20);

    assertThat(numbers.indexOf("files:c7")).isEqualTo(2);
    assertThat(numbers.indexOf("files:z7")).isEqualTo(-1);
  }
}
