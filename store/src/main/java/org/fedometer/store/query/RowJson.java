package org.fedometer.store.query;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Format of rows from a collector: a line of JSON each. An integer has no point or exponent, a
 * decimal has one. Values without a JSON equivalent are objects with one field: {@code {"bytes":
 * base64}}, {@code {"double": "NaN"}}, {@code {"map": {...}}}. Stateless, any thread.
 */
public final class RowJson {
  private static final JsonMapper JSON = new JsonMapper();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private RowJson() {}

  /** Encodes the first line: names and types. */
  public static byte[] columns(List<Column> columns) throws JacksonException {
    ArrayNode line = NODES.arrayNode();
    columns.forEach(column -> line.addArray().add(column.name()).add(column.type()));
    return JSON.writeValueAsBytes(line);
  }

  /**
   * Decodes the output of {@link #columns(List)}.
   *
   * @throws IOException if it is no JSON
   */
  public static List<Column> columns(byte[] line) throws IOException {
    List<Column> columns = new ArrayList<>();
    for (JsonNode column : JSON.readTree(line)) {
      columns.add(new Column(column.path(0).asText(), column.path(1).asText()));
    }
    return columns;
  }

  public static byte[] row(Rows rows, int columns) throws QueryException, JacksonException {
    ArrayNode line = NODES.arrayNode(columns);
    for (int i = 0; i < columns; i++) {
      line.add(node(rows.value(i)));
    }
    return JSON.writeValueAsBytes(line);
  }

  /**
   * Decodes the output of {@link #row(Rows, int)}.
   *
   * @throws IOException if it is no JSON, or has a value of an unknown kind
   */
  public static List<Object> row(byte[] line) throws IOException {
    return list(JSON.readTree(line));
  }

  private static JsonNode node(Object value) {
    if (value == null) {
      return NODES.nullNode();
    } else if (value instanceof Long integer) {
      return NODES.numberNode(integer);
    } else if (value instanceof Double decimal) {
      return Double.isFinite(decimal)
          ? NODES.numberNode(decimal)
          : NODES.objectNode().put("double", decimal.toString());
    } else if (value instanceof Boolean flag) {
      return NODES.booleanNode(flag);
    } else if (value instanceof byte[] bytes) {
      return NODES.objectNode().put("bytes", Base64.getEncoder().encodeToString(bytes));
    } else if (value instanceof List<?> list) {
      ArrayNode array = NODES.arrayNode(list.size());
      list.forEach(element -> array.add(node(element)));
      return array;
    } else if (value instanceof Map<?, ?> map) {
      ObjectNode fields = NODES.objectNode();
      map.forEach((key, element) -> fields.set(String.valueOf(key), node(element)));
      return NODES.objectNode().set("map", fields);
    }
    return NODES.textNode(value.toString());
  }

  private static Object value(JsonNode node) throws IOException {
    if (node.isNull()) {
      return null;
    } else if (node.isTextual()) {
      return node.textValue();
    } else if (node.isIntegralNumber()) {
      return node.longValue();
    } else if (node.isNumber()) {
      return node.doubleValue();
    } else if (node.isBoolean()) {
      return node.booleanValue();
    } else if (node.isArray()) {
      return list(node);
    } else if (node.has("double")) {
      try {
        return Double.valueOf(node.get("double").asText());
      } catch (NumberFormatException e) {
        throw new IOException("Not a number: " + node, e);
      }
    } else if (node.has("bytes")) {
      return node.get("bytes").binaryValue();
    } else if (node.has("map")) {
      Map<String, Object> map = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> field : node.get("map").properties()) {
        map.put(field.getKey(), value(field.getValue()));
      }
      return map;
    }
    throw new IOException("A value has a type that this version does not know: " + node);
  }

  private static List<Object> list(JsonNode array) throws IOException {
    List<Object> values = new ArrayList<>(array.size());
    for (JsonNode element : array) {
      values.add(value(element));
    }
    return values;
  }
}
