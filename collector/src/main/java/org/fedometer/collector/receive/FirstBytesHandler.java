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
 * Detects a connection's protocol before the frame handlers; log events get a {@link LogHandler}
 * instead. On the connection's event loop.
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
   * @param decoder the next handler
   * @param frames follows the decoder and enforces timeouts until useful data arrives
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

  /**
   * Returns whether silence is allowed: an appender connects at program start and sends nothing
   * before its first event.
   */
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

  /** Joins two buffers and releases them. */
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
          "it disconnected after "
              + Counted.of(received.readableBytes(), "byte")
              + ", too few to detect its format");
    }
    inactive.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    forget();
  }
}
