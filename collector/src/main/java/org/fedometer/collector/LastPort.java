package org.fedometer.collector;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * The port that the collector of a store listened on last, in the store's {@code collector.port}.
 * It outlives the collector, however that ended: agents go on knocking there. Stateless; written by
 * whoever holds the store's lock.
 */
final class LastPort {
  private LastPort() {}

  /** From 1 to 65535; 0 where there is none, or none that can be read or understood. */
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
