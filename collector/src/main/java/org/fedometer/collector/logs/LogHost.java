package org.fedometer.collector.logs;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.segmentlog.SourceConnection;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Welcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A host that sends logs: one source of the segment log for all its connections. Runs on their
 * shared event loop; calls of the segment log are redirected there.
 *
 * <p>Frame numbers continue those of the segment log. Frames cannot be resent: those that a refusal
 * leaves unacknowledged count as missing when the host returns.
 */
public final class LogHost implements SourceConnection {
  private static final Logger LOG = LoggerFactory.getLogger(LogHost.class);

  /** Size from which a frame is sent at once; large frames amortize their record. */
  private static final int FULL_FRAME_BYTES = 256 * 1024;

  /** Appenders reconnect after half a minute by default. */
  private static final int LINGER_SECONDS = 60;

  private final String address;
  private final UUID source;
  private final SegmentLog segmentLog;
  private final LogIntake intake;
  private final EventExecutor loop;
  private final LogHosts hosts;
  private final Set<LogConnection> connections = new LinkedHashSet<>();
  private final Set<PauseReason> pauses = EnumSet.noneOf(PauseReason.class);
  private final List<Frame> beforeWelcome = new ArrayList<>();
  private LogEncoder lines;
  private boolean arrived;
  private boolean welcome;

  /** Null while it has connections, or has left. */
  private Future<?> leaving;

  /** Sequence of the newest frame, and of the newest durable one. */
  private long sequence;

  private volatile long durableSequence;

  LogHost(
      String address, SegmentLog segmentLog, LogIntake intake, EventExecutor loop, LogHosts hosts) {
    this.address = address;
    this.segmentLog = segmentLog;
    this.intake = intake;
    this.loop = loop;
    this.hosts = hosts;
    this.source =
        UUID.nameUUIDFromBytes(
            (Hello.LOG_HOST + " " + intake.storeId() + " " + address)
                .getBytes(StandardCharsets.UTF_8));
  }

  // ---- connections ----

  void join(LogConnection connection) {
    connections.add(connection);
    if (leaving != null) {
      leaving.cancel(false);
      leaving = null;
    }
    if (!arrived) {
      arrive();
    }
    if (mustWait()) {
      connection.pause(this);
    }
  }

  private void arrive() {
    arrived = true;
    segmentLog.sourceConnected(
        this,
        Hello.builder(source, Hello.LOG_HOST)
            .firstAvailableSequence(sequence + 1)
            .sourceName(address)
            .attributes(Map.of(Hello.CLOCK, Hello.EPOCH))
            .build());
  }

  /**
   * Adds an event of one of its connections, with the time from the connection's {@link
   * ArrivalOrder}.
   */
  public void add(LogEvent event, long epochNanos) {
    if (event.isAssumed()) {
      intake.assumedEvents().add(address);
    }
    if (lines == null) {
      lines = hosts.acquireEncoder();
    }
    lines.add(
        epochNanos,
        event.level(),
        0,
        event.logger(),
        event.thread(),
        event.message(),
        event.thrown(),
        event.context());
    if (lines.sizeBytes() >= FULL_FRAME_BYTES) {
      flush();
    }
  }

  /** Sends the current frame; no events follow for the moment. */
  public void flush() {
    if (lines == null) {
      return;
    }
    byte[] payload = lines.finish();
    hosts.releaseEncoder(lines);
    lines = null;
    if (welcome) {
      send(FrameType.LOGS.code(), payload);
    } else {
      beforeWelcome.add(new Frame(FrameType.LOGS.code(), 0, payload));
    }
  }

  private void send(byte type, byte[] payload) {
    sequence++;
    segmentLog.frameReceived(this, new Frame(type, sequence, payload));
  }

  public void leave(LogConnection connection) {
    connections.remove(connection);
    leaveLater();
  }

  private void leaveLater() {
    if (connections.isEmpty() && arrived && leaving == null) {
      leaving = loop.schedule(this::leaveIfAlone, LINGER_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Leaves once all frames are durable: a returning host continues at the segment log's number. */
  private void leaveIfAlone() {
    leaving = null;
    if (!connections.isEmpty() || !arrived) {
      return;
    }
    if (!welcome || durableSequence < sequence) {
      leaveLater();
      return;
    }
    arrived = false;
    welcome = false;
    segmentLog.sourceDisconnected(this);
    hosts.forget(this);
  }

  // ---- calls of the segment log, on its thread or within a request to it ----

  @Override
  public void welcome(Welcome message) {
    loop.execute(
        () -> {
          welcome = true;
          sequence = Math.max(sequence, message.lastDurableSequence());
          durableSequence = message.lastDurableSequence();
          List<Frame> waiting = new ArrayList<>(beforeWelcome);
          beforeWelcome.clear();
          waiting.forEach(frame -> send(frame.typeCode(), frame.payload()));
          updateConnections();
          leaveLater();
        });
  }

  @Override
  public void acknowledge(Acknowledgement acknowledgement) {
    durableSequence = acknowledgement.lastDurableSequence();
  }

  @Override
  public void refuse(Rejected refused) {
    loop.execute(
        () -> {
          arrived = false;
          welcome = false;
          pauses.clear();
          if (!beforeWelcome.isEmpty()) {
            LOG.warn("{}: log events that came before the refusal are not stored", address);
            beforeWelcome.clear();
          }
          if (durableSequence == sequence) {
            hosts.forget(this);
          }
          // Closing removes each from the list.
          new ArrayList<>(connections).forEach(connection -> connection.refuse(refused.reason()));
        });
  }

  @Override
  public void pause(PauseReason reason) {
    if (loop.inEventLoop()) {
      pauses.add(reason);
      updateConnections();
    } else {
      loop.execute(() -> pause(reason));
    }
  }

  @Override
  public void resume(PauseReason reason) {
    loop.execute(
        () -> {
          pauses.remove(reason);
          updateConnections();
        });
  }

  private boolean mustWait() {
    return !welcome || !pauses.isEmpty();
  }

  private void updateConnections() {
    boolean wait = mustWait();
    for (LogConnection connection : new ArrayList<>(connections)) {
      if (wait) {
        connection.pause(this);
      } else {
        connection.resume(this);
      }
    }
  }

  @Override
  public String peer() {
    return address;
  }
}
