package org.fedometer.store.seal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.fedometer.store.RunFolder;
import org.fedometer.store.SegmentName;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentWriter;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;

/** Writes a segment as the collector does. Frames of each source are numbered as they come. */
public final class TestSegment {
  public static final String STORE = "0a1b2c3d";

  private final SegmentName name;
  private final List<SegmentSource> sources = new ArrayList<>();
  private final List<SegmentWriter.Carried> frames = new ArrayList<>();
  private long sequence;

  private TestSegment(SegmentName name) {
    this.name = name;
    this.sequence = name.first() * 1_000L;
  }

  public static TestSegment number(int number) {
    return of(STORE, number);
  }

  public static TestSegment of(String store, int number) {
    return new TestSegment(new SegmentName(store, number, number));
  }

  /** Sources are numbered from 0; their UUID ends in that number. */
  public TestSegment source(long firstSeenEpochMillis, long nanos) {
    int index = sources.size();
    Hello hello =
        Hello.builder(uuid(index), "agent").sourceName("source " + index).nanos(nanos).build();
    sources.add(new SegmentSource(index, hello, 0, 0, firstSeenEpochMillis));
    return this;
  }

  public static UUID uuid(int source) {
    return new UUID(1, source);
  }

  public TestSegment frame(int source, FrameType type, byte[] payload) {
    frames.add(new SegmentWriter.Carried(source, new Frame(type.code(), ++sequence, payload)));
    return this;
  }

  public TestSegment stages(int source, String... names) {
    return frame(source, FrameType.STAGES, dictionary(names));
  }

  public TestSegment threads(int source, String... names) {
    return frame(source, FrameType.THREADS, dictionary(names));
  }

  private static byte[] dictionary(String... names) {
    Dictionary dictionary = new Dictionary();
    for (int id = 0; id < names.length; id++) {
      dictionary.put(id, names[id]);
    }
    return dictionary.encode();
  }

  public TestSegment samples(int source, SampleEncoder samples) {
    return frame(source, FrameType.SAMPLES, samples.finish());
  }

  /** Samples of stage 0 on thread 0 whose traces are from (inclusive) to (exclusive). */
  public TestSegment traces(int source, long from, long to) {
    SampleEncoder samples = new SampleEncoder();
    for (long trace = from; trace < to; trace++) {
      samples.add(0, 0, trace, trace * 1_000_000, 700, 600, trace % 10 == 0);
    }
    return samples(source, samples);
  }

  public TestSegment request(int source, long index) {
    RequestEncoder requests = new RequestEncoder();
    long start = index * 1_000_000;
    requests.add(index, "demo:" + index, "", 1, 1, start, 5_000, 201, 10, "", "ingest", start);
    return frame(source, FrameType.REQUESTS, requests.finish());
  }

  /** A request that was sent some nanoseconds after it was due. */
  public TestSegment operation(int source, long index, String operation, long lateNanos) {
    RequestEncoder requests = new RequestEncoder();
    long start = index * 1_000_000;
    requests.add(
        index, "demo:" + index, "", 1, 1, start, 5_000, 200, 0, "", operation, start - lateNanos);
    return frame(source, FrameType.REQUESTS, requests.finish());
  }

  public Path fileIn(RunFolder run) {
    return run.segmentDirectory().resolve(name.segmentFile());
  }

  public Path write(RunFolder run) throws IOException {
    if (sources.isEmpty()) {
      source(1, 0);
    }
    Files.createDirectories(run.segmentDirectory());
    Path file = fileIn(run);
    try (SegmentWriter writer =
        SegmentWriter.create(file, "01ARZ3NDEKTSV4RRFFQ69G5FAV", run.name(), sources, List.of())) {
      for (SegmentWriter.Carried frame : frames) {
        writer.appendFrame(frame.sourceIndex(), frame.frame());
      }
      writer.commit();
    }
    return file;
  }

  public SealResult seal(RunFolder run) throws IOException {
    Path file = write(run);
    try (Sealer sealer = new Sealer(STORE)) {
      return sealer.seal(run, file);
    }
  }
}
