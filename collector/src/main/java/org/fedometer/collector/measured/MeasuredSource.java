package org.fedometer.collector.measured;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.logs.AgentEvents;
import org.fedometer.collector.logs.LogConnection;
import org.fedometer.collector.measured.MeasuredEvent.TextField;
import org.fedometer.collector.segmentlog.EventConnection;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Welcome;

/**
 * A connection of a source with {@code transport=log4j2}: the first event introduces it to the
 * segment log, others become frames. Confined to the event loop; methods of {@link
 * EventConnection}, called by the segment log's thread, only schedule work there.
 *
 * <p>A reconnecting source may have data in flight on its earlier connection. That one is read to
 * its end first, since older positions count as received.
 */
final class MeasuredSource implements AgentEvents, EventConnection {
  private final MeasuredSources sources;
  private final SegmentLog segmentLog;
  private final LogConnection connection;
  private final EventExecutor loop;
  private final Set<PauseReason> pauses = EnumSet.noneOf(PauseReason.class);
  private final MeasuredEvent event = new MeasuredEvent();

  /** Events read before the source was welcome. */
  private final List<TokenBuffer> held = new ArrayList<>();

  private long heldBytes;

  private Introduction introduction;

  /** The source's id as text, as in each event. */
  private String source;

  /** Null until the segment log has sent its state. */
  private MeasuredFrames frames;

  private boolean introduced;
  private boolean closed;
  private boolean refused;
  private boolean ended;
  private boolean silenceCheckPending;
  private long events;

  /** The earlier connection of the same source that this one waits for, or null. */
  private MeasuredSource before;

  /** The connection that waits for this one's end, or null. */
  private MeasuredSource next;

  MeasuredSource(MeasuredSources sources, LogConnection connection, EventExecutor loop) {
    this.sources = sources;
    this.segmentLog = sources.segmentLog();
    this.connection = connection;
    this.loop = loop;
  }

  @Override
  public void event(JsonParser parser) throws IOException {
    if (refused) {
      parser.skipChildren();
      return;
    }
    events++;
    try {
      if (introduction != null && frames == null) {
        hold(parser);
      } else if (introduction == null) {
        event.read(parser);
        introduce();
      } else {
        event.read(parser);
        accept();
      }
    } catch (IOException | RuntimeException e) {
      reject();
      throw e;
    }
  }

  private void introduce() throws MalformedEventException {
    Introduction read = Introduction.of(event, sources.bootId(), System.currentTimeMillis());
    source = event.text(TextField.SOURCE);
    if (!sources.canWait(read.hello().source())) {
      throw new MalformedEventException(
          "Too many connections wait for earlier connections of their sources to end");
    }
    introduction = read;
    pause(PauseReason.AWAITS_WELCOME);
    before = sources.register(introduction.hello().source(), this);
    if (before == null) {
      connect();
    } else {
      sources.waiting(1);
      before.next = this;
      before.startSilenceCheck();
    }
  }

  private void connectNext() {
    sources.waiting(-1);
    before = null;
    connect();
  }

  private void connect() {
    if (ended) {
      return;
    }
    if (sources.admits(introduction.hello().source())) {
      introduced = true;
      segmentLog.sourceConnected(this, introduction.hello(), introduction.sameMoment());
    } else {
      stop("the collector is stopping");
    }
  }

  /**
   * Checks for silence while another connection waits, since this one's peer may be gone without
   * notice.
   */
  private void startSilenceCheck() {
    if (!silenceCheckPending) {
      silenceCheckPending = true;
      closeIfSilent(events);
    }
  }

  private void closeIfSilent(long eventsBefore) {
    loop.schedule(
        () -> {
          silenceCheckPending = !closed && next != null;
          if (!silenceCheckPending) {
            return;
          }
          if (events == eventsBefore && pauses.isEmpty()) {
            stop("the source has opened a new connection");
          } else {
            closeIfSilent(events);
          }
        },
        sources.silenceTimeout().toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private void hold(JsonParser parser) throws IOException {
    if (!sources.canHold()) {
      throw new MalformedEventException("Too many events wait for their sources to be accepted");
    }
    long begin = parser.currentLocation().getByteOffset();
    TokenBuffer copy = new TokenBuffer(parser);
    copy.copyCurrentStructure(parser);
    held.add(copy);
    long bytes = parser.currentLocation().getByteOffset() - begin;
    heldBytes += bytes;
    sources.addHeldBytes(bytes);
  }

  private void accept() throws MalformedEventException {
    if (!event.text(TextField.SOURCE).equals(source)) {
      throw new MalformedEventException(
          "A connection carries events of one source, here " + source + "; an event is another's");
    }
    if (event.text(TextField.EVENT).equals("hello")) {
      throw new MalformedEventException("A second \"hello\" on one connection");
    }
    frames.accept(event);
  }

  @Override
  public void readComplete() {
    if (frames != null && !refused) {
      frames.flush();
    }
  }

  @Override
  public void closed() {
    closed = true;
    if (introduction != null && (frames != null || refused)) {
      end();
    }
    // Otherwise held events are forwarded when the source is welcome.
  }

  private void end() {
    if (ended) {
      return;
    }
    readComplete();
    ended = true;
    if (introduced) {
      segmentLog.sourceDisconnected(this);
    }
    releaseHeld();
    sources.unregister(introduction.hello().source(), this, before);
    if (before != null) {
      sources.waiting(-1);
      before.next = next;
      if (next != null) {
        next.before = before;
      }
    } else if (next != null) {
      next.connectNext();
    }
  }

  private void reject() {
    // Earlier events are valid.
    readComplete();
    refused = true;
    releaseHeld();
  }

  private void releaseHeld() {
    sources.addHeldBytes(-heldBytes);
    heldBytes = 0;
    held.clear();
  }

  private void stop(String reason) {
    reject();
    connection.refuse(reason);
  }

  private void begin(long lastSequence, List<Frame> dictionaries) {
    if (refused) {
      return;
    }
    try {
      Names names = new Names();
      names.recall(dictionaries);
      frames =
          new MeasuredFrames(names, lastSequence, frame -> segmentLog.frameReceived(this, frame));
      for (TokenBuffer each : held) {
        try (JsonParser parser = each.asParser()) {
          parser.nextToken();
          event.read(parser);
        }
        accept();
      }
      releaseHeld();
    } catch (IOException e) {
      stop(e.getMessage());
    } catch (RuntimeException e) {
      stop(FailureText.of(e));
    }
    readComplete();
    if (closed) {
      end();
    } else {
      resumeOnLoop(PauseReason.AWAITS_WELCOME);
    }
  }

  // ---- replies, on the segment log's thread ----

  @Override
  public void recall(long lastSequence, List<Frame> dictionaries) {
    loop.execute(() -> begin(lastSequence, dictionaries));
  }

  /** Does nothing: the source expects no welcome. */
  @Override
  public void welcome(Welcome welcome) {}

  /** Does nothing: the source expects no acknowledgement. */
  @Override
  public void acknowledge(Acknowledgement acknowledgement) {}

  @Override
  public void refuse(Rejected refusal) {
    loop.execute(() -> refuseOnLoop(refusal.reason()));
  }

  private void refuseOnLoop(String reason) {
    stop(reason);
    if (closed) {
      end();
    }
  }

  @Override
  public void pause(PauseReason reason) {
    if (loop.inEventLoop()) {
      pauseOnLoop(reason);
    } else {
      loop.execute(() -> pauseOnLoop(reason));
    }
  }

  private void pauseOnLoop(PauseReason reason) {
    pauses.add(reason);
    connection.pause(reason);
  }

  @Override
  public void resume(PauseReason reason) {
    loop.execute(() -> resumeOnLoop(reason));
  }

  private void resumeOnLoop(PauseReason reason) {
    pauses.remove(reason);
    connection.resume(reason);
  }

  @Override
  public String peer() {
    return connection.peer();
  }
}
