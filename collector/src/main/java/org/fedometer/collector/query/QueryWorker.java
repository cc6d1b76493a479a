package org.fedometer.collector.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunStore;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.QueryLimits;
import org.fedometer.store.query.RowJson;
import org.fedometer.store.query.Rows;
import org.fedometer.wire.FailureText;

/**
 * Executes queries in a separate process, in order: a line of JSON each on standard input, frames
 * of {@link QueryProcess} on standard output. It exits with its collector, whose death closes
 * standard input.
 */
final class QueryWorker {
  private static final JsonMapper JSON = new JsonMapper();

  private final RunStore store;
  private final QueryLimits limits;
  private final DataOutputStream out;

  private QueryWorker(RunStore store, QueryLimits limits, DataOutputStream out) {
    this.store = store;
    this.limits = limits;
    this.out = out;
  }

  /**
   * Executes queries until standard input ends.
   *
   * @param arguments the store, the spill folder, the bytes of memory for DuckDB, the bytes of disk
   */
  public static void main(String[] arguments) throws Exception {
    DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
    System.setOut(System.err);
    BlockingQueue<String> requests = readLines();
    RunStore store = RunStore.at(Path.of(arguments[0]));
    QueryLimits limits =
        new QueryLimits(
            Long.parseLong(arguments[2]), 1, Path.of(arguments[1]), Long.parseLong(arguments[3]));
    QueryWorker worker = new QueryWorker(store, limits, out);
    worker.send(QueryProcess.READY, new byte[0], 0);
    while (true) {
      worker.execute(requests.take());
    }
  }

  /** Reads on a dedicated thread, which notices the collector's exit during a statement. */
  private static BlockingQueue<String> readLines() {
    BlockingQueue<String> lines = new ArrayBlockingQueue<>(1);
    Thread reader =
        new Thread(
            () -> {
              try {
                BufferedReader in =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                  lines.put(line);
                }
              } catch (IOException | InterruptedException e) {
                // The collector has exited, too.
              } finally {
                Runtime.getRuntime().halt(0);
              }
            },
            "fedometer-query-input");
    reader.setDaemon(true);
    reader.start();
    return lines;
  }

  private void execute(String line) throws IOException {
    try {
      JsonNode request = JSON.readTree(line);
      try (Query query =
              request.path("run").isTextual()
                  ? store.named(request.path("run").asText()).query(limits)
                  : store.query(limits);
          Rows rows = query.execute(request.path("sql").asText(), parameters(request))) {
        sendRows(rows);
      }
      send(QueryProcess.LAST, new byte[0], 0);
    } catch (QueryException | NoSuchRunException | IOException e) {
      fail(QueryProcess.FAILED, String.valueOf(e.getMessage()));
    } catch (OutOfMemoryError e) {
      fail(QueryProcess.FAILED, QueryProcess.NO_MEMORY);
    } catch (RuntimeException | Error e) {
      // Errors too, for example if DuckDB's library cannot be loaded.
      e.printStackTrace();
      fail(QueryProcess.BROKEN, "The statement failed: " + FailureText.of(e));
    }
  }

  private static Object[] parameters(JsonNode request) throws QueryException {
    JsonNode values = request.path("parameters");
    Object[] parameters = new Object[values.size()];
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] = parameter(values.get(i));
    }
    return parameters;
  }

  private static Object parameter(JsonNode value) throws QueryException {
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return value.longValue();
    } else if (value.isNumber()) {
      return value.doubleValue();
    } else if (value.isBoolean()) {
      return value.booleanValue();
    } else if (value.isTextual()) {
      return value.textValue();
    } else if (value.isNull()) {
      return null;
    }
    throw new QueryException(
        "A parameter must be a text, a number, true, false or null, not " + value);
  }

  private void sendRows(Rows rows) throws QueryException, IOException {
    PieceStream lines = new PieceStream();
    lines.add(RowJson.columns(rows.columns()));
    int columns = rows.columns().size();
    while (rows.next()) {
      lines.add(RowJson.row(rows, columns));
    }
    lines.flush();
  }

  private void fail(int type, String reason) throws IOException {
    byte[] content = reason.getBytes(StandardCharsets.UTF_8);
    send(type, content, Math.min(content.length, QueryProcess.PIECE_BYTES));
  }

  private void send(int type, byte[] content, int length) throws IOException {
    out.writeByte(type);
    out.writeInt(length);
    out.write(content, 0, length);
    out.flush();
  }

  private final class PieceStream {
    private final byte[] piece = new byte[QueryProcess.PIECE_BYTES];
    private int filled;

    void add(byte[] line) throws IOException {
      for (int at = 0; at < line.length; ) {
        int count = Math.min(line.length - at, piece.length - filled);
        System.arraycopy(line, at, piece, filled, count);
        filled += count;
        at += count;
        flushIfFull();
      }
      piece[filled++] = '\n';
      flushIfFull();
    }

    private void flushIfFull() throws IOException {
      if (filled == piece.length) {
        flush();
      }
    }

    void flush() throws IOException {
      send(QueryProcess.MORE, piece, filled);
      filled = 0;
    }
  }
}
