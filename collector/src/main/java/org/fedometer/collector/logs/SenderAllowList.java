package org.fedometer.collector.logs;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Lists the addresses whose logs are accepted from stock Log4j2 appenders, which cannot send a
 * token. A client certificate also suffices. Immutable; any thread.
 */
public final class SenderAllowList implements LogSenders {
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}([.][0-9]{1,3}){3}|[0-9a-fA-F.:]*:[0-9a-fA-F.:]*");

  private static final SenderAllowList ALL = new SenderAllowList(List.of(), true);
  private static final SenderAllowList NONE = new SenderAllowList(List.of(), false);

  private final List<Network> networks;
  private final boolean all;

  /** Addresses with the same leading bits. */
  private record Network(byte[] address, int bits) {
    boolean contains(byte[] other) {
      if (other.length != address.length) {
        return false;
      }
      for (int i = 0; i < bits; i++) {
        int mask = 0x80 >>> (i % 8);
        if (((address[i / 8] ^ other[i / 8]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  private SenderAllowList(List<Network> networks, boolean all) {
    this.networks = networks;
    this.all = all;
  }

  public static SenderAllowList all() {
    return ALL;
  }

  /** Accepts only senders with a certificate. */
  public static SenderAllowList none() {
    return NONE;
  }

  /**
   * @param text {@code any}, {@code none}, or comma-separated addresses and networks: {@code
   *     192.0.2.7,10.0.0.0/8,2001:db8::/32}
   * @throws IllegalArgumentException if a part is none of these; the message is one sentence
   */
  public static SenderAllowList of(String text) {
    if (text.equals("any")) {
      return ALL;
    } else if (text.equals("none")) {
      return NONE;
    }
    List<Network> networks = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      networks.add(network(part.strip()));
    }
    return new SenderAllowList(List.copyOf(networks), false);
  }

  private static Network network(String text) {
    int slash = text.indexOf('/');
    byte[] address = address(slash < 0 ? text : text.substring(0, slash), text);
    int maxBits = address.length * 8;
    int bits = maxBits;
    if (slash >= 0) {
      try {
        bits = Integer.parseInt(text.substring(slash + 1));
      } catch (NumberFormatException e) {
        bits = -1;
      }
      if (bits < 0 || bits > maxBits) {
        throw new IllegalArgumentException(
            "'" + text + "' is not a network: give a number of bits after the /, 0 to " + maxBits);
      }
    }
    return new Network(address, bits);
  }

  /** Parses an address. Rejects names, since a resolver's result may change or be forged. */
  private static byte[] address(String address, String text) {
    if (ADDRESS.matcher(address).matches()) {
      try {
        return InetAddress.getByName(address).getAddress();
      } catch (UnknownHostException e) {
        // Reported below.
      }
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "' is not an address: give any, none, or addresses and networks such as"
            + " 192.0.2.7,10.0.0.0/8,2001:db8::/32");
  }

  /** Returns the reason to refuse. A certificate in the session was verified by the handshake. */
  @Override
  public String refusal(InetSocketAddress peer, SSLSession tls) {
    if (all || hasCertificate(tls)) {
      return null;
    }
    byte[] address = peer.getAddress().getAddress();
    return networks.stream().anyMatch(network -> network.contains(address))
        ? null
        : "this collector accepts logs only from addresses of --log-senders and from clients with"
            + " a certificate of its --tls-client-ca";
  }

  private static boolean hasCertificate(SSLSession session) {
    if (session == null) {
      return false;
    }
    try {
      return session.getPeerCertificates().length > 0;
    } catch (SSLPeerUnverifiedException e) {
      return false;
    }
  }
}
