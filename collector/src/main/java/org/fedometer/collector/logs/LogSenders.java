package org.fedometer.collector.logs;

import java.net.InetSocketAddress;
import javax.net.ssl.SSLSession;

/**
 * Decides whose logs are taken. Stock appenders have no place for a token, so somebody has to. On
 * the network's event loop; must not block.
 */
@FunctionalInterface
public interface LogSenders {
  /**
   * @param peer who has connected
   * @param tls of the connection, null if it is plain
   * @return null where its logs are taken; else a sentence that says why they are not
   */
  String refusal(InetSocketAddress peer, SSLSession tls);

  /** Everybody, unless the collector asks its sources for a token. */
  static LogSenders unlessThereIs(String token) {
    return (peer, tls) ->
        token.isEmpty()
            ? null
            : "this collector asks for a token, which a Log4j2 appender cannot show";
  }
}
