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
import org.fedometer.collector.journal.Journal;
import org.fedometer.collector.journal.SourceConnection;
import org.fedometer.wire.Acknowledgement;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.Hello;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.Refused;
import org.fedometer.wire.Welcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: passes its frames to the journal and the journal's answers back. Reads on the
 * connection's event loop; the journal's thread calls the answers, which only schedule work there.
 */
final class ConnectionHandler extends SimpleChannelInboundHandler<Frame>
    implements SourceConnection {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);
  private static final int HELLO_TIMEOUT_SECONDS = 10;
  private static final int GOODBYE_SECONDS = 2;

  private final Journal journal;
  private final ConnectionWatch watch;
  private final Set<PauseReason> pauses = EnumSet.noneOf(PauseReason.class);
  private ChannelHandlerContext context;
  private String peer = "?";
  private boolean introduced;
  private boolean refused;

  ConnectionHandler(Journal journal, ConnectionWatch watch) {
    this.journal = journal;
    this.watch = watch;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    peer = String.valueOf(active.channel().remoteAddress());
    watch.opened();
    active
        .executor()
        .schedule(
            () -> {
              if (!introduced) {
                refuse(new Refused(true, "no HELLO within " + HELLO_TIMEOUT_SECONDS + " s"));
              }
            },
            HELLO_TIMEOUT_SECONDS,
            TimeUnit.SECONDS);
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
      journal.received(this, frame);
      return;
    }
    if (frame.type() != FrameType.HELLO) {
      throw new MalformedFrameException("The first frame is not a HELLO");
    }
    Hello hello = Hello.decode(ByteBuffer.wrap(frame.payload()));
    introduced = true;
    boolean probe = hello.sourceKind().equals(Hello.PROBE);
    if (probe ? watch.probed() : watch.sourceArrived(hello.source())) {
      journal.arrived(this, hello);
    } else {
      refuse(new Refused(true, "the collector is stopping"));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    if (introduced) {
      journal.left(this);
    }
    watch.closed();
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
        LOG.warn("Refused {}: {}", peer, cause.getMessage());
      }
      refuse(new Refused(true, cause.getMessage()));
    } else if (cause instanceof IOException) {
      LOG.info("{}: {}", peer, cause.getMessage());
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
    context.executor().execute(() -> refuseOnLoop(refusal));
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
              if (pauses.remove(reason) && pauses.isEmpty()) {
                context.channel().config().setAutoRead(true);
              }
            });
  }

  @Override
  public String peer() {
    return peer;
  }
}
