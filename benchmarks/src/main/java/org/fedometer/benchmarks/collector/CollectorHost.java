package org.fedometer.benchmarks.collector;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.fedometer.benchmarks.process.ProcessMemory;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.collector.EndpointOptions;

/** The collector under test, in its own process; ends when its standard input does. */
public final class CollectorHost {
  public static final String WITH_HTTP = "with-http";

  private CollectorHost() {}

  /**
   * Arguments: the store, and {@link #WITH_HTTP} or nothing. Prints the port, then that of HTTP
   * where there is one, and at the end what memory it had at most.
   */
  public static void main(String[] arguments) throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    boolean withHttp = arguments.length > 1 && arguments[1].equals(WITH_HTTP);
    EndpointOptions endpoints = EndpointOptions.at(anyPort).withHttp(withHttp ? anyPort : null);
    try (CollectorServer server =
        CollectorServer.start(CollectorOptions.foreground(endpoints, Path.of(arguments[0])))) {
      System.out.println("port " + server.address().getPort());
      if (withHttp) {
        System.out.println("http " + server.httpAddress().getPort());
      }
      while (System.in.read() >= 0) {
        // Until the parent closes it, or ends.
      }
    }
    System.out.println(ProcessMemory.peak());
  }
}
