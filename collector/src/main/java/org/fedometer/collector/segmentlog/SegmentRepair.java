package org.fedometer.collector.segmentlog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.fedometer.store.segment.SegmentReader;
import org.fedometer.store.segment.SegmentSalvage;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.Counted;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.disk.Durable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distinguishes segments torn by a crash from those damaged on disk, and recovers the content of
 * damaged ones with {@link SegmentSalvage}. Keeps the damaged file beside it. Stateless, any
 * thread.
 */
final class SegmentRepair {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentRepair.class);

  private static final String REPAIRED = ".repaired";
  private static final String DAMAGED = ".damaged";

  private SegmentRepair() {}

  /**
   * A segment that is readable from the start to {@code validBytes}.
   *
   * @param tornBytes bytes after that: an append torn by a crash
   * @param damaged whether the disk had damaged it; it then has what could be recovered
   */
  record Segment(Path file, long validBytes, long tornBytes, boolean damaged) {}

  /**
   * Checks a segment and repairs disk damage.
   *
   * @param complete whether nothing was being appended when the collector stopped, so that
   *     unreadable data is damage
   * @return null if nothing could be recovered; the file is set aside
   */
  static Segment repair(Path file, boolean complete) throws IOException {
    long valid;
    try {
      SegmentReader.Extent extent = SegmentReader.read(file, new ValidatingVisitor());
      if (extent.tornBytes() == 0) {
        return new Segment(file, extent.validBytes(), 0, false);
      }
      valid = extent.validBytes();
      if (!complete && SegmentSalvage.of(file, valid).records() == 0) {
        return new Segment(file, valid, extent.tornBytes(), false);
      }
    } catch (MalformedFrameException e) {
      if (SegmentSalvage.isOfNewerVersion(file)) {
        LOG.error("{}; it is kept as {}", e.getMessage(), setAside(file));
        return null;
      }
      valid = 0;
    }
    return salvage(file, valid);
  }

  /** Counts the frames of each source in a segment. */
  static Map<UUID, Long> framesIn(Path file) throws IOException {
    CountingVisitor counting = new CountingVisitor();
    SegmentReader.read(file, counting);
    return counting.frames;
  }

  /** Completes a repair that a crash interrupted. */
  static void finishInterrupted(Path directory) throws IOException {
    try (var entries = Files.newDirectoryStream(directory, "*" + REPAIRED)) {
      for (Path repaired : entries) {
        String name = repaired.getFileName().toString();
        Path file = repaired.resolveSibling(name.substring(0, name.length() - REPAIRED.length()));
        if (Files.exists(file)) {
          Files.delete(repaired);
        } else {
          Durable.moveIntoPlace(repaired, file);
        }
      }
    }
  }

  private static Segment salvage(Path file, long valid) throws IOException {
    SegmentSalvage saved = SegmentSalvage.of(file, valid);
    if (saved.isNothing()) {
      LOG.error("{} contains nothing readable; it is kept as {}", file, setAside(file));
      return null;
    }
    Path repaired = file.resolveSibling(file.getFileName() + REPAIRED);
    long size = saved.writeTo(repaired);
    try {
      SegmentReader.read(repaired, new ValidatingVisitor());
    } catch (MalformedFrameException e) {
      Files.delete(repaired);
      LOG.error("{} cannot be read: {}; it is kept as {}", file, e.getMessage(), setAside(file));
      return null;
    }
    long lost = Files.size(file) - size;
    Path aside = setAside(file);
    Durable.moveIntoPlace(repaired, file);
    LOG.error(
        "{} is damaged on the disk: {} lost, {} behind the damage recovered;"
            + " the damaged file is kept as {}",
        file,
        Counted.of(lost, "byte"),
        Counted.of(saved.records(), "record"),
        aside);
    return new Segment(file, size, 0, true);
  }

  private static Path setAside(Path file) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + DAMAGED);
    for (int i = 2; Files.exists(aside); i++) {
      aside = file.resolveSibling(file.getFileName() + DAMAGED + "-" + i);
    }
    Durable.moveIntoPlace(file, aside);
    return aside;
  }

  /** Determines how far a segment is readable, and that its frames' sources are known. */
  private static final class ValidatingVisitor implements SegmentVisitor {
    private final Set<Integer> introduced = new HashSet<>();

    @Override
    public void run(String runId, String runName) {}

    @Override
    public void source(SegmentSource source) {
      introduced.add(source.index());
    }

    @Override
    public void frame(int sourceIndex, Frame frame) throws MalformedFrameException {
      if (!introduced.contains(sourceIndex)) {
        throw new MalformedFrameException("A frame of a source not introduced");
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) throws MalformedFrameException {
      frame(sourceIndex, frame);
    }
  }

  private static final class CountingVisitor implements SegmentVisitor {
    private final Map<Integer, UUID> sources = new HashMap<>();
    private final Map<UUID, Long> frames = new HashMap<>();

    @Override
    public void run(String runId, String runName) {}

    @Override
    public void source(SegmentSource source) {
      sources.put(source.index(), source.hello().source());
    }

    @Override
    public void frame(int sourceIndex, Frame frame) {
      if (frame.sequence() > 0) {
        frames.merge(sources.get(sourceIndex), 1L, Long::sum);
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) {
      frame(sourceIndex, frame);
    }
  }
}
