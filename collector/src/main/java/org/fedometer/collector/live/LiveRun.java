package org.fedometer.collector.live;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.fedometer.store.RunFolder;
import org.fedometer.store.rollup.LiveRollupFile;
import org.fedometer.store.rollup.Rollup;
import org.fedometer.store.rollup.Rollups;
import org.fedometer.store.seal.LiveRollupWriter;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.RequestDecoder;
import org.fedometer.wire.record.RequestRow;
import org.fedometer.wire.record.SampleConsumer;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.session.Dictionary;

/**
 * Rollups of one run's unsealed segments. The segment log's thread adds, another writes; they are
 * synchronized.
 *
 * <p>Written rollups of a finished segment are released from memory. If segments arrive faster than
 * they are written, for example after hours of disconnection, the oldest are dropped. Their rollups
 * appear once they are sealed.
 */
final class LiveRun {
  /** Limit for all segments but the newest, which has its own. */
  private static final int MAX_CELLS = 1 << 16;

  private final RunFolder run;
  private final Map<UUID, SourceStages> stages = new HashMap<>();

  /** Newest last. */
  private final Map<String, Rollups> segments = new LinkedHashMap<>();

  /** Unsealed, but no longer in memory. */
  private final Set<String> released = new HashSet<>();

  private final Set<String> changed = new HashSet<>();

  /** The segment whose rollups are being written, or null. */
  private String beingWritten;

  /** Segments whose rollup files are to be deleted. */
  private final Set<String> sealed = new HashSet<>();

  private final SampleConsumer samples = this::add;
  private final Consumer<RequestRow> requests = this::addRequest;
  private final Object writing = new Object();
  private Rollups current;
  private SourceStages currentStages;
  private long epochOffsetNanos;
  private volatile boolean closed;

  LiveRun(RunFolder run) {
    this.run = run;
  }

  String name() {
    return run.name();
  }

  synchronized void addFrame(SegmentSource source, String segment, Frame frame) {
    FrameType type = frame.type();
    if (type != FrameType.STAGES && type != FrameType.SAMPLES && type != FrameType.REQUESTS) {
      return;
    }
    currentStages = stages.computeIfAbsent(source.hello().source(), uuid -> new SourceStages());
    epochOffsetNanos = source.epochOffsetNanos();
    ByteBuffer payload = ByteBuffer.wrap(frame.payload());
    try {
      if (type == FrameType.STAGES) {
        currentStages.learn(Dictionary.decode(payload).entries());
        return;
      }
      if (released.contains(segment)) {
        return;
      }
      current = segments.get(segment);
      if (current == null) {
        releaseWritten();
        releaseOldest();
        current = new Rollups();
        segments.put(segment, current);
      }
      changed.add(segment);
      if (type == FrameType.SAMPLES) {
        currentStages.use(current);
        SampleDecoder.decode(payload, samples);
      } else {
        RequestDecoder.decode(payload, requests);
      }
    } catch (MalformedFrameException e) {
      // Counted when sealed.
    }
  }

  /** Releases written segments; only the newest one still grows. */
  private void releaseWritten() {
    for (Iterator<String> before = segments.keySet().iterator(); before.hasNext(); ) {
      String segment = before.next();
      if (!changed.contains(segment) && !segment.equals(beingWritten)) {
        released.add(segment);
        before.remove();
      }
    }
  }

  private void releaseOldest() {
    int cells = segments.values().stream().mapToInt(Rollups::cells).sum();
    Iterator<Map.Entry<String, Rollups>> oldest = segments.entrySet().iterator();
    while (cells > MAX_CELLS) {
      Map.Entry<String, Rollups> entry = oldest.next();
      cells -= entry.getValue().cells();
      changed.remove(entry.getKey());
      released.add(entry.getKey());
      oldest.remove();
    }
  }

  private void add(
      int stageId,
      int threadId,
      long traceId,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed) {
    current.add(
        currentStages.numberOf(stageId),
        startNanos + durationNanos + epochOffsetNanos,
        durationNanos,
        selfNanos,
        failed);
  }

  private void addRequest(RequestRow request) {
    current.addRequest(
        request.operation,
        request.startNanos + request.durationNanos + epochOffsetNanos,
        request.durationNanos,
        request.status);
  }

  /**
   * Removes a sealed segment without waiting for the writer. Its file is obsolete without the
   * segment, and the next write deletes it.
   */
  synchronized void sealed(String segment) {
    segments.remove(segment);
    released.remove(segment);
    changed.remove(segment);
    sealed.add(segment);
  }

  /**
   * Writes changed rollups and deletes files of sealed segments, which never reappear.
   *
   * @param writer of the calling thread
   * @throws IOException if the disk prevented some writes; the next call repeats them, as after a
   *     RuntimeException or an Error
   */
  void write(LiveRollupWriter writer) throws IOException {
    synchronized (writing) {
      Throwable failure = null;
      for (String segment : changedNow()) {
        if (closed) {
          return;
        }
        try {
          List<Rollup> rollups = takeChanged(segment);
          if (!rollups.isEmpty()) {
            write(writer, run.segmentDirectory().resolve(segment), rollups);
          }
          written(segment);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
          markChanged(segment);
          failure = failure == null || failure instanceof IOException ? e : failure;
        }
      }
      deleteSealed();
      if (failure instanceof IOException e) {
        throw new IOException(run.name() + ": " + FailureText.of(e), e);
      } else if (failure instanceof RuntimeException e) {
        throw e;
      } else if (failure instanceof Error e) {
        throw e;
      }
    }
  }

  /**
   * Deletes files of sealed segments. Runs last, since a segment may have been sealed while it was
   * written.
   */
  private void deleteSealed() throws IOException {
    for (String segment : sealedNow()) {
      Files.deleteIfExists(LiveRollupFile.of(run.segmentDirectory().resolve(segment)));
      deleted(segment);
    }
  }

  private synchronized List<String> sealedNow() {
    return List.copyOf(sealed);
  }

  private synchronized void deleted(String segment) {
    sealed.remove(segment);
  }

  private synchronized List<String> changedNow() {
    return List.copyOf(changed);
  }

  /** Returns empty if the segment was sealed or dropped meanwhile. */
  private synchronized List<Rollup> takeChanged(String segment) {
    if (!changed.contains(segment)) {
      return List.of();
    }
    List<Rollup> rollups = segments.get(segment).toList();
    // Only now: after an OutOfMemoryError it must still be written.
    changed.remove(segment);
    beingWritten = segment;
    return rollups;
  }

  /** Releases a written segment that is not the newest, rather than keeping it until sealed. */
  private synchronized void written(String segment) {
    beingWritten = null;
    if (segments.containsKey(segment)
        && segments.get(segment) != current
        && !changed.contains(segment)) {
      segments.remove(segment);
      released.add(segment);
    }
  }

  private synchronized void markChanged(String segment) {
    beingWritten = null;
    if (segments.containsKey(segment)) {
      changed.add(segment);
    }
  }

  private static void write(LiveRollupWriter writer, Path segment, List<Rollup> rollups)
      throws IOException {
    Path file = LiveRollupFile.of(segment);
    writer.write(file, rollups);
    if (!Files.exists(segment)) {
      Files.deleteIfExists(file);
    }
  }

  /** Ends all writing before it returns: the folder may then be deleted and its name reused. */
  void close() throws IOException {
    closed = true;
    synchronized (writing) {
      deleteSealed();
    }
  }
}
