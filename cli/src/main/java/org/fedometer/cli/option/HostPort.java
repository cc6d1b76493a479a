package org.fedometer.cli.option;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses {@code HOST:PORT}, {@code [IPV6]:PORT} or {@code :PORT} (loopback). */
public final class HostPort implements ITypeConverter<InetSocketAddress> {

  @Override
  public InetSocketAddress convert(String value) {
    int colon = value.lastIndexOf(':');
    if (colon < 0) {
      throw new TypeConversionException("'" + value + "' has no port; give HOST:PORT");
    }
    int port;
    try {
      port = Integer.parseInt(value.substring(colon + 1));
    } catch (NumberFormatException e) {
      port = -1;
    }
    if (port < 0 || port > 65535) {
      throw new TypeConversionException(
          "'"
              + value.substring(colon + 1)
              + "' is no port; give HOST:PORT with a port of 0 to 65535");
    }
    String host = value.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    return new InetSocketAddress(host.isEmpty() ? "127.0.0.1" : host, port);
  }

  /** Returns the notation of command lines; an IPv6 host in brackets. */
  static String text(InetSocketAddress address) {
    String host = address.getHostString();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
