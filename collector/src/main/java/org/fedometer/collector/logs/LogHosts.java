package org.fedometer.collector.logs;

import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.Map;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.wire.record.LogEncoder;

/**
 * The hosts that send logs, each a source of the segment log while it sends. On the event loop
 * shared by all connections.
 */
public final class LogHosts {
  private final SegmentLog segmentLog;
  private final LogIntake intake;
  private final EventExecutor loop;
  private final Map<String, LogHost> hosts = new HashMap<>();

  /** An unused encoder, kept for its allocated memory. */
  private LogEncoder spare = new LogEncoder();

  public LogHosts(SegmentLog segmentLog, LogIntake intake, EventExecutor loop) {
    this.segmentLog = segmentLog;
    this.intake = intake;
    this.loop = loop;
  }

  /**
   * Adds a connection to its host until {@link LogHost#leave} removes it. Pauses the connection
   * until the host can accept events.
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
