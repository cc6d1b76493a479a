package org.fedometer.analysis.course;

import java.util.Collection;
import java.util.stream.Collectors;

/** Texts from a run's tables as literals of SQL, which may have been written by anybody. Pure. */
final class SqlText {
  private SqlText() {}

  static String literal(String text) {
    return "'" + text.replace("'", "''").replace("\0", "' || chr(0) || '") + "'";
  }

  /** In brackets, for {@code IN}; never empty. */
  static String list(Collection<String> texts) {
    return texts.isEmpty()
        ? "(NULL)"
        : texts.stream().map(SqlText::literal).collect(Collectors.joining(", ", "(", ")"));
  }
}
