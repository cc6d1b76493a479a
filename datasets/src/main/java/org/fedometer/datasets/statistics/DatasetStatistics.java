package org.fedometer.datasets.statistics;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.zip.Deflater;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.FoxmlWriter;
import org.fedometer.datasets.RepositoryObject;

/**
 * Statistics of a dataset's sample: sizes, counts, triples, and compression of content, next to
 * available figures of the study. Created on one thread; reads all content of the sample once, with
 * one object in memory at a time.
 *
 * @param from the number of the first object of the sample; the others follow it
 * @param measures the measures in display order
 * @param deflation the compression by datastream, in the order of first appearance
 */
public record DatasetStatistics(
    long from, int objects, List<Measure> measures, List<Deflation> deflation) {

  private static final int LEVEL = 6;

  public enum Unit {
    /** Things: streams, triples, fields. */
    COUNT,
    BYTES
  }

  /**
   * One measure of the objects, or of the files of one datastream.
   *
   * @param study the study's value as text for users; empty if there is none
   */
  public record Measure(String name, Unit unit, Distribution distribution, String study) {}

  /**
   * Compression of one datastream's content at level 6, all files of the sample together.
   *
   * @param study the value for real content; empty if unknown
   */
  public record Deflation(String datastream, long bytes, long deflatedBytes, String study) {

    public double ratio() {
      return (double) deflatedBytes / bytes;
    }
  }

  public DatasetStatistics {
    measures = List.copyOf(measures);
    deflation = List.copyOf(deflation);
  }

  /**
   * Measures objects {@code from} to {@code from + objects - 1}.
   *
   * @param objects at least one
   * @param progress the consumer of the number of objects done, called after each
   */
  public static DatasetStatistics of(Dataset dataset, long from, int objects, LongConsumer progress)
      throws IOException {
    if (objects < 1) {
      throw new IllegalArgumentException("a sample has at least one object, not " + objects);
    }
    dataset.requireObjects(from, objects);
    Sums sums = new Sums(dataset);
    Deflater deflater = new Deflater(LEVEL, true);
    try {
      for (int i = 0; i < objects; i++) {
        sums.add(from + i, deflater);
        progress.accept(i + 1L);
      }
    } finally {
      deflater.end();
    }
    return new DatasetStatistics(from, objects, sums.measures(), sums.deflation());
  }

  private static final class Sums {

    /** Each datastream in users' FOXML may have a different name. */
    private static final int MAX_KINDS = 100;

    private static final String OTHERS = "of other names";

    private final Dataset dataset;
    private final Distribution triples = new Distribution();
    private final Distribution relationships = new Distribution();
    private final Distribution additions = new Distribution();
    private final Distribution dublinCoreFields = new Distribution();
    private final Distribution dublinCoreBytes = new Distribution();
    private final Distribution streams = new Distribution();
    private final Distribution content = new Distribution();
    private final Distribution requests = new Distribution();
    private final Map<String, Files> files = new LinkedHashMap<>();

    private static final class Files {
      private final Distribution sizes = new Distribution();
      private long bytes;
      private long deflatedBytes;
    }

    Sums(Dataset dataset) {
      this.dataset = dataset;
    }

    void add(long index, Deflater deflater) throws IOException {
      RepositoryObject object = dataset.object(index);
      triples.add(object.triples());
      if (object instanceof ComposedObject composed) {
        relationships.add(composed.relationships().size());
        dublinCoreFields.add(composed.dublinCore().size());
        dublinCoreBytes.add(FoxmlWriter.dublinCoreBytes(composed.dublinCore()));
      }
      additions.add(dataset.additions(index).size());
      streams.add(object.content().size());
      content.add(object.contentBytes());
      requests.add(object.foxmlBytes());
      for (ContentStream stream : object.content()) {
        String kind = kind(stream.id());
        if (files.size() >= MAX_KINDS && !files.containsKey(kind)) {
          kind = OTHERS;
        }
        Files of = files.computeIfAbsent(kind, id -> new Files());
        of.sizes.add(stream.sizeBytes());
        of.bytes += stream.sizeBytes();
        of.deflatedBytes += deflatedBytes(stream, deflater);
      }
    }

    /** Returns the kind; datastreams that differ only in number are of one kind. */
    private static String kind(String datastream) {
      int end = datastream.length();
      while (end > 1 && Character.isDigit(datastream.charAt(end - 1))) {
        end--;
      }
      return end == datastream.length() ? datastream : datastream.substring(0, end) + '*';
    }

    List<Measure> measures() {
      List<Measure> measures = new ArrayList<>();
      add(measures, "triples", Unit.COUNT, triples);
      add(measures, "relationships", Unit.COUNT, relationships);
      if (additions.max() > 0) {
        add(measures, "statements added", Unit.COUNT, additions);
      }
      add(measures, "dc fields", Unit.COUNT, dublinCoreFields);
      add(measures, "dc record", Unit.BYTES, dublinCoreBytes);
      add(measures, "content streams", Unit.COUNT, streams);
      add(measures, "content", Unit.BYTES, content);
      add(measures, "foxml request", Unit.BYTES, requests);
      files.forEach((id, of) -> add(measures, "file " + id, Unit.BYTES, of.sizes));
      return measures;
    }

    private void add(List<Measure> measures, String name, Unit unit, Distribution distribution) {
      if (distribution.count() > 0) {
        measures.add(new Measure(name, unit, distribution, dataset.study().getOrDefault(name, "")));
      }
    }

    List<Deflation> deflation() {
      List<Deflation> all = new ArrayList<>();
      files.forEach(
          (id, of) -> {
            if (of.bytes > 0) {
              String study = dataset.study().getOrDefault("deflation of " + id, "");
              all.add(new Deflation(id, of.bytes, of.deflatedBytes, study));
            }
          });
      return all;
    }
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
