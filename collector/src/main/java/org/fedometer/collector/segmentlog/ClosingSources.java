package org.fedometer.collector.segmentlog;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fedometer.collector.segmentlog.SourceConnection.PauseReason;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.CloseRun;

/**
 * Sources that close their runs. CLOSE_RUN is processed and acknowledged only once everything in
 * the run is sealed. For the segment log's thread.
 */
final class ClosingSources {
  private final Committer committer;
  private final Map<Source, PendingClose> sources = new LinkedHashMap<>();

  private static final class PendingClose {
    private final Frame frame;
    private final Deque<Frame> held = new ArrayDeque<>();

    /** Segments that must be sealed first; null until known. */
    private Set<String> pendingSegments;

    private PendingClose(Frame frame) {
      this.frame = frame;
    }
  }

  /**
   * A source whose run is sealed.
   *
   * @param frame its CLOSE_RUN
   * @param held subsequent frames, in order
   */
  record Closed(Frame frame, Deque<Frame> held) {}

  ClosingSources(Committer committer) {
    this.committer = committer;
  }

  /** Starts closing with a source's first CLOSE_RUN. */
  void begin(Source source, Frame frame) throws MalformedFrameException {
    String runId = CloseRun.decode(ByteBuffer.wrap(frame.payload())).runId();
    if (!runId.isEmpty() && !runId.equals(source.run.runId())) {
      throw new MalformedFrameException(
          "A source of the run " + source.run.runId() + " cannot close the run " + runId);
    }
    sources.put(source, new PendingClose(frame));
    source.connection.pause(PauseReason.RUN_CLOSING);
  }

  boolean isClosing(Source source) {
    return sources.containsKey(source);
  }

  /** Holds a frame that follows CLOSE_RUN; returns false for a source that is not closing. */
  boolean hold(Source source, Frame frame) {
    PendingClose waiting = sources.get(source);
    if (waiting == null) {
      return false;
    }
    waiting.held.add(frame);
    return true;
  }

  /** Removes a source that disconnected or reconnected: it will resend CLOSE_RUN. */
  void forget(Source source) {
    sources.remove(source);
  }

  /** Hands the closing runs' segments to the sealer, so that the writer can continue. */
  void rotate() throws InterruptedException {
    for (Map.Entry<Source, PendingClose> closing : sources.entrySet()) {
      RunSegmentLog run = closing.getKey().run;
      PendingClose waiting = closing.getValue();
      if (waiting.pendingSegments == null && !committer.isBackingOff(run)) {
        committer.commit(List.of(run));
        if (!committer.rotateAndSeal(run)) {
          continue;
        }
        waiting.pendingSegments = new LinkedHashSet<>();
        run.unsealed().forEach(file -> waiting.pendingSegments.add(file.toString()));
      }
    }
  }

  void sealed(Path segment) {
    for (PendingClose waiting : sources.values()) {
      if (waiting.pendingSegments != null) {
        waiting.pendingSegments.remove(segment.toString());
      }
    }
  }

  /** Adds new unsealed segments of the run to those awaited. */
  void awaitUnsealed(RunSegmentLog run) {
    sources.forEach(
        (source, waiting) -> {
          if (source.run == run && waiting.pendingSegments != null) {
            run.unsealed().forEach(file -> waiting.pendingSegments.add(file.toString()));
          }
        });
  }

  /** Returns a copy of the sources whose segments are all sealed. */
  List<Source> fullySealed() {
    List<Source> done = new ArrayList<>();
    sources.forEach(
        (source, waiting) -> {
          if (waiting.pendingSegments != null && waiting.pendingSegments.isEmpty()) {
            done.add(source);
          }
        });
    return done;
  }

  Closed remove(Source source) {
    PendingClose waiting = sources.remove(source);
    return new Closed(waiting.frame, waiting.held);
  }
}
