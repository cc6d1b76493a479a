package org.fedometer.store.query;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Texts and paths as SQL literals, where no parameter is allowed. Texts from a run's tables are
 * untrusted. Stateless.
 *
 * <p>Write numbers into a statement by {@code %s}. {@code %d} uses the digits of the default
 * locale, such as Arabic, Persian or Bengali, which DuckDB does not read.
 */
public final class SqlText {
  private SqlText() {}

  /** Returns the text with its quotes. */
  public static String literal(String text) {
    return "'" + text.replace("'", "''").replace("\0", "' || chr(0) || '") + "'";
  }

  public static String literal(Path file) {
    return literal(file.toAbsolutePath().toString());
  }

  /** Returns a list of files, in square brackets. */
  public static String files(List<Path> files) {
    return files.stream().map(file -> literal(file)).collect(Collectors.joining(", ", "[", "]"));
  }

  /** Returns a list in round brackets, for {@code IN}; never empty. */
  public static String list(Collection<String> texts) {
    return texts.isEmpty()
        ? "(NULL)"
        : texts.stream().map(text -> literal(text)).collect(Collectors.joining(", ", "(", ")"));
  }
}
