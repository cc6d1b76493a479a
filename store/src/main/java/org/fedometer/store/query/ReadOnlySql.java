package org.fedometer.store.query;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Accepts only read-only statements, by DuckDB's own parser: a statement must serialize as the tree
 * of one SELECT. All nodes of the tree must read, unlike those of {@code WITH q AS (COPY samples TO
 * ...)}. Only listed table functions are allowed, which compute or describe; others may change
 * settings, such as {@code enable_logging}. Any thread.
 */
final class ReadOnlySql {
  private static final JsonMapper JSON = new JsonMapper();

  private static final Set<String> TABLE_FUNCTIONS =
      Set.of(
          "duckdb_columns",
          "duckdb_functions",
          "duckdb_keywords",
          "duckdb_settings",
          "duckdb_tables",
          "duckdb_types",
          "duckdb_views",
          "generate_series",
          "histogram",
          "histogram_values",
          "json_each",
          "json_tree",
          "parquet_file_metadata",
          "parquet_metadata",
          "parquet_scan",
          "parquet_schema",
          "pg_timezone_names",
          "pragma_table_info",
          "pragma_version",
          "query_table",
          "range",
          "read_parquet",
          "repeat",
          "repeat_row",
          "summary",
          "unnest");

  /** DuckDB's names of reading nodes; others insert, update, delete or copy. */
  private static final Set<String> READING_NODES =
      Set.of("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE");

  private static final String ONLY_READING =
      "Only one statement that reads is allowed (SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE,"
          + " SHOW or EXPLAIN of one of these; PIVOT with the values named by IN)";

  /** EXPLAIN and anything allowed before it; DuckDB parses the rest. */
  private static final Pattern EXPLAIN =
      Pattern.compile(
          "(?:\\s|--[^\\n]*\\n|/\\*.*?\\*/)*+EXPLAIN\\b(\\s+ANALYZE\\b)?+",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final int MAX_ACCEPTED = 256;
  private static final int MAX_ACCEPTED_LENGTH = 8_192;

  /** The last accepted statements: Fedometer's own recur for each run. */
  private static final Set<String> ACCEPTED =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > MAX_ACCEPTED;
                }
              }));

  private ReadOnlySql() {}

  /**
   * Returns the statement to run.
   *
   * @param parser any connection to DuckDB
   * @throws QueryException one sentence: why it is rejected
   */
  static String checked(Connection parser, String sql) throws QueryException, SQLException {
    Matcher explain = EXPLAIN.matcher(sql);
    if (!explain.lookingAt()) {
      check(parser, sql);
      return sql;
    }
    String explained = sql.substring(explain.end());
    check(parser, explained);
    return (explain.group(1) == null ? "EXPLAIN " : "EXPLAIN ANALYZE ") + explained;
  }

  private static void check(Connection parser, String sql) throws QueryException, SQLException {
    if (ACCEPTED.contains(sql)) {
      return;
    }
    JsonNode tree = parse(parser, sql);
    if (tree.path("error").asBoolean()) {
      throw new QueryException(faultOf(tree));
    }
    int statements = tree.path("statements").size();
    if (statements != 1) {
      throw new QueryException(
          statements == 0
              ? "The statement is missing; give one SELECT"
              : "Only one statement at a time is allowed, not " + statements);
    }
    checkParts(tree);
    if (sql.length() <= MAX_ACCEPTED_LENGTH) {
      ACCEPTED.add(sql);
    }
  }

  private static JsonNode parse(Connection parser, String sql) throws QueryException, SQLException {
    try (PreparedStatement statement =
        parser.prepareStatement("SELECT json_serialize_sql(?::VARCHAR)")) {
      statement.setString(1, sql);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return JSON.readTree(row.getString(1));
      }
    } catch (JacksonException e) {
      throw new QueryException("The statement is nested too deeply or too long", e);
    }
  }

  private static String faultOf(JsonNode tree) {
    String message = tree.path("error_message").asText();
    if (tree.path("error_type").asText().equals("not implemented")
        && message.startsWith("Only SELECT")) {
      return ONLY_READING;
    }
    String position =
        tree.has("position") ? " (character " + (tree.path("position").asInt() + 1) + ")" : "";
    return "The statement is invalid: " + message + position;
  }

  private static void checkParts(JsonNode tree) throws QueryException {
    Deque<JsonNode> open = new ArrayDeque<>();
    open.add(tree);
    while (!open.isEmpty()) {
      JsonNode node = open.remove();
      String type = node.path("type").asText();
      if (type.endsWith("_NODE") && !READING_NODES.contains(type)) {
        throw new QueryException(ONLY_READING);
      }
      if (type.equals("TABLE_FUNCTION")) {
        String name = node.path("function").path("function_name").asText();
        if (!TABLE_FUNCTIONS.contains(name.toLowerCase(Locale.ROOT))) {
          throw new QueryException(
              "The table function " + name + " is not allowed; query the tables (SHOW TABLES)");
        }
      }
      node.forEach(open::add);
    }
  }
}
