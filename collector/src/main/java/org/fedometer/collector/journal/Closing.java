package org.fedometer.collector.journal;

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
import org.fedometer.collector.journal.SourceConnection.PauseReason;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.CloseRun;

/**
 * Sources that close their runs: each waits until all that its run holds is sealed, and only then
 * its CLOSE_RUN is taken and acknowledged. For the journal's thread.
 */
final class Closing {
  private final Committing committing;
  private final Map<Source, Waiting> sources = new LinkedHashMap<>();

  private static final class Waiting {
    private final Frame frame;
    private final Deque<Frame> held = new ArrayDeque<>();

    /** Segments that must be sealed first; null before they are known. */
    private Set<String> awaits;

    private Waiting(Frame frame) {
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

  Closing(Committing committing) {
    this.committing = committing;
  }

  /** A source that is not closing yet has sent a CLOSE_RUN. */
  void begin(Source source, Frame frame) throws MalformedFrameException {
    String runId = CloseRun.decode(ByteBuffer.wrap(frame.payload())).runId();
    if (!runId.isEmpty() && !runId.equals(source.run.runId())) {
      throw new MalformedFrameException(
          "A source of the run " + source.run.runId() + " cannot close the run " + runId);
    }
    sources.put(source, new Waiting(frame));
    source.connection.pause(PauseReason.RUN_CLOSING);
  }

  boolean isClosing(Source source) {
    return sources.containsKey(source);
  }

  /** Holds a frame that came behind the CLOSE_RUN; false for a source that is not closing. */
  boolean hold(Source source, Frame frame) {
    Waiting waiting = sources.get(source);
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
    for (Map.Entry<Source, Waiting> closing : sources.entrySet()) {
      RunJournal run = closing.getKey().run;
      Waiting waiting = closing.getValue();
      if (waiting.awaits == null && !committing.isToBeTriedLater(run)) {
        committing.commit(List.of(run));
        if (!committing.rotateAndSeal(run)) {
          continue;
        }
        waiting.awaits = new LinkedHashSet<>();
        run.unsealed().forEach(file -> waiting.awaits.add(file.toString()));
      }
    }
  }

  void sealed(Path segment) {
    for (Waiting waiting : sources.values()) {
      if (waiting.awaits != null) {
        waiting.awaits.remove(segment.toString());
      }
    }
  }

  /** There is more to be sealed of the run than there was. */
  void awaitAlso(RunJournal run) {
    sources.forEach(
        (source, waiting) -> {
          if (source.run == run && waiting.awaits != null) {
            run.unsealed().forEach(file -> waiting.awaits.add(file.toString()));
          }
        });
  }

  /** A copy: those for which everything is sealed. */
  List<Source> withAllSealed() {
    List<Source> done = new ArrayList<>();
    sources.forEach(
        (source, waiting) -> {
          if (waiting.awaits != null && waiting.awaits.isEmpty()) {
            done.add(source);
          }
        });
    return done;
  }

  /** From now on the source, which was closing, no longer is. */
  Closed end(Source source) {
    Waiting waiting = sources.remove(source);
    return new Closed(waiting.frame, waiting.held);
  }
}
