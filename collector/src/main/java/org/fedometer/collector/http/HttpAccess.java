package org.fedometer.collector.http;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;

/** Access rules of the HTTP endpoint. Any thread. */
final class HttpAccess {
  private static final String BEARER = "bearer ";

  private final boolean loopback;
  private final String localHost;
  private final byte[] token;

  private HttpAccess(boolean loopback, String ownHost, byte[] token) {
    this.loopback = loopback;
    this.localHost = ownHost;
    this.token = token;
  }

  /** Returns the rules; the token is empty for none. */
  static HttpAccess of(InetSocketAddress listening, String token) {
    return new HttpAccess(
        listening.getAddress().isLoopbackAddress(),
        listening.getHostString().toLowerCase(Locale.ROOT),
        token.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns whether the request names this host.
   *
   * <p>A browser can be made to send requests to a loopback address under a foreign name. On other
   * addresses the collector does not know its names.
   */
  boolean isThisHost(List<String> hosts) {
    if (hosts.size() != 1) {
      return false;
    }
    String host = hosts.get(0).toLowerCase(Locale.ROOT);
    int colon = host.lastIndexOf(':');
    if (colon > host.lastIndexOf(']')) {
      host = host.substring(0, colon);
    }
    if (!loopback || host.equals("localhost") || host.equals(localHost)) {
      return !host.isEmpty();
    }
    String address =
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    InetAddress literal = NetUtil.createInetAddressFromIpAddressString(address);
    return literal != null && literal.isLoopbackAddress();
  }

  /** Returns whether the request may read everything; the header may be null. */
  boolean trusts(String authorization) {
    if (loopback || token.length == 0) {
      return true;
    }
    if (authorization == null
        || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return false;
    }
    byte[] given =
        authorization.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(token, given);
  }
}
