package org.fedometer.collector.receive;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.fedometer.collector.ask.Asking;
import org.fedometer.collector.ask.Question;
import org.fedometer.collector.ask.Reader;
import org.fedometer.collector.journal.Journal;
import org.fedometer.collector.journal.SourceConnection;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.HostBoot;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.Answer;
import org.fedometer.wire.session.Ask;
import org.fedometer.wire.session.ClockReply;
import org.fedometer.wire.session.ClockRequest;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Refused;
import org.fedometer.wire.session.Welcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: passes a source's frames to the journal, a reader's questions to {@link Asking},
 * and the answers back. Reads on the connection's event loop; the journal's thread calls the
 * answers, which only schedule work there.
 */
final class ConnectionHandler extends SimpleChannelInboundHandler<Frame>
    implements SourceConnection, Reader {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);
  private static final int GOODBYE_SECONDS = 2;

  /** Of the frame, with some bytes besides the question. */
  private static final int LONGEST_QUESTION_BYTES = Ask.MAX_QUESTION_BYTES + 1024;

  private final Journal journal;
  private final Asking asking;
  private final ConnectionWatch watch;
  private final FrameDecoder decoder;
  private final FrameRoom room;
  private final DoorLog doorLog;
  private final Admission admission;
  private final Set<PauseReason> pauses = EnumSet.noneOf(PauseReason.class);
  private ChannelHandlerContext context;
  private String peer = "?";
  private boolean introduced;
  private boolean refused;
  private boolean reader;
  private Question question;

  /**
   * @param decoder stands before this one in the pipeline
   * @param room for frames of those who have introduced themselves
   */
  ConnectionHandler(
      Journal journal,
      Asking asking,
      ConnectionWatch watch,
      FrameDecoder decoder,
      FrameRoom room,
      DoorLog doorLog,
      Admission admission) {
    this.journal = journal;
    this.asking = asking;
    this.watch = watch;
    this.decoder = decoder;
    this.room = room;
    this.doorLog = doorLog;
    this.admission = admission;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    peer = String.valueOf(active.channel().remoteAddress());
    watch.opened();
    active.fireChannelActive();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext read, Frame frame)
      throws MalformedFrameException {
    if (refused) {
      return;
    }
    if (introduced) {
      if (frame.type() == FrameType.HELLO) {
        throw new MalformedFrameException("A second HELLO on one connection");
      }
      if (frame.type() == FrameType.CLOCK_REQUEST) {
        tellTime(frame);
        return;
      }
      if (reader) {
        readFromReader(frame);
      } else {
        journal.received(this, frame);
      }
      return;
    }
    if (frame.type() != FrameType.HELLO) {
      throw new MalformedFrameException("The first frame is not a HELLO");
    }
    Hello hello = Hello.decode(ByteBuffer.wrap(frame.payload()));
    String fault = journal.faultOf(hello);
    if (fault != null) {
      doorLog.say(Refusals.Reason.NOT_WELCOME, peer, fault);
      refuseOnLoop(new Refused(false, fault));
      return;
    }
    introduced = true;
    admission.introduced();
    reader = hello.sourceKind().equals(Hello.READER);
    if (reader) {
      decoder.allow(LONGEST_QUESTION_BYTES, room);
      welcomeReader();
    } else if (hello.sourceKind().equals(Hello.PROBE)
        ? watch.probed()
        : watch.sourceArrived(hello.source())) {
      decoder.allow(Frame.MAX_BYTES, room);
      journal.arrived(this, hello);
    } else {
      refuse(new Refused(true, "the collector is stopping"));
    }
  }

  /** A source that asks without reading the replies must not fill the memory with them. */
  private void tellTime(Frame frame) throws MalformedFrameException {
    long receivedNanos = System.nanoTime();
    long sentNanos = ClockRequest.decode(ByteBuffer.wrap(frame.payload())).sentNanos();
    if (context.channel().isWritable()) {
      write(
          FrameType.CLOCK_REPLY,
          new ClockReply(sentNanos, receivedNanos, System.nanoTime(), HostBoot.ID).encode());
    }
  }

  /** Not by the journal's thread, which may be waiting for its disk: asking works all the same. */
  private void welcomeReader() {
    if (watch.readerArrived()) {
      welcome(journal.welcomeOutsideRuns());
    } else {
      refuse(new Refused(true, "the collector is stopping"));
    }
  }

  private void readFromReader(Frame frame) throws MalformedFrameException {
    if (frame.type() != FrameType.ASK) {
      return; // Something that a later version sends.
    }
    if (question != null && !question.isAnswered()) {
      throw new MalformedFrameException("A question before the last one was answered");
    }
    question = asking.ask(this, Ask.decode(ByteBuffer.wrap(frame.payload())));
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext changed) {
    if (question != null) {
      question.writabilityChanged();
    }
    changed.fireChannelWritabilityChanged();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext told, Object event) {
    if (event == FrameDecoder.RoomEvent.WAITS) {
      pauseOnLoop(PauseReason.NO_ROOM);
    } else if (event == FrameDecoder.RoomEvent.GOES_ON) {
      resumeOnLoop(PauseReason.NO_ROOM);
    } else if (event == FrameDecoder.RoomEvent.TURNED_OUT) {
      doorLog.say(
          Refusals.Reason.STANDSTILL,
          peer,
          "a frame came to a standstill while others waited for its room");
      refuseOnLoop(
          new Refused(true, "a frame came to a standstill while others waited for its room"));
    } else if (event == Admission.Event.TOO_LATE) {
      refuseOnLoop(new Refused(true, "no HELLO came in time"));
    } else {
      told.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    if (question != null) {
      question.hangUp();
    }
    if (introduced && !reader) {
      journal.left(this);
    }
    watch.closed(reader);
    inactive.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext failed, Throwable failure) {
    Throwable cause =
        failure instanceof DecoderException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof MalformedFrameException) {
      if (!refused) {
        doorLog.say(Refusals.Reason.MALFORMED, peer, cause.getMessage());
      }
      refuseOnLoop(new Refused(true, cause.getMessage()));
    } else if (cause instanceof TlsGate.PlainConnectionException) {
      doorLog.say(Refusals.Reason.PLAIN, peer, cause.getMessage());
      refuseOnLoop(new Refused(false, cause.getMessage()));
    } else if (cause instanceof SSLException tls) {
      doorLog.say(Refusals.Reason.TLS, peer, "no TLS connection: " + TlsFailure.inWords(tls));
      failed.close();
    } else if (cause instanceof IOException) {
      if (introduced) {
        LOG.info("{}: {}", peer, cause.getMessage());
      }
      failed.close();
    } else {
      LOG.error("{}: closed after an unexpected failure", peer, cause);
      failed.close();
    }
  }

  // ---- answers, from any thread ----

  @Override
  public void welcome(Welcome welcome) {
    write(FrameType.WELCOME, welcome.encode());
  }

  @Override
  public void acknowledge(Acknowledgement acknowledgement) {
    if (context.channel().isWritable()) {
      write(FrameType.ACKNOWLEDGEMENT, acknowledgement.encode());
    }
  }

  @Override
  public void refuse(Refused refusal) {
    watch.refusals().count(Refusals.Reason.JOURNAL);
    if (context.executor().inEventLoop()) {
      refuseOnLoop(refusal);
    } else {
      context.executor().execute(() -> refuseOnLoop(refusal));
    }
  }

  /**
   * What the source is still sending is read and thrown away for a while: closing at once would
   * reset the connection, and the reason would be lost on the way.
   */
  private void refuseOnLoop(Refused refusal) {
    if (refused || !context.channel().isActive()) {
      return;
    }
    refused = true;
    decoder.discard();
    pauses.clear();
    context.channel().config().setAutoRead(true);
    byte[] frame = Frame.session(FrameType.REFUSED, refusal.encode()).toBytes();
    context
        .writeAndFlush(Unpooled.wrappedBuffer(frame))
        .addListener(
            written -> {
              if (written.isSuccess()) {
                ((SocketChannel) context.channel()).shutdownOutput();
              }
            });
    context.executor().schedule(() -> context.channel().close(), GOODBYE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public boolean isWritable() {
    return context.channel().isWritable();
  }

  @Override
  public void answer(Answer answer) {
    write(FrameType.ANSWER, answer.encode());
  }

  private void write(FrameType type, byte[] payload) {
    byte[] frame = Frame.session(type, payload).toBytes();
    context
        .writeAndFlush(Unpooled.wrappedBuffer(frame))
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  /** At once where the caller is the connection's event loop, which may be about to read more. */
  @Override
  public void pause(PauseReason reason) {
    if (context.executor().inEventLoop()) {
      pauseOnLoop(reason);
    } else {
      context.executor().execute(() -> pauseOnLoop(reason));
    }
  }

  private void pauseOnLoop(PauseReason reason) {
    if (!refused && pauses.add(reason)) {
      context.channel().config().setAutoRead(false);
    }
  }

  @Override
  public void resume(PauseReason reason) {
    context
        .executor()
        .execute(
            () -> {
              resumeOnLoop(reason);
              if (reason == PauseReason.QUEUE_FULL) {
                room.letIn();
              }
            });
  }

  private void resumeOnLoop(PauseReason reason) {
    if (pauses.remove(reason) && pauses.isEmpty()) {
      context.channel().config().setAutoRead(true);
    }
  }

  @Override
  public String peer() {
    return peer;
  }
}
