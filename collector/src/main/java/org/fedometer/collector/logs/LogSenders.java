package org.fedometer.collector.logs;

import java.net.InetSocketAddress;
import javax.net.ssl.SSLSession;

/**
 * Decides which senders' logs are accepted, since stock appenders cannot send a token. On the
 * network's event loop; must not block.
 */
@FunctionalInterface
public interface LogSenders {
  /**
   * Returns the reason to refuse a sender.
   *
   * @param peer the sender's address
   * @param tls session of the connection, null if plain
   * @return null to accept its logs; else one sentence
   */
  String refusal(InetSocketAddress peer, SSLSession tls);
}
