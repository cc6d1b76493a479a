package org.fedometer.collector.receive;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Rejected;

/**
 * Stands before all else on a connection, TLS included: lets it in if there is a place, hangs up
 * when the peer has not introduced itself in time, however much it has said, and when it takes
 * nothing of what it is sent. Whoever learns who the peer is calls {@link #introduced}. On the
 * connection's event loop.
 */
final class Admission extends ChannelDuplexHandler {
  private static final int CLOSE_DELAY_SECONDS = 2;

  private final Rules rules;
  private final ConnectionCount count;
  private final RefusalLog refusalLog;
  private final boolean plain;
  private BooleanSupplier silenceAllowed = () -> false;
  private boolean silent;
  private ChannelHandlerContext context;
  private InetAddress address;
  private boolean admitted;
  private boolean introduced;
  private boolean stallCheckPending;
  private boolean closing;

  /**
   * What holds for all connections.
   *
   * @param introductionTimeout time for it, from the beginning of the connection, TLS's handshake
   *     included
   * @param stallTimeout how long a peer may take nothing of what waits for it
   * @param maxConnections see {@link ConnectionCount}
   * @param maxStrangers see {@link ConnectionCount}
   */
  record Rules(
      Duration introductionTimeout, Duration stallTimeout, int maxConnections, int maxStrangers) {

    static Rules of(AccessRules access) {
      return new Rules(
          Duration.ofSeconds(10),
          Duration.ofMinutes(10),
          access.maxConnections(),
          access.maxStrangersPerAddress());
    }
  }

  /** Told to the handlers behind. */
  enum Event {
    /** The peer has not introduced itself in time; the connection is closed soon. */
    TOO_LATE
  }

  /** {@code plain}: the peer can read what is said before any handshake. */
  Admission(Rules rules, ConnectionCount count, RefusalLog refusalLog, boolean plain) {
    this.rules = rules;
    this.count = count;
    this.refusalLog = refusalLog;
    this.plain = plain;
  }

  /**
   * Some peers need no introduction, such as appenders whose program has nothing to log yet: they
   * may say nothing for as long as they like.
   *
   * @param condition asked when the time for an introduction is over: whether this is one of them,
   *     and has said nothing so far
   */
  void allowSilence(BooleanSupplier condition) {
    silenceAllowed = condition;
  }

  /** The peer has begun to say something: from now on it has as much time as others had. */
  void dataReceived() {
    if (silent) {
      silent = false;
      startTimeout();
    }
  }

  void introduced() {
    if (admitted && !introduced) {
      introduced = true;
      count.introduced(address);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    context = active;
    address = ((InetSocketAddress) active.channel().remoteAddress()).getAddress();
    String refusal = count.tryOpen(address);
    if (refusal != null) {
      reject(refusal);
      return;
    }
    admitted = true;
    startTimeout();
    active.fireChannelActive();
  }

  private void startTimeout() {
    context
        .executor()
        .schedule(
            this::closeUnlessIntroduced,
            rules.introductionTimeout.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private void reject(String reason) {
    refusalLog.logRefusal(Refusals.Reason.FULL, peer(), reason);
    if (plain) {
      byte[] frame =
          Frame.session(FrameType.REJECTED, new Rejected(true, reason).encode()).toBytes();
      context.writeAndFlush(Unpooled.wrappedBuffer(frame)).addListener(ChannelFutureListener.CLOSE);
    } else {
      context.close();
    }
  }

  private void closeUnlessIntroduced() {
    if (introduced || !context.channel().isActive()) {
      return;
    }
    if (silenceAllowed.getAsBoolean()) {
      silent = true;
      return;
    }
    refusalLog.logRefusal(
        Refusals.Reason.SILENT,
        peer(),
        "it did not introduce itself within "
            + rules.introductionTimeout.toMillis() / 1000.0
            + " s");
    context.fireUserEventTriggered(Event.TOO_LATE);
    closeSoon();
  }

  /** Not through TLS, which would wait for its own farewell to be taken. */
  private void closeSoon() {
    context.executor().schedule(() -> context.close(), CLOSE_DELAY_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * TLS that ends a handshake has said why; what the peer is still sending, most of all its HELLO,
   * is read and thrown away for a while. Closing at once would reset the connection, and the reason
   * would be lost on the way.
   */
  @Override
  public void close(ChannelHandlerContext closed, ChannelPromise promise) {
    if (plain || introduced || !closed.channel().isActive()) {
      closed.close(promise);
      return;
    }
    if (closing) {
      closed.channel().closeFuture().addListener(ended -> promise.trySuccess());
      return;
    }
    closing = true;
    closed.channel().config().setAutoRead(true);
    ((SocketChannel) closed.channel()).shutdownOutput();
    closed.executor().schedule(() -> closed.close(promise), CLOSE_DELAY_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext read, Object message) {
    if (admitted && !closing) {
      read.fireChannelRead(message);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext changed) {
    if (!changed.channel().isWritable() && !stallCheckPending) {
      stallCheckPending = true;
      scheduleStallCheck(pendingBytes());
    }
    changed.fireChannelWritabilityChanged();
  }

  private void scheduleStallCheck(long pendingBytes) {
    context
        .executor()
        .schedule(
            () -> closeIfStalled(pendingBytes),
            rules.stallTimeout.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /** While it is not writable, nothing is added: fewer bytes mean that the peer takes some. */
  private void closeIfStalled(long pendingBytesBefore) {
    long pendingBytes = pendingBytes();
    if (!context.channel().isActive() || context.channel().isWritable()) {
      stallCheckPending = false;
    } else if (pendingBytes < pendingBytesBefore) {
      scheduleStallCheck(pendingBytes);
    } else {
      refusalLog.logRefusal(
          Refusals.Reason.STILL,
          peer(),
          "it took nothing of what it was sent for "
              + rules.stallTimeout.toMillis() / 1000.0
              + " s");
      reset();
    }
  }

  /**
   * Nobody will take what still waits for the peer. Without a reset the system keeps those
   * megabytes and asks the peer again and again whether it takes them now, for as long as it
   * answers.
   */
  private void reset() {
    ((SocketChannel) context.channel()).config().setSoLinger(0);
    context.close();
  }

  private long pendingBytes() {
    ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    if (admitted) {
      admitted = false;
      count.closed(address, introduced);
      inactive.fireChannelInactive();
    }
  }

  private String peer() {
    return String.valueOf(context.channel().remoteAddress());
  }
}
