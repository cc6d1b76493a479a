package org.fedometer.store.query;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Texts and paths as DuckDB reads them in a statement, where no parameter may stand. Stateless. */
public final class SqlText {
  private SqlText() {}

  /** With the quotes around it. */
  public static String of(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** A file, with the quotes around it. */
  public static String of(Path file) {
    return of(file.toAbsolutePath().toString());
  }

  /** A list of files. */
  public static String of(List<Path> files) {
    return files.stream().map(file -> of(file)).collect(Collectors.joining(", ", "[", "]"));
  }
}
