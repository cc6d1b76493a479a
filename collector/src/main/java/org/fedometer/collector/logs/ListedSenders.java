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
 * Who may send what stock Log4j2 appenders send. They cannot show a token; their address or a
 * certificate has to do. Immutable; any thread.
 */
public final class ListedSenders implements LogSenders {
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}([.][0-9]{1,3}){3}|[0-9a-fA-F.:]*:[0-9a-fA-F.:]*");

  private static final ListedSenders ANYBODY = new ListedSenders(List.of(), true);
  private static final ListedSenders NOBODY = new ListedSenders(List.of(), false);

  private final List<Network> networks;
  private final boolean anybody;

  /** Addresses whose first bits are the same. */
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

  private ListedSenders(List<Network> networks, boolean anybody) {
    this.networks = networks;
    this.anybody = anybody;
  }

  public static ListedSenders anybody() {
    return ANYBODY;
  }

  /** Only who shows a certificate. */
  public static ListedSenders nobody() {
    return NOBODY;
  }

  /**
   * @param text {@code any}, {@code none}, or addresses and networks, separated by commas: {@code
   *     192.0.2.7,10.0.0.0/8,2001:db8::/32}
   * @throws IllegalArgumentException one sentence: a part is none of these
   */
  public static ListedSenders of(String text) {
    if (text.equals("any")) {
      return ANYBODY;
    } else if (text.equals("none")) {
      return NOBODY;
    }
    List<Network> networks = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      networks.add(network(part.strip()));
    }
    return new ListedSenders(List.copyOf(networks), false);
  }

  private static Network network(String text) {
    int slash = text.indexOf('/');
    byte[] address = address(slash < 0 ? text : text.substring(0, slash), text);
    int most = address.length * 8;
    int bits = most;
    if (slash >= 0) {
      try {
        bits = Integer.parseInt(text.substring(slash + 1));
      } catch (NumberFormatException e) {
        bits = -1;
      }
      if (bits < 0 || bits > most) {
        throw new IllegalArgumentException(
            "'" + text + "' is no network: after the / comes a number of bits, 0 to " + most);
      }
    }
    return new Network(address, bits);
  }

  /** Not a name: a resolver's answer may change, or be somebody else's. */
  private static byte[] address(String address, String text) {
    if (ADDRESS.matcher(address).matches()) {
      try {
        return InetAddress.getByName(address).getAddress();
      } catch (UnknownHostException e) {
        // Told below.
      }
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "' is no address: give any, none, or addresses and networks such as"
            + " 192.0.2.7,10.0.0.0/8,2001:db8::/32");
  }

  /** A certificate in the session was checked by the handshake. */
  @Override
  public String refusal(InetSocketAddress peer, SSLSession tls) {
    if (anybody || showedCertificate(tls)) {
      return null;
    }
    byte[] address = peer.getAddress().getAddress();
    return networks.stream().anyMatch(network -> network.contains(address))
        ? null
        : "this collector takes logs only from those whom --logs-from names, or who show a"
            + " certificate of its --tls-client-ca";
  }

  private static boolean showedCertificate(SSLSession session) {
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
