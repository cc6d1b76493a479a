package org.fedometer.store.rollup;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.IntCountsHistogram;
import org.fedometer.wire.FailureText;

/**
 * Sums of all samples of a sealed file, by thread and stage, stored in the file's metadata, so that
 * a run's sums need no reading of samples. Not thread-safe.
 *
 * <p>A file may lack them and must then be read: if a hostile or broken source has thousands of
 * threads and stages, or times that cannot be summed up.
 */
public final class FileSums {
  /** Key of the text in a file's metadata. */
  public static final String METADATA_KEY = "fedometer_sums";

  /** Precision of durations: one in a thousand. */
  public static final int SIGNIFICANT_DIGITS = 3;

  private static final int MAX_STAGES = 128;
  private static final int MAX_SUMS = 16_384;
  private static final int MAX_TEXT_CHARACTERS = 2 << 20;

  /** Eight seconds; grows if a stage needs longer. */
  private static final long EXPECTED_MAX_NANOS = 1L << 33;

  private static final JsonMapper JSON = new JsonMapper();

  private final Map<String, Integer> stageNumbers = new HashMap<>();
  private final List<StageDistribution> stages = new ArrayList<>();
  private final Map<ThreadName, Integer> threadNumbers = new HashMap<>();
  private final List<ThreadName> threads = new ArrayList<>();

  /** By thread, then by stage; null if a thread has no samples of a stage. */
  private final List<Sums[]> sums = new ArrayList<>();

  private int sumCount;
  private boolean fits = true;
  private long minStartNanos = Long.MAX_VALUE;
  private long maxStartNanos = Long.MIN_VALUE;

  private record ThreadName(String source, String thread) {}

  private static final class StageDistribution {
    private final String stage;
    private final IntCountsHistogram histogram;
    private long maxNanos;

    StageDistribution(String stage) {
      this.stage = stage;
      this.histogram = new IntCountsHistogram(EXPECTED_MAX_NANOS, SIGNIFICANT_DIGITS);
      histogram.setAutoResize(true);
    }
  }

  private static final class Sums {
    private long count;
    private long failed;
    private long durationNanos;
    private long selfNanos;

    void add(long moreCount, long moreFailed, long moreDurationNanos, long moreSelfNanos) {
      count += moreCount;
      failed += moreFailed;
      durationNanos += moreDurationNanos;
      selfNanos += moreSelfNanos;
    }

    boolean isBroken() {
      return (count | failed | durationNanos | selfNanos) < 0;
    }
  }

  /** Returns this object's number of a stage; below 0 if there are too many. */
  public int stage(String name) {
    Integer known = stageNumbers.get(name);
    if (known != null) {
      return known;
    }
    if (stages.size() == MAX_STAGES) {
      fits = false;
      return -1;
    }
    stages.add(new StageDistribution(name));
    stageNumbers.put(name, stages.size() - 1);
    return stages.size() - 1;
  }

  /** Returns the number of a source's thread, as {@link #stage} does. */
  public int thread(String source, String thread) {
    ThreadName name = new ThreadName(source, thread);
    Integer known = threadNumbers.get(name);
    if (known != null) {
      return known;
    }
    if (threads.size() == MAX_SUMS) {
      fits = false;
      return -1;
    }
    threads.add(name);
    sums.add(new Sums[0]);
    threadNumbers.put(name, threads.size() - 1);
    return threads.size() - 1;
  }

  /**
   * @param thread number from {@link #thread}
   * @param stage number from {@link #stage}
   */
  public void add(
      int thread, int stage, long startNanos, long durationNanos, long selfNanos, boolean failed) {
    if (!fits || (durationNanos | selfNanos) < 0) {
      fits = false;
      return;
    }
    Sums of = sumsOf(thread, stage);
    if (of == null) {
      return;
    }
    of.add(1, failed ? 1 : 0, durationNanos, selfNanos);
    StageDistribution spread = stages.get(stage);
    spread.histogram.recordValue(Rollups.recordable(durationNanos));
    spread.maxNanos = Math.max(spread.maxNanos, durationNanos);
    minStartNanos = Math.min(minStartNanos, startNanos);
    maxStartNanos = Math.max(maxStartNanos, startNanos);
    fits = !of.isBroken();
  }

  private Sums sumsOf(int thread, int stage) {
    Sums[] ofThread = sums.get(thread);
    if (stage >= ofThread.length) {
      ofThread = Arrays.copyOf(ofThread, stages.size());
      sums.set(thread, ofThread);
    }
    Sums of = ofThread[stage];
    if (of == null) {
      if (sumCount == MAX_SUMS) {
        fits = false;
        return null;
      }
      sumCount++;
      of = new Sums();
      ofThread[stage] = of;
    }
    return of;
  }

  /** Adds those of another file, which was merged into this one. */
  public void addAll(FileSums other) {
    fits &= other.fits;
    int[] numbers = new int[other.stages.size()];
    for (int i = 0; i < numbers.length && fits; i++) {
      StageDistribution more = other.stages.get(i);
      numbers[i] = stage(more.stage);
      if (fits) {
        StageDistribution spread = stages.get(numbers[i]);
        spread.histogram.add(more.histogram);
        spread.maxNanos = Math.max(spread.maxNanos, more.maxNanos);
      }
    }
    for (int i = 0; i < other.threads.size() && fits; i++) {
      int thread = thread(other.threads.get(i).source(), other.threads.get(i).thread());
      Sums[] ofThread = other.sums.get(i);
      for (int stage = 0; stage < ofThread.length && fits; stage++) {
        Sums more = ofThread[stage];
        Sums of = more == null ? null : sumsOf(thread, numbers[stage]);
        if (of != null) {
          of.add(more.count, more.failed, more.durationNanos, more.selfNanos);
          fits = !of.isBroken();
        }
      }
    }
    minStartNanos = Math.min(minStartNanos, other.minStartNanos);
    maxStartNanos = Math.max(maxStartNanos, other.maxStartNanos);
  }

  /** Returns the first sample's start, nanoTime. */
  public long minStartNanos() {
    return minStartNanos;
  }

  /** Returns the last sample's start, nanoTime. */
  public long maxStartNanos() {
    return maxStartNanos;
  }

  public void forEachSum(SumVisitor visitor) {
    for (int thread = 0; thread < threads.size(); thread++) {
      Sums[] ofThread = sums.get(thread);
      for (int stage = 0; stage < ofThread.length; stage++) {
        Sums of = ofThread[stage];
        if (of != null) {
          visitor.sum(
              threads.get(thread).source(),
              threads.get(thread).thread(),
              stages.get(stage).stage,
              of.count,
              of.failed,
              of.durationNanos,
              of.selfNanos);
        }
      }
    }
  }

  /** Accepts the sums of one thread and stage. */
  @FunctionalInterface
  public interface SumVisitor {
    void sum(
        String source,
        String thread,
        String stage,
        long count,
        long failed,
        long durationNanos,
        long selfNanos);
  }

  /** Passes each stage's distribution of durations to the visitor. */
  public void forEachStage(StageVisitor visitor) {
    stages.forEach(spread -> visitor.stage(spread.stage, spread.maxNanos, spread.histogram));
  }

  /** Accepts one stage, over all threads. */
  @FunctionalInterface
  public interface StageVisitor {
    /**
     * @param histogram read-only
     */
    void stage(String stage, long maxNanos, AbstractHistogram histogram);
  }

  /** Returns the text for the file's metadata; null if it is empty or too large. */
  public String toText() {
    if (!fits || sumCount == 0) {
      return null;
    }
    ObjectNode all = JSON.createObjectNode();
    all.put("min_start_nanos", minStartNanos).put("max_start_nanos", maxStartNanos);
    ArrayNode stageList = all.putArray("stages");
    for (StageDistribution spread : stages) {
      ByteBuffer buffer = ByteBuffer.allocate(spread.histogram.getNeededByteBufferCapacity() + 64);
      int length = spread.histogram.encodeIntoCompressedByteBuffer(buffer);
      stageList
          .addObject()
          .put("stage", spread.stage)
          .put("max_nanos", spread.maxNanos)
          .put(
              "histogram",
              Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)));
    }
    ArrayNode threadList = all.putArray("threads");
    for (int thread = 0; thread < threads.size(); thread++) {
      ThreadName name = threads.get(thread);
      ArrayNode list =
          threadList
              .addObject()
              .put("source", name.source())
              .put("thread", name.thread())
              .putArray("sums");
      Sums[] ofThread = sums.get(thread);
      for (int stage = 0; stage < ofThread.length; stage++) {
        Sums of = ofThread[stage];
        if (of != null) {
          list.addArray()
              .add(stage)
              .add(of.count)
              .add(of.failed)
              .add(of.durationNanos)
              .add(of.selfNanos);
        }
      }
    }
    String text = all.toString();
    return text.length() > MAX_TEXT_CHARACTERS ? null : text;
  }

  /**
   * Parses the output of {@link #toText}.
   *
   * @throws IOException if the format is wrong
   */
  public static FileSums parse(String text) throws IOException {
    try {
      FileSums result = new FileSums();
      JsonNode all = JSON.readTree(text);
      if (!all.isObject()) {
        throw new IOException("The sums of a file of samples are not a JSON object");
      }
      for (JsonNode stage : all.path("stages")) {
        StageDistribution spread = result.stages.get(result.stage(stage.path("stage").asText()));
        spread.maxNanos = stage.path("max_nanos").asLong();
        spread.histogram.add(
            IntCountsHistogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(stage.path("histogram").binaryValue()), 0));
      }
      for (JsonNode thread : all.path("threads")) {
        int number = result.thread(thread.path("source").asText(), thread.path("thread").asText());
        for (JsonNode sum : thread.path("sums")) {
          result
              .sumsOf(number, sum.path(0).intValue())
              .add(
                  sum.path(1).longValue(),
                  sum.path(2).longValue(),
                  sum.path(3).longValue(),
                  sum.path(4).longValue());
        }
      }
      result.minStartNanos = all.path("min_start_nanos").longValue();
      result.maxStartNanos = all.path("max_start_nanos").longValue();
      return result;
    } catch (JacksonException | DataFormatException | RuntimeException e) {
      if (e.getCause() instanceof Error error) {
        // HdrHistogram wraps lack of memory as an illegal argument.
        throw error;
      }
      throw new IOException(
          "The sums of a file of samples cannot be read: " + FailureText.of(e), e);
    }
  }
}
