package org.fedometer.datasets.workloads;

import java.util.List;
import java.util.Map;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.content.RandomContent;
import org.fedometer.datasets.random.StableRandom;

/**
 * One unique file of a fixed size per object, the third form in Wead's comparison of repository
 * back ends. Workers share one instance.
 */
public final class UniqueFiles extends Workload {

  public static final String NAME = "files";

  private static final long STANDARD_BYTES = 1_000_000;
  private static final long MAX_BYTES = 1_000_000_000_000L;

  private static final Parameter<Long> BYTES =
      Parameter.number("bytes", "size of each file", STANDARD_BYTES, 0, MAX_BYTES);
  private static final Parameter<Long> SEED = Parameter.seed();

  public static final DatasetKind KIND =
      new DatasetKind(NAME, "a unique file of a fixed size an object", List.of(BYTES, SEED));

  private final long fileBytes;
  private final long seed;

  private UniqueFiles(long fileBytes, long seed, DatasetOptions options) {
    super(NAME, options);
    this.fileBytes = fileBytes;
    this.seed = seed;
  }

  public static UniqueFiles open(String text, DatasetOptions options) {
    Parameters parameters = Parameters.parse(KIND, text);
    return new UniqueFiles(parameters.value(BYTES), parameters.value(SEED), options);
  }

  @Override
  void addParameters(Map<String, String> parameters) {
    parameters.put("bytes", Long.toString(fileBytes));
    parameters.put("seed", Long.toString(seed));
  }

  @Override
  public ComposedObject object(long index) {
    requireObject(index);
    String pid = options.pid("FILE", index);
    String title = "File " + index;
    long content = StableRandom.of(seed, 1, index).nextLong();
    return titled(
        pid, title, List.of(new RandomContent("FILE", title, fileBytes, content)), List.of());
  }

  @Override
  public Map<String, String> study() {
    return Map.of("content", "1 MB", "content streams", "1");
  }

  @Override
  public long meanObjectBytes() {
    return fileBytes;
  }
}
