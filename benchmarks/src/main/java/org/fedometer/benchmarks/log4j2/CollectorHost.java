package org.fedometer.benchmarks.log4j2;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;

/** The collector under test, in its own process; ends when its standard input does. */
final class CollectorHost {
  private CollectorHost() {}

  /** Argument: the store. Prints the port of log senders, and that of HTTP. */
  public static void main(String[] arguments) throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (CollectorServer server =
        CollectorServer.start(
            CollectorOptions.foreground(anyPort, Path.of(arguments[0])).withHttp(anyPort))) {
      System.out.println("port " + server.address().getPort());
      System.out.println("http " + server.httpAddress().getPort());
      while (System.in.read() >= 0) {
        // Until whoever started this closes it, or is gone.
      }
    }
  }
}
