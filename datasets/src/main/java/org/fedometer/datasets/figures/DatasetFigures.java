package org.fedometer.datasets.figures;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.zip.Deflater;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.ExpectedTriples;
import org.fedometer.datasets.FoxmlWriter;
import org.fedometer.datasets.RepositoryObject;

/**
 * What a sample of a dataset is like: sizes, counts, triples, and how well content deflates, beside
 * the figures of the study where it gives any. Made on one thread; reads all content of the sample
 * once.
 *
 * @param from number of the first object of the sample; the others follow it
 * @param objects how many
 * @param measures in the order in which to show them
 * @param deflation by datastream, in the order of their first appearance
 */
public record DatasetFigures(
    long from, int objects, List<Measure> measures, List<Deflation> deflation) {

  private static final String FULL_TEXT = "FULLTEXT";
  private static final int LEVEL = 6;

  /** Mean length of full texts below which real ones deflate clearly less. */
  private static final int SHORT_BYTES = 6_000;

  /** What a measure counts. */
  public enum Unit {
    /** Things: streams, triples, fields. */
    COUNT,
    BYTES
  }

  /**
   * One measure of the objects, or of the files of one datastream.
   *
   * @param study what the study says of it, for people; empty where it says nothing
   */
  public record Measure(String name, Unit unit, Distribution distribution, String study) {}

  /**
   * How well one datastream's content deflates at level 6, all files of the sample together.
   *
   * @param study what real content comes to; empty where nothing is known
   */
  public record Deflation(String datastream, long bytes, long deflatedBytes, String study) {

    /** Deflated bytes by bytes. */
    public double ratio() {
      return (double) deflatedBytes / bytes;
    }
  }

  public DatasetFigures {
    measures = List.copyOf(measures);
    deflation = List.copyOf(deflation);
  }

  /**
   * Measures objects {@code from} to {@code from + objects}.
   *
   * @param objects at least one
   * @throws IOException if content cannot be read
   */
  public static DatasetFigures of(Dataset dataset, long from, int objects) throws IOException {
    if (from < 0 || objects < 1 || from > Long.MAX_VALUE - objects) {
      throw new IllegalArgumentException(
          "a sample has at least one object, numbered from 0 on; not %d from %d"
              .formatted(objects, from));
    }
    List<RepositoryObject> sample = new ArrayList<>(objects);
    for (int i = 0; i < objects; i++) {
      sample.add(dataset.object(from + i));
    }
    Map<String, List<ContentStream>> streams = new LinkedHashMap<>();
    for (RepositoryObject object : sample) {
      for (ContentStream content : object.content()) {
        streams.computeIfAbsent(content.id(), id -> new ArrayList<>()).add(content);
      }
    }
    return new DatasetFigures(from, objects, measures(sample, streams), deflation(streams));
  }

  private static List<Measure> measures(
      List<RepositoryObject> sample, Map<String, List<ContentStream>> streams) {
    List<Measure> measures = new ArrayList<>();
    measures.add(count("triples", sample, ExpectedTriples::of, "31 to 69, mean 54"));
    measures.add(count("relationships", sample, object -> object.relationships().size(), ""));
    measures.add(count("dc fields", sample, object -> object.dublinCore().size(), "10"));
    measures.add(
        count(
            "content streams",
            sample,
            object -> object.content().size(),
            "1 to 3; 3 in half of the objects"));
    measures.add(
        bytes(
            "content",
            sample,
            DatasetFigures::contentBytes,
            "about 143 KB (2 TB by 14 M objects)"));
    measures.add(bytes("foxml request", sample, FoxmlWriter::sizeBytes, ""));
    streams.forEach(
        (id, contents) ->
            measures.add(
                bytes("file " + id, contents, ContentStream::sizeBytes, "a few KB to 13 MB")));
    return measures;
  }

  private static long contentBytes(RepositoryObject object) {
    return object.content().stream().mapToLong(ContentStream::sizeBytes).sum();
  }

  private static <T> Measure count(
      String name, List<T> sample, ToLongFunction<T> measure, String study) {
    return new Measure(name, Unit.COUNT, distribution(sample, measure), study);
  }

  private static <T> Measure bytes(
      String name, List<T> sample, ToLongFunction<T> measure, String study) {
    return new Measure(name, Unit.BYTES, distribution(sample, measure), study);
  }

  private static <T> Distribution distribution(List<T> sample, ToLongFunction<T> measure) {
    return new Distribution(sample.stream().mapToLong(measure).toArray());
  }

  private static List<Deflation> deflation(Map<String, List<ContentStream>> streams)
      throws IOException {
    List<Deflation> all = new ArrayList<>();
    Deflater deflater = new Deflater(LEVEL, true);
    try {
      for (Map.Entry<String, List<ContentStream>> entry : streams.entrySet()) {
        long bytes = 0;
        long deflated = 0;
        for (ContentStream content : entry.getValue()) {
          bytes += content.sizeBytes();
          deflated += deflatedBytes(content, deflater);
        }
        String study = entry.getKey().equals(FULL_TEXT) ? real(bytes, entry.getValue().size()) : "";
        if (bytes > 0) {
          all.add(new Deflation(entry.getKey(), bytes, deflated, study));
        }
      }
    } finally {
      deflater.end();
    }
    return all;
  }

  /** What real full texts of about that length deflate to; short ones have little to repeat. */
  private static String real(long bytes, int files) {
    return bytes / files < SHORT_BYTES
        ? "0.34 to 0.40 (real US patents cut to 3 to 4 KB)"
        : "0.20 to 0.25 (real US patents)";
  }

  private static long deflatedBytes(ContentStream content, Deflater deflater) throws IOException {
    byte[] plain = new byte[1 << 16];
    byte[] target = new byte[1 << 16];
    deflater.reset();
    try (InputStream in = content.open()) {
      int length = in.read(plain);
      while (length >= 0) {
        deflater.setInput(plain, 0, length);
        while (!deflater.needsInput()) {
          deflater.deflate(target);
        }
        length = in.read(plain);
      }
    }
    deflater.finish();
    while (!deflater.finished()) {
      deflater.deflate(target);
    }
    return deflater.getBytesWritten();
  }
}
