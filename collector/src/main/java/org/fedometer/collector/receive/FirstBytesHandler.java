package org.fedometer.collector.receive;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Function;
import org.fedometer.collector.logs.LogFormat;
import org.fedometer.collector.logs.LogSenders;
import org.fedometer.wire.Counted;
import org.fedometer.wire.MalformedFrameException;

/**
 * Stands before those who read frames, until a connection's first bytes tell whether there are any;
 * log events get a {@link LogHandler} instead of them. On the connection's event loop.
 */
final class FirstBytesHandler extends ChannelInboundHandlerAdapter {
  private final FrameDecoder decoder;
  private final ConnectionHandler frames;
  private final Function<LogFormat, LogHandler> logs;
  private final LogSenders senders;
  private final Admission admission;
  private final RefusalLog refusalLog;
  private ByteBuf received;
  private boolean refused;

  /**
   * @param decoder stands behind this one
   * @param frames stands behind the decoder, and minds the time until something useful has come
   */
  FirstBytesHandler(
      FrameDecoder decoder,
      ConnectionHandler frames,
      Function<LogFormat, LogHandler> logs,
      LogSenders senders,
      Admission admission,
      RefusalLog refusalLog) {
    this.decoder = decoder;
    this.frames = frames;
    this.logs = logs;
    this.senders = senders;
    this.admission = admission;
    this.refusalLog = refusalLog;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    admission.allowSilence(() -> mayBeSilent(added));
  }

  /** An appender connects when its program starts, and says nothing before that has to log. */
  private boolean mayBeSilent(ChannelHandlerContext context) {
    if (received != null || refused || context.isRemoved()) {
      return false;
    }
    SslHandler tls = context.pipeline().get(SslHandler.class);
    boolean secured =
        tls == null
            ? context.pipeline().get(TlsGate.class) == null
            : tls.handshakeFuture().isSuccess();
    return secured && LogHandler.refusalOf(context, senders) == null;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    ByteBuf in = (ByteBuf) message;
    if (refused) {
      in.release();
      return;
    }
    if (received == null) {
      admission.dataReceived();
      received = in;
    } else {
      received = joined(context, received, in);
    }
    byte[] first = new byte[Math.min(received.readableBytes(), FirstBytes.MAX_BYTES)];
    received.getBytes(received.readerIndex(), first);
    FirstBytes.Verdict verdict = FirstBytes.detect(first, first.length);
    if (verdict instanceof FirstBytes.Wire) {
      replay(context);
    } else if (verdict instanceof FirstBytes.Logs log) {
      context.pipeline().addLast(logs.apply(log.format()));
      context.pipeline().remove(decoder);
      context.pipeline().remove(frames);
      replay(context);
    } else if (verdict instanceof FirstBytes.Refused no) {
      refused = true;
      forget();
      throw new MalformedFrameException(no.reason());
    }
  }

  /** Takes both buffers' place. */
  private static ByteBuf joined(ChannelHandlerContext context, ByteBuf before, ByteBuf in) {
    ByteBuf all = context.alloc().buffer(before.readableBytes() + in.readableBytes());
    all.writeBytes(before).writeBytes(in);
    before.release();
    in.release();
    return all;
  }

  private void replay(ChannelHandlerContext context) {
    ByteBuf all = received;
    received = null;
    context.fireChannelRead(all);
    context.pipeline().remove(this);
  }

  private void forget() {
    if (received != null) {
      received.release();
      received = null;
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    if (received != null) {
      refusalLog.logRefusal(
          Refusals.Reason.MALFORMED,
          String.valueOf(inactive.channel().remoteAddress()),
          "it hung up after "
              + Counted.of(received.readableBytes(), "byte")
              + ", too few to tell what it sends");
    }
    inactive.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    forget();
  }
}
