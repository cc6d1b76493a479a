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
 * First handler of a connection, before TLS. Accepts it if there is a slot, and closes it if the
 * peer does not introduce itself in time, regardless of its data, or does not read.
 *
 * <p>Call {@link #introduced} once the peer is known. On the connection's event loop.
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
   * Limits for all connections.
   *
   * @param introductionTimeout from the start of the connection, TLS handshake included
   * @param stallTimeout how long a peer may read nothing of pending data
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

  /** Events for subsequent handlers. */
  enum Event {
    /** The introduction timed out; the connection closes soon. */
    TOO_LATE
  }

  /**
   * @param plain whether the peer can read data before a handshake
   */
  Admission(Rules rules, ConnectionCount count, RefusalLog refusalLog, boolean plain) {
    this.rules = rules;
    this.count = count;
    this.refusalLog = refusalLog;
    this.plain = plain;
  }

  /**
   * Exempts peers that need no introduction, such as appenders without a log event so far: they may
   * be silent for any time.
   *
   * @param condition called on timeout; returns whether the peer is exempt and has sent nothing
   */
  void allowSilence(BooleanSupplier condition) {
    silenceAllowed = condition;
  }

  /** Starts the timeout with the first data of an exempt peer. */
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

  /** Closes below TLS, which would wait until the peer reads its close message. */
  private void closeSoon() {
    context.executor().schedule(() -> context.close(), CLOSE_DELAY_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Closes with a delay after a failed handshake. TLS has sent the reason, and the peer's data,
   * above all its HELLO, is discarded meanwhile. Closing at once would reset the connection and
   * lose the reason.
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

  /**
   * Closes a connection that does not read. While it is not writable nothing is added, so fewer
   * pending bytes show progress.
   */
  private void closeIfStalled(long pendingBytesBefore) {
    long pendingBytes = pendingBytes();
    if (!context.channel().isActive() || context.channel().isWritable()) {
      stallCheckPending = false;
    } else if (pendingBytes < pendingBytesBefore) {
      scheduleStallCheck(pendingBytes);
    } else {
      refusalLog.logRefusal(
          Refusals.Reason.NOT_READING,
          peer(),
          "it has read nothing for " + rules.stallTimeout.toMillis() / 1000.0 + " s");
      reset();
    }
  }

  /**
   * Closes with a reset. Otherwise the system would keep megabytes of unread data and probe the
   * peer for as long as it replies.
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
