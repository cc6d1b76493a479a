package org.fedometer.store.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Random;
import java.util.TreeSet;
import java.util.zip.Deflater;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class FileSumsTest {

  @Property(tries = 50)
  void sumsOfPartsAddUp(@ForAll Random random, @ForAll @IntRange(min = 1, max = 300) int samples)
      throws Exception {
    FileSums whole = new FileSums();
    FileSums[] parts = {new FileSums(), new FileSums(), new FileSums()};
    for (int i = 0; i < samples; i++) {
      String thread = "thread-" + random.nextInt(4);
      String stage = "stage \"" + random.nextInt(6);
      long durationNanos = random.nextLong() >>> (1 + random.nextInt(63) % 60);
      long selfNanos = durationNanos / 3;
      boolean failed = random.nextInt(5) == 0;
      long start = random.nextLong();
      for (FileSums sums : new FileSums[] {whole, parts[random.nextInt(3)]}) {
        sums.add(
            sums.thread("source", thread),
            sums.stage(stage),
            start,
            durationNanos / 1000,
            selfNanos / 1000,
            failed);
      }
    }
    FileSums merged = new FileSums();
    for (FileSums part : parts) {
      if (part.toText() != null) {
        merged.addAll(FileSums.parse(part.toText()));
      }
    }

    assertThat(read(FileSums.parse(merged.toText()))).isEqualTo(read(whole));
  }

  /** Returns all its sums, in an order independent of insertion. */
  private static String read(FileSums sums) {
    TreeSet<String> lines = new TreeSet<>();
    lines.add(sums.minStartNanos() + " to " + sums.maxStartNanos());
    sums.forEachSum(
        (source, thread, stage, count, failed, durationNanos, selfNanos) ->
            lines.add(
                String.join(
                    "|",
                    source,
                    thread,
                    stage,
                    count + " " + failed + " " + durationNanos + " " + selfNanos)));
    sums.forEachStage(
        (stage, max, histogram) -> {
          Histogram copy = new Histogram(FileSums.SIGNIFICANT_DIGITS);
          copy.setAutoResize(true);
          copy.add(histogram);
          copy.recordedValues()
              .forEach(
                  bucket ->
                      lines.add(
                          stage
                              + " max "
                              + max
                              + " bucket "
                              + bucket.getValueIteratedTo()
                              + " "
                              + bucket.getCountAtValueIteratedTo()));
        });
    return String.join("\n", lines);
  }

  @Test
  void moreStagesOrThreadsThanCanBeRightAreNotSummedUp() {
    FileSums stages = new FileSums();
    for (int i = 0; i < 129; i++) {
      int stage = stages.stage("stage-" + i);
      if (stage >= 0) {
        stages.add(stages.thread("a", "t"), stage, 1, 1, 1, false);
      }
    }
    FileSums threads = new FileSums();
    for (int i = 0; i < 20_000; i++) {
      int thread = threads.thread("a", "t" + i);
      if (thread >= 0) {
        threads.add(thread, threads.stage("s"), 1, 1, 1, false);
      }
    }

    assertThat(stages.toText()).isNull();
    assertThat(threads.toText()).isNull();
  }

  @Test
  void timesThatCannotBeAddedUpAreNotSummedUp() {
    FileSums negative = new FileSums();
    negative.add(negative.thread("a", "t"), negative.stage("s"), 1, 5, -1, false);
    FileSums huge = new FileSums();
    for (int i = 0; i < 3; i++) {
      huge.add(huge.thread("a", "t"), huge.stage("s"), 1, Long.MAX_VALUE / 2, 1, false);
    }

    assertThat(negative.toText()).isNull();
    assertThat(huge.toText()).isNull();
    assertThat(new FileSums().toText()).as("of nothing").isNull();
  }

  @Test
  void whatIsNoTextOfSumsIsRefused() {
    for (String text :
        new String[] {
          "",
          "[",
          "{\"stages\":[{\"stage\":\"s\",\"histogram\":\"AAAA\"}]}",
          "{\"threads\":[{\"sums\":[[3]]}]}",
          "{\"threads\":[{\"sums\":[[2147483647, 1, 1, 1, 1]]}]}",
          "{\"threads\":[{\"sums\":[[-1, 1, 1, 1, 1]]}]}",
          ofHistogram(Integer.MAX_VALUE, 5),
          ofHistogram(1 << 30, 5),
          ofHistogram(16, 100),
          ofHistogram(-1, 3)
        }) {
      assertThatThrownBy(() -> FileSums.parse(text)).as(text).isInstanceOf(IOException.class);
    }
  }

  /** Sums of one stage, whose histogram claims that so many bytes of counts follow. */
  private static String ofHistogram(int countsBytes, int digits) {
    ByteBuffer inner = ByteBuffer.allocate(40);
    inner.putInt(0x1c849313).putInt(countsBytes).putInt(0).putInt(digits);
    inner.putLong(1).putLong(Long.MAX_VALUE).putDouble(1);
    Deflater deflater = new Deflater();
    deflater.setInput(inner.array());
    deflater.finish();
    byte[] packed = new byte[100];
    int length = deflater.deflate(packed);
    deflater.end();
    ByteBuffer outer = ByteBuffer.allocate(8 + length);
    outer.putInt(0x1c849314).putInt(length).put(packed, 0, length);
    return "{\"stages\":[{\"stage\":\"s\",\"histogram\":\""
        + Base64.getEncoder().encodeToString(outer.array())
        + "\"}]}";
  }
}
