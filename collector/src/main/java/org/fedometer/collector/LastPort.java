package org.fedometer.collector;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * Reads and writes the port of a store's last collector, in the store's {@code collector.port}.
 *
 * <p>The file outlives the collector, even a killed one, since agents keep reconnecting to that
 * port. Stateless; only the holder of the store's lock writes.
 */
final class LastPort {
  private LastPort() {}

  /** Returns a port from 1 to 65535, or 0 if the file is missing or invalid. */
  static int read(Path store) {
    try {
      String text = new String(Files.readAllBytes(in(store)), StandardCharsets.ISO_8859_1).strip();
      int port = Integer.parseInt(text);
      return port >= 1 && port <= 65_535 ? port : 0;
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }

  static void write(Path store, int port) throws IOException {
    PrivateFiles.replace(in(store), (port + "\n").getBytes(StandardCharsets.ISO_8859_1));
  }

  private static Path in(Path store) {
    return store.resolve("collector.port");
  }
}
