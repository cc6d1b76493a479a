package org.fedometer.analysis;

import java.util.Collection;
import java.util.stream.Collectors;

/** Texts from a run's tables as literals of SQL, which may have been written by anybody. Pure. */
public final class SqlText {
  private SqlText() {}

  /** In quotes. */
  public static String literal(String text) {
    return "'" + text.replace("'", "''").replace("\0", "' || chr(0) || '") + "'";
  }

  /** In brackets, for {@code IN}; never empty. */
  public static String list(Collection<String> texts) {
    return texts.isEmpty()
        ? "(NULL)"
        : texts.stream().map(SqlText::literal).collect(Collectors.joining(", ", "(", ")"));
  }
}
