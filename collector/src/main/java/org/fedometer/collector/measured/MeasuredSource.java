package org.fedometer.collector.measured;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.journal.EventConnection;
import org.fedometer.collector.journal.Journal;
import org.fedometer.collector.measured.MeasuredEvent.Text;
import org.fedometer.wire.Acknowledgement;
import org.fedometer.wire.Frame;
import org.fedometer.wire.Refused;
import org.fedometer.wire.Welcome;

/**
 * One connection of a source that tells of itself by Log4j2: its first event introduces it to the
 * journal, the others become frames. Belongs to the event loop; the journal's thread calls what
 * {@link EventConnection} has, which only schedules work there.
 *
 * <p>A source that connects anew may have more on its way on the connection before. That one is
 * read to its end first, for what is older than what has come counts as here already.
 */
public final class MeasuredSource implements EventConnection {
  private final MeasuredSources sources;
  private final Journal journal;
  private final EventLine line;
  private final MeasuredEvent event = new MeasuredEvent();

  /** Read while the source was not yet welcome. */
  private final ArrayDeque<TokenBuffer> held = new ArrayDeque<>();

  private Introduction introduction;

  /** The same as text, as each event has it. */
  private String source;

  /** Null until the journal has said what it knows. */
  private MeasuredFrames frames;

  private boolean introduced;
  private boolean closed;
  private boolean refused;
  private long events;

  /** The next connection of the same source, which waits for the end of this one. */
  private MeasuredSource next;

  MeasuredSource(MeasuredSources sources, EventLine line) {
    this.sources = sources;
    this.journal = sources.journal();
    this.line = line;
  }

  /**
   * Takes an event.
   *
   * @param parser at the beginning of the object of Fedometer's fields; afterwards at its end
   * @throws IOException it is not what such an event should be; nothing further is taken
   */
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
    introduction = read;
    line.pause(PauseReason.AWAITS_WELCOME);
    MeasuredSource before = sources.enter(introduction.hello().source(), this);
    if (before == null) {
      arrive();
    } else {
      before.next = this;
      before.endIfSilent(before.events);
    }
  }

  private void arrive() {
    if (refused) {
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
  private void endIfSilent(long eventsBefore) {
    line.loop()
        .schedule(
            () -> {
              if (closed) {
                return;
              }
              if (events == eventsBefore && !line.isPaused()) {
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
    TokenBuffer copy = new TokenBuffer(parser);
    held.add(copy);
    sources.held(1);
    copy.copyCurrentStructure(parser);
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

  /** All that has been read is here: what was taken goes on its way. */
  public void readComplete() {
    if (frames != null && !refused) {
      frames.flush();
    }
  }

  /** The connection is gone, and all that came on it has been told. */
  public void closed() {
    closed = true;
    if (introduction == null) {
      return;
    }
    if (frames != null || refused) {
      end();
    }
    // Else what is held is given on when the source is welcome.
  }

  private void end() {
    if (frames != null && !refused) {
      frames.flush();
    }
    if (introduced) {
      journal.left(this);
    }
    letGo();
    sources.leave(introduction.hello().source(), this);
    if (next != null) {
      next.arrive();
    }
  }

  private void giveUp() {
    // What came before is sound.
    readComplete();
    refused = true;
    letGo();
  }

  private void letGo() {
    sources.held(-held.size());
    held.clear();
  }

  private void stop(String reason) {
    giveUp();
    line.hangUp(reason);
  }

  private void begin(long lastSequence, List<Frame> dictionaries) {
    if (refused) {
      return;
    }
    try {
      Names names = new Names();
      names.recall(dictionaries);
      frames = new MeasuredFrames(names, lastSequence, frame -> journal.received(this, frame));
      while (!held.isEmpty()) {
        try (JsonParser parser = held.element().asParser()) {
          parser.nextToken();
          event.read(parser);
        }
        take();
        held.remove();
        sources.held(-1);
      }
    } catch (IOException e) {
      stop(e.getMessage());
    }
    readComplete();
    if (closed) {
      end();
    } else {
      line.resume(PauseReason.AWAITS_WELCOME);
    }
  }

  // ---- answers, from the journal's thread ----

  @Override
  public void recall(long lastSequence, List<Frame> dictionaries) {
    line.loop().execute(() -> begin(lastSequence, dictionaries));
  }

  /** Nobody waits for it on the other side. */
  @Override
  public void welcome(Welcome welcome) {}

  /** Likewise. */
  @Override
  public void acknowledge(Acknowledgement acknowledgement) {}

  @Override
  public void refuse(Refused refusal) {
    line.loop().execute(() -> refuseOnLoop(refusal.reason()));
  }

  private void refuseOnLoop(String reason) {
    boolean waited = closed && !refused && frames == null;
    stop(reason);
    if (waited) {
      end();
    }
  }

  @Override
  public void pause(PauseReason reason) {
    line.pause(reason);
  }

  @Override
  public void resume(PauseReason reason) {
    line.resume(reason);
  }

  @Override
  public String peer() {
    return line.peer();
  }
}
