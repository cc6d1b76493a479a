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
import org.fedometer.collector.journal.EventConnection;
import org.fedometer.collector.journal.Journal;
import org.fedometer.collector.logs.LogConnection;
import org.fedometer.collector.logs.OwnEvents;
import org.fedometer.collector.measured.MeasuredEvent.Text;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.Refused;
import org.fedometer.wire.session.Welcome;

/**
 * One connection of a source that tells of itself by Log4j2: its first event introduces it to the
 * journal, the others become frames. Belongs to the event loop; the journal's thread calls what
 * {@link EventConnection} has, which only schedules work there.
 *
 * <p>A source that connects anew may have more on its way on the connection before. That one is
 * read to its end first, for what is older than what has come counts as here already.
 */
final class MeasuredSource implements OwnEvents, EventConnection {
  private final MeasuredSources sources;
  private final Journal journal;
  private final LogConnection line;
  private final EventExecutor loop;
  private final Set<PauseReason> pauses = EnumSet.noneOf(PauseReason.class);
  private final MeasuredEvent event = new MeasuredEvent();

  /** Read while the source was not yet welcome. */
  private final List<TokenBuffer> held = new ArrayList<>();

  private long heldBytes;

  private Introduction introduction;

  /** The same as text, as each event has it. */
  private String source;

  /** Null until the journal has said what it knows. */
  private MeasuredFrames frames;

  private boolean introduced;
  private boolean closed;
  private boolean refused;
  private boolean ended;
  private boolean silenceMinded;
  private long events;

  /** The connection of the same source whose end this one waits for, or null. */
  private MeasuredSource before;

  /** The one that waits for the end of this one, or null. */
  private MeasuredSource next;

  MeasuredSource(MeasuredSources sources, LogConnection line, EventExecutor loop) {
    this.sources = sources;
    this.journal = sources.journal();
    this.line = line;
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
        take();
      }
    } catch (IOException | RuntimeException e) {
      giveUp();
      throw e;
    }
  }

  private void introduce() throws MalformedEventException {
    Introduction read = Introduction.of(event, sources.bootId(), System.currentTimeMillis());
    source = event.text(Text.SOURCE);
    if (!sources.mayWait(read.hello().source())) {
      throw new MalformedEventException(
          "Too many connections wait until earlier ones of their sources have ended");
    }
    introduction = read;
    pause(PauseReason.AWAITS_WELCOME);
    before = sources.enter(introduction.hello().source(), this);
    if (before == null) {
      arrive();
    } else {
      sources.waiting(1);
      before.next = this;
      before.mindSilence();
    }
  }

  private void arriveAfter() {
    sources.waiting(-1);
    before = null;
    arrive();
  }

  private void arrive() {
    if (ended) {
      return;
    }
    if (sources.mayCome(introduction.hello().source())) {
      introduced = true;
      journal.arrived(this, introduction.hello(), introduction.sameMoment());
    } else {
      stop("the collector is stopping");
    }
  }

  /**
   * While another one waits: what comes on this connection comes first, but its other side may be
   * gone without a word.
   */
  private void mindSilence() {
    if (!silenceMinded) {
      silenceMinded = true;
      endIfSilent(events);
    }
  }

  private void endIfSilent(long eventsBefore) {
    loop.schedule(
        () -> {
          silenceMinded = !closed && next != null;
          if (!silenceMinded) {
            return;
          }
          if (events == eventsBefore && pauses.isEmpty()) {
            stop("the source has connected anew");
          } else {
            endIfSilent(events);
          }
        },
        sources.silence().toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private void hold(JsonParser parser) throws IOException {
    if (!sources.mayHold()) {
      throw new MalformedEventException("Too many events wait for their sources to be welcome");
    }
    long begin = parser.currentLocation().getByteOffset();
    TokenBuffer copy = new TokenBuffer(parser);
    copy.copyCurrentStructure(parser);
    held.add(copy);
    long bytes = parser.currentLocation().getByteOffset() - begin;
    heldBytes += bytes;
    sources.held(bytes);
  }

  private void take() throws MalformedEventException {
    if (!event.text(Text.SOURCE).equals(source)) {
      throw new MalformedEventException(
          "A connection has events of one source, " + source + ", but here is another's");
    }
    if (event.text(Text.EVENT).equals("hello")) {
      throw new MalformedEventException("A second \"hello\" on one connection");
    }
    frames.take(event);
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
    // Else what is held is given on when the source is welcome.
  }

  private void end() {
    if (ended) {
      return;
    }
    readComplete();
    ended = true;
    if (introduced) {
      journal.left(this);
    }
    letGo();
    sources.leave(introduction.hello().source(), this, before);
    if (before != null) {
      sources.waiting(-1);
      before.next = next;
      if (next != null) {
        next.before = before;
      }
    } else if (next != null) {
      next.arriveAfter();
    }
  }

  private void giveUp() {
    // What came before is sound.
    readComplete();
    refused = true;
    letGo();
  }

  private void letGo() {
    sources.held(-heldBytes);
    heldBytes = 0;
    held.clear();
  }

  private void stop(String reason) {
    giveUp();
    line.refuse(reason);
  }

  private void begin(long lastSequence, List<Frame> dictionaries) {
    if (refused) {
      return;
    }
    try {
      Names names = new Names();
      names.recall(dictionaries);
      frames = new MeasuredFrames(names, lastSequence, frame -> journal.received(this, frame));
      for (TokenBuffer each : held) {
        try (JsonParser parser = each.asParser()) {
          parser.nextToken();
          event.read(parser);
        }
        take();
      }
      letGo();
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

  // ---- answers, from the journal's thread ----

  @Override
  public void recall(long lastSequence, List<Frame> dictionaries) {
    loop.execute(() -> begin(lastSequence, dictionaries));
  }

  /** Nobody waits for it on the other side. */
  @Override
  public void welcome(Welcome welcome) {}

  /** Nobody waits for it on the other side. */
  @Override
  public void acknowledge(Acknowledgement acknowledgement) {}

  @Override
  public void refuse(Refused refusal) {
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
    line.pause(reason);
  }

  @Override
  public void resume(PauseReason reason) {
    loop.execute(() -> resumeOnLoop(reason));
  }

  private void resumeOnLoop(PauseReason reason) {
    pauses.remove(reason);
    line.resume(reason);
  }

  @Override
  public String peer() {
    return line.peer();
  }
}
