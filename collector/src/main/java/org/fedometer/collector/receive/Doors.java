package org.fedometer.collector.receive;

import java.net.InetSocketAddress;
import org.fedometer.collector.logs.ListedSenders;
import org.fedometer.collector.logs.LogSenders;

/**
 * Whom a collector lets in.
 *
 * @param strangersAllowed whether it may listen where others can reach it without asking them for
 *     anything, or in the clear
 * @param mostConnections open at a time
 * @param logSenders who may send what Log4j2 sends; null for everybody where the collector has no
 *     token, else for nobody
 */
public record Doors(boolean strangersAllowed, int mostConnections, LogSenders logSenders) {
  private static final int MOST_CONNECTIONS = 4096;

  public Doors {
    if (mostConnections < 1) {
      throw new IllegalArgumentException(
          "--most-connections " + mostConnections + ": must be 1 or more");
    }
  }

  /** Of one address, before they have introduced themselves: one peer leaves room for others. */
  int mostStrangersOfAnAddress() {
    return Math.max(1, mostConnections / 4);
  }

  /** No strangers, 4,096 connections. */
  public static Doors standard() {
    return new Doors(false, MOST_CONNECTIONS, null);
  }

  public Doors withStrangersAllowed(boolean value) {
    return new Doors(value, mostConnections, logSenders);
  }

  public Doors withMostConnections(int value) {
    return new Doors(strangersAllowed, value, logSenders);
  }

  public Doors withLogSenders(LogSenders value) {
    return new Doors(strangersAllowed, mostConnections, value);
  }

  /** {@code token}: whether the collector asks sources for one. */
  public LogSenders logSenders(boolean token) {
    return logSenders != null
        ? logSenders
        : token ? ListedSenders.nobody() : ListedSenders.anybody();
  }

  /**
   * Refuses to listen where strangers could come in.
   *
   * @param option that names the address
   * @param tls null for plain connections
   * @param token whether sources and readers are asked for one
   * @throws IllegalArgumentException one sentence: says what to choose from
   */
  public void check(String option, InetSocketAddress address, TlsFiles tls, boolean token) {
    boolean reachable = !address.isUnresolved() && !address.getAddress().isLoopbackAddress();
    boolean known = token || (tls != null && tls.requiresCertificates());
    if (!reachable || strangersAllowed || (tls != null && known)) {
      return;
    }
    String fault =
        tls == null
            ? known ? "in the clear, where others can read the token" : "and let everybody in"
            : "and let everybody in who speaks TLS";
    throw new IllegalArgumentException(
        "%s %s:%d would listen on more than loopback %s: give%s%s, or listen on 127.0.0.1:%d, or say --allow-strangers"
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
