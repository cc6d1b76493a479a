package org.fedometer.experiments.collect;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Environment;
import org.fedometer.wire.session.Marker;

/**
 * Sends what belongs into the run folder, besides samples and requests, to the collector:
 * documents, configuration, logs. Used by the job's one thread; waits for room, never drops.
 */
public final class RunShipment {
  private static final long SEND_TIMEOUT_MILLIS = 30_000;

  /** Content of one frame; a longer document goes in several. */
  private static final int CHUNK_BYTES = 512 * 1024;

  /** No log is worth more than this in a run folder: of a longer one the end is kept. */
  private static final long MAX_LOG_BYTES = 32L << 20;

  private final CollectorClient client;

  /** The client, of the run whose folder it is, is not closed here. */
  public RunShipment(CollectorClient client) {
    this.client = client;
  }

  /** Writes or replaces {@code path} in the run folder. */
  public void document(String path, byte[] content) throws IOException {
    for (int from = 0; from == 0 || from < content.length; from += CHUNK_BYTES) {
      byte[] chunk =
          Arrays.copyOfRange(content, from, Math.min(content.length, from + CHUNK_BYTES));
      send(new Document(path, chunk, from > 0));
    }
  }

  /** Copies a log that nobody writes to any more; of a very long one the last 32 MiB. */
  public void log(String path, Path file) throws IOException {
    copy(path, file, Math.max(0, Files.size(file) - MAX_LOG_BYTES));
  }

  /** Copies a file that nobody writes to any more, whole. */
  public void file(String path, Path file) throws IOException {
    copy(path, file, 0);
  }

  private void copy(String path, Path file, long skip) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      in.skipNBytes(skip);
      boolean append = false;
      byte[] chunk = in.readNBytes(CHUNK_BYTES);
      do {
        send(new Document(path, chunk, append));
        append = true;
        chunk = in.readNBytes(CHUNK_BYTES);
      } while (chunk.length > 0);
    }
  }

  public void environment(Map<String, String> facts) throws IOException {
    Environment environment = new Environment();
    facts.forEach(environment::put);
    client.send(FrameType.ENVIRONMENT, environment.encode(), SEND_TIMEOUT_MILLIS);
  }

  /** Gives a moment a name: the frame and the table call that a barrier. */
  public void mark(String name, long atNanos) throws IOException {
    client.send(FrameType.MARKER, new Marker(name, atNanos).encode(), SEND_TIMEOUT_MILLIS);
  }

  private void send(Document document) throws IOException {
    client.send(FrameType.DOCUMENT, document.encode(), SEND_TIMEOUT_MILLIS);
  }
}
