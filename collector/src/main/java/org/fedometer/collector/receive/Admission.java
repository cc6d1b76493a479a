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
import org.fedometer.wire.session.Refused;

/**
 * Stands before all else on a connection, TLS included: lets it in if there is a place, hangs up
 * when the peer has not introduced itself in time, however much it has said, and when it takes
 * nothing of what it is sent. Whoever learns who the peer is calls {@link #introduced}. On the
 * connection's event loop.
 */
final class Admission extends ChannelDuplexHandler {
  private static final int GOODBYE_SECONDS = 2;

  private final Rules rules;
  private final ConnectionCount count;
  private final DoorLog log;
  private final boolean plain;
  private BooleanSupplier silenceIsBorne = () -> false;
  private boolean silent;
  private ChannelHandlerContext context;
  private InetAddress address;
  private boolean inside;
  private boolean introduced;
  private boolean minding;
  private boolean leaving;

  /**
   * What holds for all connections.
   *
   * @param introduction time for it, from the beginning of the connection, TLS's handshake included
   * @param stillness how long a peer may take nothing of what waits for it
   * @param mostConnections see {@link ConnectionCount}
   * @param mostStrangers see {@link ConnectionCount}
   */
  record Rules(Duration introduction, Duration stillness, int mostConnections, int mostStrangers) {

    static Rules of(Doors doors) {
      return new Rules(
          Duration.ofSeconds(10),
          Duration.ofMinutes(10),
          doors.mostConnections(),
          doors.mostStrangersOfAnAddress());
    }
  }

  /** Told to the handlers behind. */
  enum Event {
    /** The peer has not introduced itself in time; the connection is closed soon. */
    TOO_LATE
  }

  /** {@code plain}: the peer can read what is said before any handshake. */
  Admission(Rules rules, ConnectionCount count, DoorLog log, boolean plain) {
    this.rules = rules;
    this.count = count;
    this.log = log;
    this.plain = plain;
  }

  /**
   * Some peers need no introduction, such as appenders whose program has nothing to log yet: they
   * may say nothing for as long as they like.
   *
   * @param condition asked when the time for an introduction is over: whether this is one of them,
   *     and has said nothing so far
   */
  void bearSilence(BooleanSupplier condition) {
    silenceIsBorne = condition;
  }

  /** The peer has begun to say something: from now on it has as much time as others had. */
  void spoken() {
    if (silent) {
      silent = false;
      giveTime();
    }
  }

  void introduced() {
    if (inside && !introduced) {
      introduced = true;
      count.introduced(address);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    context = active;
    address = ((InetSocketAddress) active.channel().remoteAddress()).getAddress();
    String refusal = count.refusalOf(address);
    if (refusal != null) {
      turnAway(refusal);
      return;
    }
    inside = true;
    giveTime();
    active.fireChannelActive();
  }

  private void giveTime() {
    context
        .executor()
        .schedule(this::endUnlessIntroduced, rules.introduction.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void turnAway(String reason) {
    log.say(Refusals.Reason.FULL, peer(), reason);
    if (plain) {
      byte[] frame = Frame.session(FrameType.REFUSED, new Refused(true, reason).encode()).toBytes();
      context.writeAndFlush(Unpooled.wrappedBuffer(frame)).addListener(ChannelFutureListener.CLOSE);
    } else {
      context.close();
    }
  }

  private void endUnlessIntroduced() {
    if (introduced || !context.channel().isActive()) {
      return;
    }
    if (silenceIsBorne.getAsBoolean()) {
      silent = true;
      return;
    }
    log.say(
        Refusals.Reason.SILENT,
        peer(),
        "it did not introduce itself within " + rules.introduction.toMillis() / 1000.0 + " s");
    context.fireUserEventTriggered(Event.TOO_LATE);
    closeSoon();
  }

  /** Not through TLS, which would wait for its own farewell to be taken. */
  private void closeSoon() {
    context.executor().schedule(() -> context.close(), GOODBYE_SECONDS, TimeUnit.SECONDS);
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
    if (leaving) {
      closed.channel().closeFuture().addListener(ended -> promise.trySuccess());
      return;
    }
    leaving = true;
    closed.channel().config().setAutoRead(true);
    ((SocketChannel) closed.channel()).shutdownOutput();
    closed.executor().schedule(() -> closed.close(promise), GOODBYE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext read, Object message) {
    if (inside && !leaving) {
      read.fireChannelRead(message);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext changed) {
    if (!changed.channel().isWritable() && !minding) {
      minding = true;
      mind(pendingBytes());
    }
    changed.fireChannelWritabilityChanged();
  }

  private void mind(long pendingBytes) {
    context
        .executor()
        .schedule(
            () -> endIfStill(pendingBytes), rules.stillness.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** While it is not writable, nothing is added: fewer bytes mean that the peer takes some. */
  private void endIfStill(long pendingBytesBefore) {
    long pendingBytes = pendingBytes();
    if (!context.channel().isActive() || context.channel().isWritable()) {
      minding = false;
    } else if (pendingBytes < pendingBytesBefore) {
      mind(pendingBytes);
    } else {
      log.say(
          Refusals.Reason.STILL,
          peer(),
          "it took nothing of what it was sent for " + rules.stillness.toMillis() / 1000.0 + " s");
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
    if (inside) {
      inside = false;
      count.left(address, introduced);
      inactive.fireChannelInactive();
    }
  }

  private String peer() {
    return String.valueOf(context.channel().remoteAddress());
  }
}
