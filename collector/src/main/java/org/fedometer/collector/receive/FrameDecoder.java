package org.fedometer.collector.receive;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.fedometer.wire.Frame;
import org.fedometer.wire.Hello;
import org.fedometer.wire.MalformedFrameException;

/**
 * Cuts a connection's bytes into frames. Until the first frame has come, only a short one is
 * allowed, so that a stranger's bytes fill no memory; after a malformed one all is thrown away. On
 * the connection's event loop.
 */
final class FrameDecoder extends ByteToMessageDecoder {
  private int maxFrameBytes = Hello.MAX_FRAME_BYTES;
  private boolean broken;

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws MalformedFrameException {
    if (broken) {
      in.skipBytes(in.readableBytes());
      return;
    }
    try {
      Frame frame = next(in);
      if (frame != null) {
        out.add(frame);
        maxFrameBytes = Frame.MAX_BYTES;
      }
    } catch (MalformedFrameException e) {
      broken = true;
      in.skipBytes(in.readableBytes());
      throw e;
    }
  }

  /** Null while the frame has not arrived as a whole. */
  private Frame next(ByteBuf in) throws MalformedFrameException {
    if (in.readableBytes() < 4) {
      return null;
    }
    int size = Frame.checkedSizeBytes(in.getInt(in.readerIndex()), maxFrameBytes);
    if (in.readableBytes() < size) {
      return null;
    }
    Frame frame = Frame.parse(in.nioBuffer(in.readerIndex(), size));
    in.skipBytes(size);
    return frame;
  }
}
