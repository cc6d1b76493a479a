package org.fedometer.collector.receive;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Hello;

/**
 * Splits a connection's bytes into frames. A frame in several reads reserves its length in a {@link
 * FrameBudget}; while it waits, the connection must not be read.
 *
 * <p>Initially only short frames are allowed, which bounds the memory of strangers. After a
 * malformed frame all data is discarded. On the connection's event loop.
 */
final class FrameDecoder extends ChannelInboundHandlerAdapter implements FrameBudget.Waiter {
  private static final int LENGTH_BYTES = 4;

  /** Start of TLS: record type and major version. No frame is that long. */
  private static final int TLS_HANDSHAKE = 0x1603;

  private ChannelHandlerContext context;
  private FrameBudget budget;
  private int maxFrameBytes = Hello.MAX_FRAME_BYTES;
  private boolean discarding;

  /** A frame's length, or a part of that, or the received part of the frame. */
  private byte[] partial = new byte[LENGTH_BYTES];

  private int partialBytes;

  /** Reservation of {@link #partial}; null while its length is unknown. */
  private FrameBudget.Reservation reservation;

  /** Events for subsequent handlers. */
  enum BudgetEvent {
    /** The connection must not be read. */
    PAUSED,
    /** The connection may be read again. */
    RESUMED,
    /** The frame stalled while others waited for memory. */
    EVICTED
  }

  FrameDecoder(FrameBudget strangers) {
    this.budget = strangers;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /** Sets limits for a known peer, from its next frame on. */
  void allow(int frameBytes, FrameBudget frames) {
    maxFrameBytes = frameBytes;
    budget = frames;
  }

  void discard() {
    discarding = true;
    forgetPartial();
  }

  @Override
  public void channelRead(ChannelHandlerContext read, Object message)
      throws MalformedFrameException {
    ByteBuf in = (ByteBuf) message;
    try {
      while (in.isReadable() && !discarding) {
        if (partialBytes > 0 || !passComplete(in)) {
          buffer(in);
        }
      }
    } catch (MalformedFrameException e) {
      discard();
      throw e;
    } finally {
      in.release();
    }
  }

  /** Passes on a frame that arrived at once; this usual case needs no budget. */
  private boolean passComplete(ByteBuf in) throws MalformedFrameException {
    if (in.readableBytes() < LENGTH_BYTES) {
      return false;
    }
    int size = size(in.getInt(in.readerIndex()));
    if (in.readableBytes() < size) {
      return false;
    }
    Frame frame = Frame.parse(in.nioBuffer(in.readerIndex(), size));
    in.skipBytes(size);
    context.fireChannelRead(frame);
    return true;
  }

  private int size(int length) throws MalformedFrameException {
    if (length >>> 16 == TLS_HANDSHAKE) {
      throw new MalformedFrameException(
          "it speaks TLS, but this collector does not: start the collector with --tls-certificate"
              + " and --tls-key, or connect without TLS");
    }
    return Frame.checkedSizeBytes(length, maxFrameBytes);
  }

  private void buffer(ByteBuf in) throws MalformedFrameException {
    if (reservation != null && !reservation.isGranted()) {
      throw new IllegalStateException("Read beyond the budget");
    }
    int count = Math.min(in.readableBytes(), partial.length - partialBytes);
    in.readBytes(partial, partialBytes, count);
    partialBytes += count;
    if (partialBytes < partial.length) {
      if (reservation != null) {
        reservation.progressed();
      }
    } else if (reservation == null) {
      reserve(in);
    } else {
      Frame frame = Frame.parse(ByteBuffer.wrap(partial));
      // Not earlier: its result must be counted before others are granted.
      context.fireChannelRead(frame);
      forgetPartial();
    }
  }

  private void reserve(ByteBuf in) throws MalformedFrameException {
    int size = size(ByteBuffer.wrap(partial).getInt());
    int here = LENGTH_BYTES + Math.min(in.readableBytes(), size - LENGTH_BYTES);
    if (here == size) {
      byte[] complete = Arrays.copyOf(partial, size);
      in.readBytes(complete, LENGTH_BYTES, size - LENGTH_BYTES);
      forgetPartial();
      context.fireChannelRead(Frame.parse(ByteBuffer.wrap(complete)));
      return;
    }
    reservation = budget.reserve(this, size, here);
    if (reservation.isGranted()) {
      partial = Arrays.copyOf(partial, size);
    } else {
      partial = Arrays.copyOf(partial, here);
      in.readBytes(partial, LENGTH_BYTES, here - LENGTH_BYTES);
      partialBytes = here;
      context.fireUserEventTriggered(BudgetEvent.PAUSED);
    }
  }

  @Override
  public void granted() {
    // Not at once: the caller is processing another connection's frame.
    FrameBudget.Reservation granted = reservation;
    context
        .executor()
        .execute(
            () -> {
              if (reservation == granted && granted != null) {
                partial = Arrays.copyOf(partial, ByteBuffer.wrap(partial).getInt() + LENGTH_BYTES);
                context.fireUserEventTriggered(BudgetEvent.RESUMED);
              }
            });
  }

  @Override
  public void evicted() {
    context.fireUserEventTriggered(BudgetEvent.EVICTED);
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    discard();
    inactive.fireChannelInactive();
  }

  private void forgetPartial() {
    FrameBudget.Reservation released = reservation;
    reservation = null;
    partial = new byte[LENGTH_BYTES];
    partialBytes = 0;
    if (released != null) {
      released.release();
    }
  }
}
