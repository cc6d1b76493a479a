package org.fedometer.datasets.workloads;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.Parameters;
import org.fedometer.datasets.content.RandomContent;
import org.fedometer.datasets.random.StableRandom;

/**
 * One unique file of a fixed size an object: the third shape of Wead's comparison of repository
 * back ends. Workers share one instance.
 */
public final class UniqueFiles implements Dataset {

  public static final String NAME = "files";

  private static final long STANDARD_BYTES = 1_000_000;
  private static final long MOST_BYTES = 1_000_000_000_000L;

  private static final Parameter<Long> BYTES =
      Parameter.number("bytes", "size of each file", STANDARD_BYTES, 0, MOST_BYTES);
  private static final Parameter<Long> SEED = Parameter.seed();

  public static final DatasetKind KIND =
      new DatasetKind(NAME, "a unique file of a fixed size an object", List.of(BYTES, SEED));

  private final long fileBytes;
  private final long seed;
  private final DatasetOptions options;

  private UniqueFiles(long fileBytes, long seed, DatasetOptions options) {
    this.fileBytes = fileBytes;
    this.seed = seed;
    this.options = options;
  }

  public static UniqueFiles open(String text, DatasetOptions options) {
    Parameters parameters = Parameters.parse(KIND, text);
    return new UniqueFiles(parameters.value(BYTES), parameters.value(SEED), options);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("bytes", Long.toString(fileBytes));
    parameters.put("seed", Long.toString(seed));
    options.addTo(parameters);
    return parameters;
  }

  @Override
  public ComposedObject object(long index) {
    requireObject(index);
    String pid = options.pid("FILE", index);
    String title = "File " + index;
    return new ComposedObject(
        pid,
        title,
        List.of(
            new RandomContent(
                "FILE", title, fileBytes, StableRandom.of(seed, 1, index).nextLong())),
        List.of(new DublinCoreValue("title", title), new DublinCoreValue("identifier", pid)),
        List.of());
  }

  @Override
  public Map<String, String> study() {
    return Map.of("content", "1 MB", "content streams", "1");
  }

  @Override
  public long meanObjectBytes() {
    return fileBytes;
  }

  @Override
  public int longestLiteralBytes() {
    return Literals.LONGEST_BYTES;
  }
}
