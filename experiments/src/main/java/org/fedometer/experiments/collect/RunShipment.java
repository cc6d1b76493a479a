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
 * Sends other contents of the run folder to the collector: documents, configuration, logs. Waits
 * for capacity, never drops. Confined to the job's thread.
 */
public final class RunShipment {
  private static final long SEND_TIMEOUT_MILLIS = 30_000;

  /** Content of one frame; a longer document needs several. */
  private static final int CHUNK_BYTES = 512 * 1024;

  /** Only the end of a longer log is kept in a run folder. */
  private static final long MAX_LOG_BYTES = 32L << 20;

  private final CollectorClient client;

  /**
   * @param client client of the folder's run; not closed here
   */
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

  /** Copies a finished log, at most its last 32 MiB. */
  public void log(String path, Path file) throws IOException {
    copy(path, file, Math.max(0, Files.size(file) - MAX_LOG_BYTES));
  }

  /** Copies a finished file completely. */
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

  /** Records a marker: a name for a moment. */
  public void mark(String name, long atNanos) throws IOException {
    client.send(FrameType.MARKER, new Marker(name, atNanos).encode(), SEND_TIMEOUT_MILLIS);
  }

  private void send(Document document) throws IOException {
    client.send(FrameType.DOCUMENT, document.encode(), SEND_TIMEOUT_MILLIS);
  }
}
