package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
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

class SampleCodecTest {
  private record Sample(
      int stage, int thread, long trace, long start, long total, long own, boolean failed) {}

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
  void nestedStagesTakeEightBytesASampleAtMost() throws Exception {
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
  void aFullFrameRefusesFurtherSamplesAndStillFitsTheWire() {
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
            Tuple.of(1, Arbitraries.longs()));
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

  private static void add(SampleEncoder encoder, Sample s) {
    encoder.add(s.stage, s.thread, s.trace, s.start, s.total, s.own, s.failed);
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
