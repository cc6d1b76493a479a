package org.fedometer.store.query;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Texts and paths as DuckDB reads them in a statement, where no parameter may stand. Texts from a
 * run's tables may have been written by anybody. Stateless.
 *
 * <p>Numbers go into a statement as {@code %s}: {@code %d} has the digits of the default locale,
 * which are others in Arabic, Persian or Bengali, and which DuckDB does not read.
 */
public final class SqlText {
  private SqlText() {}

  /** With the quotes around it. */
  public static String literal(String text) {
    return "'" + text.replace("'", "''").replace("\0", "' || chr(0) || '") + "'";
  }

  public static String literal(Path file) {
    return literal(file.toAbsolutePath().toString());
  }

  /** A list of files, in square brackets. */
  public static String files(List<Path> files) {
    return files.stream().map(file -> literal(file)).collect(Collectors.joining(", ", "[", "]"));
  }

  /** In round brackets, for {@code IN}; never empty. */
  public static String list(Collection<String> texts) {
    return texts.isEmpty()
        ? "(NULL)"
        : texts.stream().map(text -> literal(text)).collect(Collectors.joining(", ", "(", ")"));
  }
}
