package org.fedometer.datasets.workloads;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.content.RandomContent;
import org.fedometer.datasets.random.StableRandom;

/**
 * Objects of 1, 10, 100, ... datastreams, then 1 again. They show the largest number for one object
 * and the effect of the limit, the first question of the FIZ study. Workers share one instance.
 */
public final class ManyDatastreams extends Workload {

  public static final String NAME = "datastreams";

  private static final long STANDARD_MAX = 10_000;
  private static final long LIMIT = 1_000_000;
  private static final long STANDARD_BYTES = 1_000;
  private static final long LIMIT_BYTES = 1_000_000_000;

  private static final Parameter<Long> MAX =
      Parameter.number("max", "datastreams of the largest object", STANDARD_MAX, 1, LIMIT);
  private static final Parameter<Long> BYTES =
      Parameter.number("bytes", "size of each datastream", STANDARD_BYTES, 0, LIMIT_BYTES);
  private static final Parameter<Long> SEED = Parameter.seed();

  public static final DatasetKind KIND =
      new DatasetKind(NAME, "objects of 1, 10, 100, ... datastreams", List.of(MAX, BYTES, SEED));

  private static final int STEP = 10;

  /** FOXML around a datastream's content. */
  private static final int FRAME_BYTES = 300;

  private final int max;
  private final int steps;
  private final long datastreamBytes;
  private final long seed;

  private ManyDatastreams(int max, long datastreamBytes, long seed, DatasetOptions options) {
    super(NAME, options);
    this.max = max;
    this.steps = steps(max);
    this.datastreamBytes = datastreamBytes;
    this.seed = seed;
  }

  public static ManyDatastreams open(String text, DatasetOptions options) {
    Parameters parameters = Parameters.parse(KIND, text);
    return new ManyDatastreams(
        Math.toIntExact(parameters.value(MAX)),
        parameters.value(BYTES),
        parameters.value(SEED),
        options);
  }

  /** Returns the number of steps of ten, plus one if the last is not a power of ten. */
  private static int steps(int max) {
    int steps = 1;
    for (long count = 1; count < max; count *= STEP) {
      steps++;
    }
    return steps;
  }

  @Override
  void addParameters(Map<String, String> parameters) {
    parameters.put("max", Integer.toString(max));
    parameters.put("bytes", Long.toString(datastreamBytes));
    parameters.put("seed", Long.toString(seed));
  }

  @Override
  public ComposedObject object(long index) {
    requireObject(index);
    int count = count((int) (index % steps));
    String pid = options.pid("DATASTREAMS-" + count, index);
    String title = "Object " + index + " of " + count + " datastreams";
    return titled(pid, title, content(index, count), List.of());
  }

  private int count(int step) {
    long count = 1;
    for (int i = 0; i < step; i++) {
      count *= STEP;
    }
    return (int) Math.min(count, max);
  }

  private List<ContentStream> content(long index, int count) {
    List<ContentStream> content = new ArrayList<>(count);
    for (int number = 1; number <= count; number++) {
      content.add(
          new RandomContent(
              "DS" + number,
              "Datastream " + number,
              datastreamBytes,
              StableRandom.of(seed, number, index).nextLong()));
    }
    return content;
  }

  @Override
  public Map<String, String> study() {
    return Map.of("content streams", "how many are possible is its first question");
  }

  @Override
  public long meanObjectBytes() {
    long datastreams = 0;
    for (int step = 0; step < steps; step++) {
      datastreams += count(step);
    }
    return datastreams * (datastreamBytes + FRAME_BYTES) / steps;
  }
}
