package org.fedometer.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * Read access of another user, by the modes of a file and of the folders above it.
 *
 * @param user its number
 * @param groups their numbers
 */
record FilePermissions(long user, Set<Long> groups) {
  private static final int READ = 4;
  private static final int SEARCH = 1;

  static FilePermissions of(ProcessFiles process) {
    return new FilePermissions(process.user(), process.groups());
  }

  /** Returns whether the user may read the file; true if unknown. */
  boolean mayRead(Path file) {
    try {
      Path real = file.toRealPath();
      boolean may = has(real, READ);
      for (Path folder = real.getParent(); may && folder != null; folder = folder.getParent()) {
        may = has(folder, SEARCH);
      }
      return may;
    } catch (IOException | UnsupportedOperationException e) {
      return true;
    }
  }

  private boolean has(Path path, int permission) throws IOException {
    Map<String, Object> file = Files.readAttributes(path, "unix:mode,uid,gid");
    int mode = (Integer) file.get("mode");
    int shift = 0;
    if (((Integer) file.get("uid")).longValue() == user) {
      shift = 6;
    } else if (groups.contains(((Integer) file.get("gid")).longValue())) {
      shift = 3;
    }
    return (mode >> shift & permission) != 0;
  }
}
