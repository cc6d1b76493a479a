package org.fedometer.datasets.workloads;

import java.util.List;
import java.util.Map;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.content.RandomContent;
import org.fedometer.datasets.random.StableRandom;

/**
 * A container with a title and a source, and one binary of 100 bytes to 20 MB, as created by each
 * simulated user of DRAS-TIC's test bed. Sizes are evenly distributed on a logarithmic scale, since
 * the study gives only the limits. Workers share one instance.
 */
public final class ContainerBinary extends Workload {

  public static final String NAME = "container-binary";

  private static final long MIN_BYTES = 100;
  private static final long MAX_BYTES = 20_000_000;
  private static final long LIMIT_BYTES = 1_000_000_000_000L;

  private static final Parameter<Long> MAX =
      Parameter.number("max", "bytes of the largest binary", MAX_BYTES, 1, LIMIT_BYTES);
  private static final Parameter<Long> MIN = minParameter(LIMIT_BYTES);
  private static final Parameter<Long> SEED = Parameter.seed();

  public static final DatasetKind KIND =
      new DatasetKind(
          NAME, "a container with title and source, and one binary", List.of(MAX, MIN, SEED));

  private static final int OBJECT_STREAM = 1;

  private final long minBytes;
  private final long maxBytes;
  private final long seed;

  private ContainerBinary(long minBytes, long maxBytes, long seed, DatasetOptions options) {
    super(NAME, options);
    this.minBytes = minBytes;
    this.maxBytes = maxBytes;
    this.seed = seed;
  }

  public static ContainerBinary open(String text, DatasetOptions options) {
    Parameters parameters = Parameters.parse(KIND, text);
    long max = parameters.value(MAX);
    long min = parameters.value(minParameter(max));
    return new ContainerBinary(min, max, parameters.value(SEED), options);
  }

  /** Returns the parameter for the smallest binary, if the largest has at most so many bytes. */
  private static Parameter<Long> minParameter(long max) {
    return Parameter.number(
        "min", "bytes of the smallest binary", Math.min(MIN_BYTES, max), 1, max);
  }

  @Override
  void addParameters(Map<String, String> parameters) {
    parameters.put("min", Long.toString(minBytes));
    parameters.put("max", Long.toString(maxBytes));
    parameters.put("seed", Long.toString(seed));
  }

  @Override
  public ComposedObject object(long index) {
    requireObject(index);
    StableRandom random = StableRandom.of(seed, OBJECT_STREAM, index);
    double bytes = minBytes * StrictMath.pow((double) maxBytes / minBytes, random.nextOpen());
    long sizeBytes = Math.max(minBytes, Math.min(maxBytes, Math.round(bytes)));
    String title = "Container " + index;
    return new ComposedObject(
        options.pid("CONTAINER", index),
        title,
        List.of(new RandomContent("BINARY", "Binary " + index, sizeBytes, random.nextLong())),
        List.of(
            new DublinCoreValue("title", title),
            new DublinCoreValue("source", "urn:example:source:" + index)),
        List.of());
  }

  @Override
  public Map<String, String> study() {
    return Map.of("content", "100 B to 20 MB", "content streams", "1");
  }

  /** Returns the mean of sizes that are even on a logarithmic scale. */
  @Override
  public long meanObjectBytes() {
    return minBytes == maxBytes
        ? minBytes
        : Math.round((maxBytes - minBytes) / StrictMath.log((double) maxBytes / minBytes));
  }
}
