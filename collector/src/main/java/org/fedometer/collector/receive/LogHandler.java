package org.fedometer.collector.receive;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.fedometer.collector.logs.AgentEvents;
import org.fedometer.collector.logs.ArrivalOrder;
import org.fedometer.collector.logs.LogConnection;
import org.fedometer.collector.logs.LogEvent;
import org.fedometer.collector.logs.LogFormat;
import org.fedometer.collector.logs.LogHost;
import org.fedometer.collector.logs.LogHosts;
import org.fedometer.collector.logs.LogIntake;
import org.fedometer.collector.logs.LogRefusedException;
import org.fedometer.collector.logs.LogSenders;
import org.fedometer.collector.logs.LogStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a log sender: passes events to its host's source, or to the handler of
 * Fedometer's agent. On the connection's event loop.
 */
final class LogHandler extends ChannelInboundHandlerAdapter
    implements LogConnection, FrameBudget.Waiter {
  private static final Logger LOG = LoggerFactory.getLogger(LogHandler.class);

  /** Timeout for the first complete event, from its first bytes. */
  private static final int FIRST_EVENT_SECONDS = 10;

  /**
   * Part of an event that each connection may hold outside of {@link FrameBudget}, as it may a read
   * of 64 KiB; few events are longer.
   */
  private static final int UNRESERVED_BYTES = 16 * 1024;

  private final LogFormat format;
  private final LogIntake intake;
  private final LogHosts hosts;
  private final ConnectionTracker tracker;
  private final FrameBudget budget;
  private final RefusalLog refusalLog;
  private final Admission admission;
  private final ArrivalOrder order = new ArrivalOrder();
  private final Set<Object> pauses = Collections.newSetFromMap(new IdentityHashMap<>());
  private ChannelHandlerContext context;
  private String peer = "?";
  private String host = "?";
  private LogStream stream;
  private AgentEvents agentEvents;
  private LogHost logHost;
  private FrameBudget.Reservation reservation;

  /** Completed events when it made its reservation. */
  private long eventsBeforeReservation;

  private boolean refused;
  private boolean remarked;
  private boolean ended;

  LogHandler(
      LogFormat format,
      LogIntake intake,
      LogHosts hosts,
      ConnectionTracker tracker,
      FrameBudget budget,
      RefusalLog refusalLog,
      Admission admission) {
    this.format = format;
    this.intake = intake;
    this.hosts = hosts;
    this.tracker = tracker;
    this.budget = budget;
    this.refusalLog = refusalLog;
    this.admission = admission;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    SocketAddress address = added.channel().remoteAddress();
    peer = String.valueOf(address);
    host = address instanceof InetSocketAddress known ? known.getAddress().getHostAddress() : peer;
    String fault = refusalOf(added, intake.senders());
    if (fault != null) {
      refuse(fault);
    } else if (!tracker.logSenderArrived()) {
      refuse("the collector is stopping");
    } else {
      admission.introduced();
      LOG.debug("{} sends log events ({})", peer, format);
      agentEvents =
          intake.agentEvents() == null ? null : intake.agentEvents().open(this, added.executor());
      stream = new LogStream(format, this::add, agentEvents);
      added.executor().schedule(this::checkFirstEvent, FIRST_EVENT_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Returns the reason to refuse a connection's logs, or null; call after the TLS handshake. */
  static String refusalOf(ChannelHandlerContext connection, LogSenders senders) {
    SslHandler tls = connection.pipeline().get(SslHandler.class);
    return senders.refusal(
        connection.channel().remoteAddress() instanceof InetSocketAddress known ? known : null,
        tls == null ? null : tls.engine().getSession());
  }

  private void checkFirstEvent() {
    if (!ended && stream.events() == 0 && stream.partBytes() > 0) {
      refuse(
          "no complete event within %d s; end each event with a newline, a NUL or a bracket"
              .formatted(FIRST_EVENT_SECONDS));
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext read, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      if (!refused) {
        byte[] bytes = new byte[in.readableBytes()];
        in.readBytes(bytes);
        stream.read(bytes, 0, bytes.length);
        reserve();
        logRemark();
      }
    } catch (LogRefusedException e) {
      refuse(e.getMessage());
    } finally {
      in.release();
    }
  }

  private void add(LogEvent event) {
    if (logHost == null) {
      logHost = hosts.join(this);
    }
    logHost.add(event, order.of(event.epochNanos()));
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext complete) {
    flush();
  }

  private void flush() {
    if (logHost != null) {
      logHost.flush();
    }
    if (agentEvents != null && !ended) {
      agentEvents.readComplete();
    }
  }

  // ---- memory for parts of events ----

  private void reserve() {
    int part = stream.partBytes();
    if (part <= UNRESERVED_BYTES || stream.events() != eventsBeforeReservation) {
      releaseReservation();
    }
    if (part <= UNRESERVED_BYTES) {
      return;
    }
    if (reservation == null) {
      eventsBeforeReservation = stream.events();
      reservation = budget.reserve(this, LogStream.MAX_EVENT_BYTES, part);
      if (!reservation.isGranted()) {
        pause(budget);
      }
    } else {
      reservation.progressed();
    }
  }

  private void releaseReservation() {
    FrameBudget.Reservation left = reservation;
    reservation = null;
    if (left != null) {
      left.release();
      resume(budget);
    }
  }

  @Override
  public void granted() {
    // Not at once: the caller is processing another connection's event.
    context.executor().execute(() -> resume(budget));
  }

  @Override
  public void evicted() {
    refuse("an event stalled while others waited for its memory");
  }

  // ---- LogConnection ----

  @Override
  public String peer() {
    return peer;
  }

  @Override
  public String host() {
    return host;
  }

  @Override
  public void pause(Object requester) {
    if (pauses.add(requester)) {
      context.channel().config().setAutoRead(false);
    }
  }

  @Override
  public void resume(Object requester) {
    if (pauses.remove(requester) && pauses.isEmpty()) {
      context.channel().config().setAutoRead(true);
    }
  }

  @Override
  public void refuse(String reason) {
    if (!refused) {
      refused = true;
      refusalLog.logRefusal(Refusals.Reason.LOGS, peer, "its log events: " + reason);
      context.channel().close();
    }
  }

  // ---- shutdown ----

  @Override
  public void channelInactive(ChannelHandlerContext inactive) {
    try {
      flushPartial();
    } finally {
      ended = true;
      releaseReservation();
      tracker.closed(false);
      if (logHost != null) {
        logHost.leave(this);
      }
      if (agentEvents != null) {
        agentEvents.closed();
      }
    }
  }

  /** Ends the stream, which may have an unterminated event. */
  private void flushPartial() {
    String fault = null;
    if (stream != null && !refused) {
      try {
        fault = stream.end();
      } catch (LogRefusedException e) {
        fault = e.getMessage();
      }
    }
    flush();
    if (fault != null) {
      refusalLog.logRefusal(Refusals.Reason.LOGS, peer, "its log events: " + fault);
    }
    logRemark();
  }

  /** Logs a remark once per connection; its events are accepted anyway. */
  private void logRemark() {
    String remark = stream == null || remarked ? null : stream.remark();
    if (remark != null) {
      remarked = true;
      refusalLog.logRemark(peer, "its log events: " + remark);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext failed, Throwable failure) {
    Throwable cause =
        failure instanceof DecoderException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof SSLException tls) {
      // Any permitted log sender can cause it arbitrarily often.
      refuse("the TLS connection failed: " + TlsFailure.describe(tls));
    } else if (cause instanceof IOException) {
      LOG.info("{}: {}", peer, cause.getMessage());
    } else {
      LOG.error("{}: closed after an unexpected failure", peer, cause);
    }
    failed.close();
  }
}
