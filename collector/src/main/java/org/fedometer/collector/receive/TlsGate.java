package org.fedometer.collector.receive;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;

/**
 * First handler on a TLS-only port: removes itself if the first bytes are a handshake, otherwise
 * has the peer refused with a readable reason. On the connection's event loop.
 */
public final class TlsGate extends ByteToMessageDecoder {
  /** Size of a TLS record header; a HELLO is longer. */
  private static final int RECORD_HEADER_BYTES = 5;

  private final TlsIdentity identity;
  private boolean refused;

  public TlsGate(TlsIdentity identity) {
    this.identity = identity;
  }

  /** Thrown if the peer's data is not TLS. */
  public static final class PlainConnectionException extends Exception {
    private static final long serialVersionUID = 1L;

    PlainConnectionException() {
      super(
          "this collector accepts only TLS connections: connect with --tls-ca FILE or --tls, an"
              + " agent with its options tls-ca or tls, a Log4j2 appender with <Ssl> in its"
              + " <Socket>");
    }
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws PlainConnectionException {
    if (refused) {
      in.skipBytes(in.readableBytes());
    } else if (in.readableBytes() >= RECORD_HEADER_BYTES) {
      if (SslHandler.isEncrypted(in, false)) {
        context.pipeline().replace(this, null, identity.newHandler(context.alloc()));
      } else {
        refused = true;
        in.skipBytes(in.readableBytes());
        throw new PlainConnectionException();
      }
    }
  }
}
