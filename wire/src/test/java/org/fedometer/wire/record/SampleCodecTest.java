package org.fedometer.wire.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;

class SampleCodecTest {
  private static final long MAX = Long.MAX_VALUE;

  private record Sample(
      int stage,
      int thread,
      long trace,
      long start,
      long durationNanos,
      long selfNanos,
      boolean failed) {}

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void anySamplesComeBackInOrder(@ForAll("samples") List<Sample> samples) throws Exception {
    SampleEncoder encoder = new SampleEncoder();
    samples.forEach(sample -> add(encoder, sample));
    assertThat(encoder.count()).isEqualTo(samples.size());
    int bound = encoder.sizeBytes();

    byte[] payload = encoder.finish();

    assertThat(decode(payload)).isEqualTo(samples);
    assertThat(payload.length).isLessThanOrEqualTo(bound);
    assertThat(encoder.count()).isZero();
  }

  @Property(tries = 300)
  void decodesNestedCallsWithoutFlagsAtAnyTime(@ForAll Random random, @ForAll long clockNanos)
      throws Exception {
    List<Sample> samples = new ArrayList<>();
    call(random, clockNanos, 0, samples);
    SampleEncoder encoder = new SampleEncoder();
    add(encoder, new Sample(0, 1, 1, clockNanos, 0, 0, false));
    int before = encoder.sizeBytes();
    samples.forEach(sample -> add(encoder, sample));

    // A head, and two times of 42 bits at most.
    assertThat(encoder.sizeBytes() - before).isLessThanOrEqualTo(13 * samples.size());
    assertThat(decode(encoder.finish()).subList(1, samples.size() + 1)).isEqualTo(samples);
  }

  @Property(tries = 300)
  void nestedCallsInAnyOtherOrderComeBackToo(@ForAll Random random, @ForAll long clockNanos)
      throws Exception {
    List<Sample> samples = new ArrayList<>();
    call(random, clockNanos, 0, samples);
    Collections.shuffle(samples, random);
    SampleEncoder encoder = new SampleEncoder();
    samples.forEach(sample -> add(encoder, sample));

    assertThat(decode(encoder.finish())).isEqualTo(samples);
  }

  @Example
  void timesAtTheEndsOfTheirRangeComeBackInEveryOrder() throws Exception {
    long[] times = {
      Long.MIN_VALUE, Long.MIN_VALUE + 1, -1L << 62, -1, 0, 1, 1L << 62, MAX - 1, MAX
    };
    List<Sample> samples = new ArrayList<>();
    for (long start : times) {
      for (long total : times) {
        samples.add(new Sample(0, 1, 1, start, total, total, false));
      }
    }
    for (Sample first : samples) {
      for (Sample second : samples) {
        SampleEncoder encoder = new SampleEncoder();
        add(encoder, first);
        add(encoder, second);

        assertThat(decode(encoder.finish())).containsExactly(first, second);
      }
    }
  }

  @Example
  void anEncoderIsAsNewAfterFinish() throws Exception {
    Sample sample = new Sample(3, 9, 77, 1_000_000, 500, 400, true);
    SampleEncoder encoder = new SampleEncoder();
    add(encoder, sample);
    byte[] first = encoder.finish();
    add(encoder, sample);

    assertThat(encoder.finish()).isEqualTo(first);
    assertThat(decode(first)).containsExactly(sample);
  }

  @Example
  void nestedStagesNeedAtMostEightBytesPerSample() throws Exception {
    SampleEncoder encoder = new SampleEncoder();
    List<Sample> expected = new ArrayList<>();
    Random random = new Random(7);
    long now = 1_234_567_890_123L;
    for (long trace = 1; trace <= 200; trace++) {
      long rootStart = now;
      long childTotals = 0;
      for (int stage = 1; stage < 20; stage++) {
        now += 2_000 + random.nextInt(8_000);
        long start = now;
        long total = 20_000 + random.nextInt(700_000);
        now += total;
        childTotals += total;
        expected.add(new Sample(stage, 5, trace, start, total, total, false));
      }
      now += 30_000;
      long rootTotal = now - rootStart;
      expected.add(new Sample(0, 5, trace, rootStart, rootTotal, rootTotal - childTotals, false));
      now += 100_000;
    }
    expected.forEach(sample -> add(encoder, sample));

    byte[] payload = encoder.finish();

    assertThat(decode(payload)).isEqualTo(expected);
    assertThat((double) payload.length / expected.size()).isLessThan(8);
  }

  @Example
  void fullFrameRejectsFurtherSamplesAndFitsTheWire() {
    SampleEncoder encoder = new SampleEncoder();
    Random random = new Random(1);
    while (!encoder.isFull()) {
      encoder.add(
          random.nextInt(1 << 30),
          random.nextInt(Integer.MAX_VALUE),
          random.nextLong(),
          random.nextLong(),
          random.nextLong(),
          random.nextLong(),
          true);
    }

    assertThatThrownBy(() -> encoder.add(0, 0, 0, 0, 0, 0, false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("finish()");
    assertThat(encoder.finish()).hasSizeLessThanOrEqualTo(Frame.MAX_PAYLOAD_BYTES);
  }

  @Property(tries = 300)
  void truncationIsNoticed(@ForAll("samples") List<Sample> samples, @ForAll Random random) {
    SampleEncoder encoder = new SampleEncoder();
    samples.forEach(sample -> add(encoder, sample));
    byte[] payload = encoder.finish();
    byte[] cut = Arrays.copyOf(payload, random.nextInt(payload.length));

    assertThatThrownBy(() -> decode(cut)).isInstanceOf(MalformedFrameException.class);
  }

  @Property(tries = 300)
  void arbitraryBytesNeverDoWorseThanAMalformedFrame(@ForAll byte[] payload) {
    try {
      List<Sample> samples = decode(payload);
      assertThat(samples.size()).isLessThanOrEqualTo(payload.length / 3);
    } catch (MalformedFrameException expected) {
      assertThat(expected).hasMessageMatching("(?s).+");
    }
  }

  @Provide
  Arbitrary<List<Sample>> samples() {
    Arbitrary<Long> nanos =
        Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.longs().between(0, 5_000_000)),
            Tuple.of(1, Arbitraries.longs()),
            Tuple.of(1, Arbitraries.of(Long.MIN_VALUE, -1L << 62, -1L, 0L, 1L << 62, MAX)));
    return Combinators.combine(
            Arbitraries.integers().between(0, (1 << 30) - 1),
            Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.integers().between(0, 2)),
                Tuple.of(1, Arbitraries.integers().between(0, Integer.MAX_VALUE))),
            Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.longs().between(0, 2)), Tuple.of(1, Arbitraries.longs())),
            nanos,
            nanos,
            nanos,
            Arbitraries.of(true, false))
        .as(Sample::new)
        .list()
        .ofMaxSize(200);
  }

  /** Adds the samples of a call and its callees; returns its end. */
  private static long call(Random random, long startNanos, int depth, List<Sample> samples) {
    long now = startNanos + random.nextInt(100_000);
    long inside = 0;
    for (int calls = depth == 5 ? 0 : random.nextInt(5 - depth); calls > 0; calls--) {
      long begin = now + random.nextInt(10);
      now = call(random, begin, depth + 1, samples);
      inside += now - begin;
      now += random.nextInt(10);
    }
    long total = now - startNanos;
    samples.add(new Sample(depth, 1, 1, startNanos, total, total - inside, false));
    return now;
  }

  private static void add(SampleEncoder encoder, Sample s) {
    encoder.add(s.stage, s.thread, s.trace, s.start, s.durationNanos, s.selfNanos, s.failed);
  }

  private static List<Sample> decode(byte[] payload) throws MalformedFrameException {
    List<Sample> samples = new ArrayList<>();
    SampleDecoder.decode(
        payload,
        (stage, thread, trace, start, total, own, failed) ->
            samples.add(new Sample(stage, thread, trace, start, total, own, failed)));
    return samples;
  }
}
