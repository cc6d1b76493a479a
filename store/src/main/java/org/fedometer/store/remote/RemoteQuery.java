package org.fedometer.store.remote;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.fedometer.store.query.Column;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.RowJson;
import org.fedometer.store.query.Rows;

/** Runs SQL on a collector. Disconnecting cancels a query. */
final class RemoteQuery implements Query {
  private static final int BUFFER_BYTES = 64 * 1024;

  /** Limit of a row: a whole stack trace, or a list of a million numbers. */
  private static final int MAX_LINE_BYTES = 64 * 1024 * 1024;

  private final RemoteStore store;
  private final String run;
  private volatile InputStream response;
  private volatile boolean cancelled;

  /**
   * @param run a name, or null for all runs together
   */
  RemoteQuery(RemoteStore store, String run) {
    this.store = store;
    this.run = run;
  }

  @Override
  public Rows execute(String sql, Object... parameters) throws QueryException {
    ObjectNode request = RemoteStore.request("query").put("run", run).put("sql", sql);
    ArrayNode array = request.putArray("parameters");
    for (Object parameter : parameters) {
      array.addPOJO(parameter);
    }
    try {
      InputStream opened = store.send(request);
      response = opened;
      if (cancelled) {
        opened.close();
      }
      InputStream lines = new BufferedInputStream(opened, BUFFER_BYTES);
      byte[] columns = line(lines);
      if (columns == null) {
        throw new IOException("The collector's result has no columns");
      }
      return new RemoteRows(lines, RowJson.columns(columns));
    } catch (IOException e) {
      close();
      throw failed(e);
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    close();
  }

  @Override
  public void close() {
    InputStream open = response;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // Disconnected all the same.
      }
    }
  }

  private QueryException failed(IOException e) {
    return cancelled
        ? new QueryException("The statement was cancelled", e)
        : new QueryException(e.getMessage(), e);
  }

  /** Returns a line without its end; null at the end of the result. */
  private static byte[] line(InputStream in) throws IOException {
    int next = in.read();
    if (next < 0) {
      return null;
    }
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    while (next >= 0 && next != '\n') {
      if (line.size() == MAX_LINE_BYTES) {
        throw new IOException(
            "The collector's result has a row of more than %d MiB; query fewer columns"
                .formatted(MAX_LINE_BYTES >> 20));
      }
      line.write(next);
      next = in.read();
    }
    return line.toByteArray();
  }

  private final class RemoteRows implements Rows {
    private final InputStream lines;
    private final List<Column> columns;
    private List<Object> row = List.of();

    RemoteRows(InputStream lines, List<Column> columns) {
      this.lines = lines;
      this.columns = List.copyOf(columns);
    }

    @Override
    public List<Column> columns() {
      return columns;
    }

    @Override
    public boolean next() throws QueryException {
      try {
        byte[] line = line(lines);
        if (line == null) {
          return false;
        }
        row = RowJson.row(line);
        if (row.size() != columns.size()) {
          throw new IOException(
              "The collector's result has a row of %d values under %d columns"
                  .formatted(row.size(), columns.size()));
        }
        return true;
      } catch (IOException e) {
        throw failed(e);
      }
    }

    @Override
    public Object value(int column) {
      return row.get(column);
    }

    @Override
    public void close() {
      RemoteQuery.this.close();
    }
  }
}
