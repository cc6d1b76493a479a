package org.fedometer.cli.runs;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.fedometer.analysis.text.SafeText;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.Terminal;
import org.fedometer.store.query.Column;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

enum RowsFormat {
  TABLE {
    @Override
    void print(Rows rows, PrintStream out) throws QueryException {
      List<Column> columns = rows.columns();
      if (columns.stream().map(Column::name).toList().equals(EXPLANATION)) {
        printPlan(rows, out);
        return;
      }
      List<List<String>> shown = new ArrayList<>();
      boolean more = rows.next();
      while (more && shown.size() < MAX_ROWS) {
        shown.add(texts(rows, columns.size(), "NULL"));
        more = rows.next();
      }
      PlainTable<List<String>> table = PlainTable.of(shown);
      for (int i = 0; i < columns.size(); i++) {
        int cell = i;
        table.column(columns.get(i).name(), isNumber(columns.get(i)), row -> row.get(cell));
      }
      table.print(out);
      if (more) {
        out.println(remainderText(rows));
      }
    }

    /** Prints a plan, which is preformatted. */
    private void printPlan(Rows rows, PrintStream out) throws QueryException {
      boolean unicode = Terminal.outputCharset().newEncoder().canEncode('│');
      while (rows.next()) {
        StringBuilder plan = new StringBuilder();
        SafeText.append(plan, unicode ? rows.text(1) : inAscii(rows.text(1)), "", unicode);
        out.println(plan.toString().stripTrailing());
      }
    }

    private String inAscii(String drawing) {
      return drawing.replaceAll("[─═]", "-").replaceAll("[│║]", "|").replaceAll("[┌-╰]", "+");
    }
  },

  CSV {
    @Override
    void print(Rows rows, PrintStream out) throws QueryException {
      out.print(line(rows.columns().stream().map(Column::name).toList()));
      while (rows.next() && !out.checkError()) {
        out.print(line(texts(rows, rows.columns().size(), "")));
      }
    }

    private String line(List<String> cells) {
      List<String> quoted = new ArrayList<>();
      for (String cell : cells) {
        quoted.add(
            NEEDS_QUOTES.matcher(cell).find() ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
      }
      return String.join(",", quoted) + "\n";
    }
  },

  JSON {
    @Override
    void print(Rows rows, PrintStream out) throws QueryException, IOException {
      List<String> names = distinct(rows.columns());
      JsonGenerator generator = new JsonMapper().createGenerator(out);
      generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      // One row per line, for line-based tools.
      generator.setRootValueSeparator(null);
      generator.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
      generator.writeStartArray();
      while (rows.next() && !out.checkError()) {
        generator.writeRaw("\n");
        generator.writeStartObject();
        for (int i = 0; i < names.size(); i++) {
          generator.writeFieldName(names.get(i));
          write(generator, rows.columns().get(i), rows.value(i));
        }
        generator.writeEndObject();
      }
      generator.writeRaw("\n");
      generator.writeEndArray();
      generator.writeRaw("\n");
      generator.close();
    }

    /** Makes names unique, since two columns of one name would be one field. */
    private List<String> distinct(List<Column> columns) {
      Set<String> taken = new HashSet<>();
      List<String> names = new ArrayList<>();
      for (Column column : columns) {
        String name = column.name();
        for (int i = 2; !taken.add(name); i++) {
          name = column.name() + "_" + i;
        }
        names.add(name);
      }
      return names;
    }

    private void write(JsonGenerator generator, Column column, Object value) throws IOException {
      if (value instanceof Double decimal && !Double.isFinite(decimal)) {
        generator.writeString(decimal.toString());
      } else if (value instanceof String text && isNumber(column)) {
        generator.writeNumber(new BigDecimal(text));
      } else if (value instanceof List<?> list) {
        generator.writeStartArray();
        for (Object element : list) {
          write(generator, PLAIN, element);
        }
        generator.writeEndArray();
      } else if (value instanceof Map<?, ?> map) {
        generator.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          generator.writeFieldName(String.valueOf(entry.getKey()));
          write(generator, PLAIN, entry.getValue());
        }
        generator.writeEndObject();
      } else {
        generator.writePOJO(value);
      }
    }
  };

  /** DuckDB's column names for EXPLAIN. */
  private static final List<String> EXPLANATION = List.of("explain_key", "explain_value");

  private static final int MAX_ROWS = 100;
  private static final long MAX_COUNTED = 1_000_000;
  private static final Pattern NEEDS_QUOTES = Pattern.compile("[\",\\r\\n]|^\\s|\\s$");
  private static final Column PLAIN = new Column("", "");

  /** Returns the name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Prints rows as a stream, except for a table's first rows, which determine the widths. */
  abstract void print(Rows rows, PrintStream out) throws QueryException, IOException;

  /** Describes the rest; the current row is the first one not shown. */
  private static String remainderText(Rows rows) throws QueryException {
    long count = 1;
    while (count <= MAX_COUNTED && rows.next()) {
      count++;
    }
    return String.format(
        Locale.ROOT,
        "... %s%,d rows more; --format csv or json prints all",
        count > MAX_COUNTED ? "more than " : "",
        Math.min(count, MAX_COUNTED));
  }

  private static boolean isNumber(Column column) {
    return column.type().endsWith("INT")
        || column.type().equals("INTEGER")
        || column.type().equals("DOUBLE")
        || column.type().equals("FLOAT")
        || column.type().startsWith("DECIMAL")
        || column.type().equals("UINTEGER");
  }

  private static List<String> texts(Rows rows, int columns, String nullText) throws QueryException {
    List<String> texts = new ArrayList<>(columns);
    for (int i = 0; i < columns; i++) {
      Object value = rows.value(i);
      texts.add(
          value == null
              ? nullText
              : value instanceof byte[] bytes
                  ? Base64.getEncoder().encodeToString(bytes)
                  : value.toString());
    }
    return texts;
  }
}
