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
 * Sources that close their runs: each waits until all that its run holds is sealed, and only then
 * its CLOSE_RUN is taken and acknowledged. For the journal's thread.
 */
final class ClosingSources {
  private final Committer committer;
  private final Map<Source, PendingClose> sources = new LinkedHashMap<>();

  private static final class PendingClose {
    private final Frame frame;
    private final Deque<Frame> held = new ArrayDeque<>();

    /** Segments that must be sealed first; null before they are known. */
    private Set<String> pendingSegments;

    private PendingClose(Frame frame) {
      this.frame = frame;
    }
  }

  /**
   * A source that has nothing more to wait for.
   *
   * @param frame its CLOSE_RUN
   * @param held what came behind that, in its order
   */
  record Closed(Frame frame, Deque<Frame> held) {}

  ClosingSources(Committer committer) {
    this.committer = committer;
  }

  /** A source that is not closing yet has sent a CLOSE_RUN. */
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

  /** Holds a frame that came behind the CLOSE_RUN; false for a source that is not closing. */
  boolean hold(Source source, Frame frame) {
    PendingClose waiting = sources.get(source);
    if (waiting == null) {
      return false;
    }
    waiting.held.add(frame);
    return true;
  }

  /** The source has gone, or has come anew: it will send its CLOSE_RUN again. */
  void forget(Source source) {
    sources.remove(source);
  }

  /** Hands what the closing runs hold to the sealer, so that the writer can go on meanwhile. */
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

  /** There is more to be sealed of the run than there was. */
  void awaitUnsealed(RunSegmentLog run) {
    sources.forEach(
        (source, waiting) -> {
          if (source.run == run && waiting.pendingSegments != null) {
            run.unsealed().forEach(file -> waiting.pendingSegments.add(file.toString()));
          }
        });
  }

  /** A copy: those for which everything is sealed. */
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

  /** From now on the source, which was closing, no longer is. */
  Closed remove(Source source) {
    PendingClose waiting = sources.remove(source);
    return new Closed(waiting.frame, waiting.held);
  }
}
