package org.fedometer.experiments.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.experiments.collect.GcLog.Pause;
import org.junit.jupiter.api.Test;

class GcPauseSenderTest {
  private final List<String> calls = new ArrayList<>();
  private final GcPauseSender pauses =
      new GcPauseSender(this::open, until -> calls.add("durable until " + until));
  private Runnable whileOpening = () -> {};
  private boolean away;

  @Test
  void eachPauseIsDurableBeforeItIsOnRecordAndSettledOnce() throws Exception {
    pauses.accept(List.of(at(1), at(2)));
    pauses.awaitDurable();
    pauses.awaitDurable();
    pauses.accept(List.of(at(3)));
    pauses.awaitDurable();

    assertThat(calls)
        .containsExactly(
            "open", "send 2", "await", "durable until 2", "send 1", "await", "durable until 3");
  }

  @Test
  void pausesByAClockThatWasSetBackAreWaitedForAsWell() throws Exception {
    pauses.accept(List.of(at(100)));
    pauses.awaitDurable();
    calls.clear();

    pauses.accept(List.of(at(40)));
    pauses.awaitDurable();

    assertThat(calls).containsExactly("send 1", "await", "durable until 100");
  }

  @Test
  void whatIsNotDurableIsWaitedForAgain() throws Exception {
    pauses.accept(List.of(at(1)));
    away = true;
    assertThatThrownBy(pauses::awaitDurable).isInstanceOf(IOException.class);
    away = false;
    pauses.awaitDurable();

    assertThat(calls).containsExactly("open", "send 1", "await", "await", "durable until 1");
  }

  @Test
  void nothingIsOpenedAfterTheEnd() {
    pauses.close();
    pauses.close();

    assertThatThrownBy(() -> pauses.accept(List.of(at(1)))).hasMessage("the sender is closed");
    assertThat(calls).isEmpty();
  }

  @Test
  void whatIsBeingOpenedAtTheEndIsClosed() {
    whileOpening = pauses::close;

    assertThatThrownBy(() -> pauses.accept(List.of(at(1)))).hasMessage("the sender is closed");
    assertThat(calls).containsExactly("open", "close");
  }

  @Test
  void theSourceIsClosedOnce() throws Exception {
    pauses.accept(List.of(at(1)));
    pauses.close();
    pauses.close();

    assertThat(calls).containsExactly("open", "send 1", "close");
  }

  private GcPauseSender.Source open() {
    calls.add("open");
    whileOpening.run();
    return new GcPauseSender.Source() {
      @Override
      public void send(List<Pause> some) {
        calls.add("send " + some.size());
      }

      @Override
      public void awaitDurable() throws IOException {
        calls.add("await");
        if (away) {
          throw new IOException("the collector is away");
        }
      }

      @Override
      public void close() {
        calls.add("close");
      }
    };
  }

  private static Pause at(long epochNanos) {
    return new Pause("G1", "Pause Young", "", epochNanos, 1, 0, 0);
  }
}
