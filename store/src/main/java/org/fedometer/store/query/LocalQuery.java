package org.fedometer.store.query;

import java.sql.Array;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Struct;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Asks a DuckDB of this process. Closing it closes the connection. */
public final class LocalQuery implements Query {
  private final Connection connection;

  public LocalQuery(Connection connection) {
    this.connection = connection;
  }

  @Override
  public Rows ask(String sql, Object... parameters) throws QueryException {
    PreparedStatement statement = null;
    try {
      statement = connection.prepareStatement(sql);
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return new LocalRows(statement, statement.executeQuery());
    } catch (SQLException e) {
      if (statement != null) {
        closeQuietly(statement, e);
      }
      throw failed(e);
    }
  }

  @Override
  public void close() throws QueryException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static void closeQuietly(PreparedStatement statement, SQLException because) {
    try {
      statement.close();
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }

  private static QueryException failed(SQLException e) {
    return new QueryException(e.getMessage(), e);
  }

  private static final class LocalRows implements Rows {
    private final PreparedStatement statement;
    private final ResultSet rows;
    private final List<Column> columns = new ArrayList<>();

    LocalRows(PreparedStatement statement, ResultSet rows) throws SQLException {
      this.statement = statement;
      this.rows = rows;
      ResultSetMetaData metadata = rows.getMetaData();
      for (int i = 1; i <= metadata.getColumnCount(); i++) {
        columns.add(new Column(metadata.getColumnLabel(i), metadata.getColumnTypeName(i)));
      }
    }

    @Override
    public List<Column> columns() {
      return List.copyOf(columns);
    }

    @Override
    public boolean next() throws QueryException {
      try {
        return rows.next();
      } catch (SQLException e) {
        throw failed(e);
      }
    }

    @Override
    public Object value(int column) throws QueryException {
      try {
        return plain(rows.getObject(column + 1));
      } catch (SQLException e) {
        throw failed(e);
      }
    }

    @Override
    public void close() throws QueryException {
      try (statement) {
        rows.close();
      } catch (SQLException e) {
        throw failed(e);
      }
    }

    private static Object plain(Object value) throws SQLException {
      if (value == null || value instanceof Boolean || value instanceof byte[]) {
        return value;
      } else if (value instanceof Double || value instanceof Float) {
        return ((Number) value).doubleValue();
      } else if (value instanceof Long
          || value instanceof Integer
          || value instanceof Short
          || value instanceof Byte) {
        return ((Number) value).longValue();
      } else if (value instanceof Blob blob) {
        return blob.getBytes(1, Math.toIntExact(blob.length()));
      } else if (value instanceof Array array) {
        return plainList((Object[]) array.getArray());
      } else if (value instanceof Struct struct) {
        return plainList(struct.getAttributes());
      } else if (value instanceof Map<?, ?> map) {
        Map<String, Object> result = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          result.put(String.valueOf(entry.getKey()), plain(entry.getValue()));
        }
        return result;
      }
      return value.toString();
    }

    private static List<Object> plainList(Object[] values) throws SQLException {
      List<Object> result = new ArrayList<>(values.length);
      for (Object value : values) {
        result.add(plain(value));
      }
      return result;
    }
  }
}
