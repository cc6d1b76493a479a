package org.fedometer.collector.logs;

import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.Map;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.wire.record.LogEncoder;

/**
 * The hosts that logs come from, each of them a source of the journal for as long as it sends. On
 * the event loop that all connections share.
 */
public final class LogHosts {
  private final SegmentLog segmentLog;
  private final LogIntake intake;
  private final EventExecutor loop;
  private final Map<String, LogHost> hosts = new HashMap<>();

  /** Not in use: its memory is large enough by now. */
  private LogEncoder spare = new LogEncoder();

  public LogHosts(SegmentLog segmentLog, LogIntake intake, EventExecutor loop) {
    this.segmentLog = segmentLog;
    this.intake = intake;
    this.loop = loop;
  }

  /**
   * Has a connection's host among the sources, until {@link LogHost#leave} says that the connection
   * is gone. Pauses the connection until its events can go on.
   */
  public LogHost join(LogConnection connection) {
    LogHost host =
        hosts.computeIfAbsent(
            connection.host(), address -> new LogHost(address, segmentLog, intake, loop, this));
    host.join(connection);
    return host;
  }

  void forget(LogHost host) {
    hosts.remove(host.peer(), host);
  }

  LogEncoder acquireEncoder() {
    LogEncoder encoder = spare == null ? new LogEncoder() : spare;
    spare = null;
    return encoder;
  }

  void releaseEncoder(LogEncoder empty) {
    spare = empty;
  }
}
