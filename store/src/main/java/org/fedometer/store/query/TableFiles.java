package org.fedometer.store.query;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Where the tables that a question is about lie at the moment. */
@FunctionalInterface
public interface TableFiles {

  /** Looks now; files that come later are not part of it. */
  Snapshot now() throws IOException;

  /**
   * @param views what each table selects, by its name; they read nothing but the files
   * @param files all that may be read, absolute
   */
  record Snapshot(Map<String, String> views, List<Path> files) {
    public Snapshot {
      views = Map.copyOf(views);
      files = List.copyOf(files);
    }

    /** Whether a file has gone since: merged into another, or too old to be kept. */
    boolean outdated() {
      return files.stream().anyMatch(file -> !Files.exists(file, LinkOption.NOFOLLOW_LINKS));
    }
  }
}
