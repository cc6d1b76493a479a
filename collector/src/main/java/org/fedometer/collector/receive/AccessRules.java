package org.fedometer.collector.receive;

import java.net.InetSocketAddress;
import org.fedometer.collector.logs.LogSenders;
import org.fedometer.collector.logs.SenderAllowList;

/**
 * Access rules of a collector.
 *
 * @param strangersAllowed whether it may listen beyond loopback without authentication or TLS
 * @param maxConnections open connections
 * @param logSenders senders whose Log4j2 events are accepted; null for all if the collector has no
 *     token, else for none
 */
public record AccessRules(boolean strangersAllowed, int maxConnections, LogSenders logSenders) {
  private static final int DEFAULT_MAX_CONNECTIONS = 4096;

  public AccessRules {
    if (maxConnections < 1) {
      throw new IllegalArgumentException(
          "--max-connections " + maxConnections + ": must be 1 or more");
    }
  }

  /**
   * Returns the limit of unauthenticated connections per address, so that one peer leaves space for
   * others.
   */
  int maxStrangersPerAddress() {
    return Math.max(1, maxConnections / 4);
  }

  /** Returns rules without open access, for 4,096 connections. */
  public static AccessRules defaults() {
    return new AccessRules(false, DEFAULT_MAX_CONNECTIONS, null);
  }

  public AccessRules withStrangersAllowed(boolean value) {
    return new AccessRules(value, maxConnections, logSenders);
  }

  public AccessRules withMaxConnections(int value) {
    return new AccessRules(strangersAllowed, value, logSenders);
  }

  public AccessRules withLogSenders(LogSenders value) {
    return new AccessRules(strangersAllowed, maxConnections, value);
  }

  /** Returns the rules for log senders; {@code token} is whether the collector requires one. */
  public LogSenders logSenders(boolean token) {
    return logSenders != null ? logSenders : token ? SenderAllowList.none() : SenderAllowList.all();
  }

  /**
   * Rejects an address that would allow open access.
   *
   * @param option the option with the address
   * @param tls null for plain connections
   * @param token whether sources and readers must have one
   * @throws IllegalArgumentException if so; the message is one sentence with the alternatives
   */
  public void check(String option, InetSocketAddress address, TlsFiles tls, boolean token) {
    boolean reachable = !address.isUnresolved() && !address.getAddress().isLoopbackAddress();
    boolean known = token || (tls != null && tls.requiresCertificates());
    if (!reachable || strangersAllowed || (tls != null && known)) {
      return;
    }
    String fault =
        tls == null
            ? known ? "in the clear, where others can read the token" : "and let every client in"
            : "and let in every client that speaks TLS";
    throw new IllegalArgumentException(
        ("%s %s:%d would listen on more than loopback %s: give%s%s, or listen on 127.0.0.1:%d, or"
                + " give --insecure")
            .formatted(
                option,
                address.getHostString(),
                address.getPort(),
                fault,
                tls == null
                    ? " a certificate (--tls-certificate and --tls-key, or a keystore)"
                    : "",
                known ? "" : (tls == null ? " and" : "") + " a token (--token-file)",
                address.getPort()));
  }
}
