package org.fedometer.collector.segmentlog;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentReader;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.Frame;

/** Content of a run's segments, read as the sealer does. */
final class StoredFrames implements SegmentVisitor {
  private final Map<Integer, UUID> sources = new HashMap<>();
  private final Map<UUID, List<Long>> sequences = new HashMap<>();
  private final Map<UUID, Long> missing = new HashMap<>();
  private final Map<UUID, Integer> carriedOver = new HashMap<>();

  private StoredFrames() {}

  static StoredFrames of(RunFolder folder) throws IOException {
    StoredFrames frames = new StoredFrames();
    for (Path segment : folder.segmentFiles()) {
      frames.sources.clear();
      SegmentReader.read(segment, frames);
    }
    return frames;
  }

  static StoredFrames in(Path segment) throws IOException {
    StoredFrames frames = new StoredFrames();
    SegmentReader.read(segment, frames);
    return frames;
  }

  /** How many frames of names came from the segment before. */
  int carriedOver(UUID source) {
    return carriedOver.getOrDefault(source, 0);
  }

  /** In the order of the files. */
  List<Long> sequences(UUID source) {
    return sequences.getOrDefault(source, List.of());
  }

  long missing(UUID source) {
    return missing.getOrDefault(source, 0L);
  }

  @Override
  public void run(String runId, String runName) {}

  @Override
  public void source(SegmentSource source) {
    sources.put(source.index(), source.hello().source());
    missing.put(source.hello().source(), source.framesMissing());
  }

  @Override
  public void frame(int sourceIndex, Frame frame) {
    if (frame.sequence() > 0) {
      sequences
          .computeIfAbsent(sources.get(sourceIndex), any -> new ArrayList<>())
          .add(frame.sequence());
    } else {
      carriedOver.merge(sources.get(sourceIndex), 1, Integer::sum);
    }
  }

  @Override
  public void document(int sourceIndex, Frame frame, long offset) {
    frame(sourceIndex, frame);
  }
}
