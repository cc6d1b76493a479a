package org.fedometer.benchmarks.collector;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.fedometer.benchmarks.process.ProcessMemory;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;

/** The collector under test, in its own process; ends when its standard input does. */
public final class CollectorHost {
  private CollectorHost() {}

  /** Argument: the store. Prints the port, and at the end what memory it had at most. */
  public static void main(String[] arguments) throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (CollectorServer server =
        CollectorServer.start(CollectorOptions.foreground(anyPort, Path.of(arguments[0])))) {
      System.out.println("port " + server.address().getPort());
      while (System.in.read() >= 0) {
        // Until whoever started this closes it, or is gone.
      }
    }
    System.out.println(ProcessMemory.peak());
  }
}
