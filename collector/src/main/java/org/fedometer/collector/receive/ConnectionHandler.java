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
import org.fedometer.collector.query.PendingQuery;
import org.fedometer.collector.query.QueryService;
import org.fedometer.collector.query.ReaderConnection;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.segmentlog.SourceConnection;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.HostBoot;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.ClockReply;
import org.fedometer.wire.session.ClockRequest;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.session.QueryResult;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Welcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection: passes a source's frames to the segment log, a reader's queries to {@link
 * QueryService}, and replies back. Reads on the connection's event loop; replies from other threads
 * are scheduled there.
 */
final class ConnectionHandler extends SimpleChannelInboundHandler<Frame>
    implements SourceConnection, ReaderConnection {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);
  private static final int CLOSE_DELAY_SECONDS = 2;

  /** Size of the frame: the query and some more bytes. */
  private static final int MAX_QUERY_FRAME_BYTES = QueryRequest.MAX_QUERY_BYTES + 1024;

  private final SegmentLog segmentLog;
  private final QueryService queryService;
  private final ConnectionTracker tracker;
  private final FrameDecoder decoder;
  private final FrameBudget budget;
  private final RefusalLog refusalLog;
  private final Admission admission;
  private final Set<PauseReason> pauses = EnumSet.noneOf(PauseReason.class);
  private ChannelHandlerContext context;
  private String peer = "?";
  private boolean introduced;
  private boolean refused;
  private boolean reader;
  private PendingQuery query;

  /**
   * @param decoder the preceding handler in the pipeline
   * @param budget for frames of introduced peers
   */
  ConnectionHandler(
      SegmentLog segmentLog,
      QueryService queryService,
      ConnectionTracker tracker,
      FrameDecoder decoder,
      FrameBudget budget,
      RefusalLog refusalLog,
      Admission admission) {
    this.segmentLog = segmentLog;
    this.queryService = queryService;
    this.tracker = tracker;
    this.decoder = decoder;
    this.budget = budget;
    this.refusalLog = refusalLog;
    this.admission = admission;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    peer = String.valueOf(active.channel().remoteAddress());
    tracker.opened();
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
        sendTime(frame);
        return;
      }
      if (reader) {
        handleQuery(frame);
      } else {
        segmentLog.frameReceived(this, frame);
      }
      return;
    }
    if (frame.type() != FrameType.HELLO) {
      throw new MalformedFrameException("The first frame is not a HELLO");
    }
    Hello hello = Hello.decode(ByteBuffer.wrap(frame.payload()));
    String fault = segmentLog.refusalReason(hello);
    if (fault != null) {
      refusalLog.logRefusal(Refusals.Reason.NOT_WELCOME, peer, fault);
      refuseOnLoop(new Rejected(false, fault));
      return;
    }
    introduced = true;
    admission.introduced();
    reader = hello.sourceKind().equals(Hello.READER);
    if (reader) {
      decoder.allow(MAX_QUERY_FRAME_BYTES, budget);
      welcomeReader();
    } else if (hello.sourceKind().equals(Hello.PROBE)
        ? tracker.probed()
        : tracker.sourceArrived(hello.source())) {
      decoder.allow(Frame.MAX_BYTES, budget);
      segmentLog.sourceConnected(this, hello);
    } else {
      refuse(new Rejected(true, "the collector is stopping"));
    }
  }

  /** Sends the time, unless the source does not read replies, which would fill the memory. */
  private void sendTime(Frame frame) throws MalformedFrameException {
    long receivedNanos = System.nanoTime();
    long sentNanos = ClockRequest.decode(ByteBuffer.wrap(frame.payload())).sentNanos();
    if (context.channel().isWritable()) {
      write(
          FrameType.CLOCK_REPLY,
          new ClockReply(sentNanos, receivedNanos, System.nanoTime(), HostBoot.ID).encode());
    }
  }

  /**
   * Welcomes a reader without the segment log's thread, which may wait for its disk; queries work
   * nevertheless.
   */
  private void welcomeReader() {
    if (tracker.readerArrived()) {
      welcome(segmentLog.welcomeWithoutRun());
    } else {
      refuse(new Rejected(true, "the collector is stopping"));
    }
  }

  private void handleQuery(Frame frame) throws MalformedFrameException {
    if (frame.type() != FrameType.QUERY) {
      return; // Sent by a later version.
    }
    if (query != null && !query.isCompleted()) {
      throw new MalformedFrameException("A query came before the result of the last one was sent");
    }
    query = queryService.submit(this, QueryRequest.decode(ByteBuffer.wrap(frame.payload())));
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext changed) {
    if (query != null) {
      query.writabilityChanged();
    }
    changed.fireChannelWritabilityChanged();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext notified, Object event) {
    if (event == FrameDecoder.BudgetEvent.PAUSED) {
      pauseOnLoop(PauseReason.NO_SPACE);
    } else if (event == FrameDecoder.BudgetEvent.RESUMED) {
      resumeOnLoop(PauseReason.NO_SPACE);
    } else if (event == FrameDecoder.BudgetEvent.EVICTED) {
      refusalLog.logRefusal(
          Refusals.Reason.STALLED, peer, "a frame stalled while others waited for its memory");
      refuseOnLoop(new Rejected(true, "a frame stalled while others waited for its memory"));
    } else if (event == Admission.Event.TOO_LATE) {
      refuseOnLoop(new Rejected(true, "no HELLO came in time"));
    } else {
      notified.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    if (query != null) {
      query.disconnect();
    }
    if (introduced && !reader) {
      segmentLog.sourceDisconnected(this);
    }
    tracker.closed(reader);
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
        refusalLog.logRefusal(Refusals.Reason.MALFORMED, peer, cause.getMessage());
      }
      refuseOnLoop(new Rejected(true, cause.getMessage()));
    } else if (cause instanceof TlsGate.PlainConnectionException) {
      refusalLog.logRefusal(Refusals.Reason.PLAIN, peer, cause.getMessage());
      refuseOnLoop(new Rejected(false, cause.getMessage()));
    } else if (cause instanceof SSLException tls) {
      refusalLog.logRefusal(
          Refusals.Reason.TLS, peer, "no TLS connection: " + TlsFailure.describe(tls));
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

  // ---- replies, from any thread ----

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
  public void refuse(Rejected refusal) {
    tracker.refusals().count(Refusals.Reason.SEGMENT_LOG);
    if (context.executor().inEventLoop()) {
      refuseOnLoop(refusal);
    } else {
      context.executor().execute(() -> refuseOnLoop(refusal));
    }
  }

  /**
   * Refuses the source and discards its data for a while: closing at once would reset the
   * connection and lose the reason.
   */
  private void refuseOnLoop(Rejected refusal) {
    if (refused || !context.channel().isActive()) {
      return;
    }
    refused = true;
    decoder.discard();
    pauses.clear();
    context.channel().config().setAutoRead(true);
    byte[] frame = Frame.session(FrameType.REJECTED, refusal.encode()).toBytes();
    context
        .writeAndFlush(Unpooled.wrappedBuffer(frame))
        .addListener(
            written -> {
              if (written.isSuccess()) {
                ((SocketChannel) context.channel()).shutdownOutput();
              }
            });
    context
        .executor()
        .schedule(() -> context.channel().close(), CLOSE_DELAY_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public boolean isWritable() {
    return context.channel().isWritable();
  }

  @Override
  public void send(QueryResult result) {
    write(FrameType.QUERY_RESULT, result.encode());
  }

  private void write(FrameType type, byte[] payload) {
    byte[] frame = Frame.session(type, payload).toBytes();
    context
        .writeAndFlush(Unpooled.wrappedBuffer(frame))
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  /** Pauses at once on the connection's event loop, which may be about to read more. */
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
                budget.grantWaiting();
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
