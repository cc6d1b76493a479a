package org.fedometer.store.query;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Supplies the current files of a query's tables. */
@FunctionalInterface
public interface TableFiles {

  /** Lists the files; later ones are not included. */
  Snapshot now() throws IOException;

  /**
   * @param views each table's query, by its name; they read only the files
   * @param files all readable files, absolute
   */
  record Snapshot(Map<String, String> views, List<Path> files) {
    public Snapshot {
      views = Map.copyOf(views);
      files = List.copyOf(files);
    }

    /**
     * Returns whether a file has disappeared since: merged into another, or deleted by retention.
     */
    boolean outdated() {
      return files.stream().anyMatch(file -> !Files.exists(file, LinkOption.NOFOLLOW_LINKS));
    }
  }
}
