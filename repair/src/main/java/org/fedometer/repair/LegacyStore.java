package org.fedometer.repair;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * Fedora's older store: folders by the minute of writing, and two tables that list the file of each
 * object. For Fedora, a file exists if its row does. For one thread.
 */
final class LegacyStore implements FileStore {

  private static final String OBJECTS = "objectPaths";
  private static final String CONTENTS = "datastreamPaths";

  /** Suffix of a file while its successor is written. */
  private static final String BACKUP = ".bak";

  private final Path objects;
  private final Path contents;
  private final Tables tables;

  LegacyStore(Path objects, Path contents, Tables tables) {
    this.objects = objects;
    this.contents = contents;
    this.tables = tables;
  }

  @Override
  public void eachObject(Visitor visitor) throws IOException, SQLException {
    tables.eachPath(OBJECTS, (pid, path) -> visitor.object(pid, Paths.get(path)));
  }

  @Override
  public void eachContent(Visitor visitor) throws IOException, SQLException {
    tables.eachPath(
        CONTENTS,
        (token, path) -> {
          ContentKey key = ContentKey.of(token);
          if (key == null) {
            visitor.foreign(Paths.get(path));
          } else {
            visitor.content(key, Paths.get(path));
          }
        });
  }

  @Override
  public Path content(ContentKey key) throws SQLException {
    String path = tables.path(CONTENTS, key.toString());
    return path == null ? null : Paths.get(path);
  }

  @Override
  public List<Replacement> replacements() throws IOException, SQLException {
    List<Replacement> found = new ArrayList<>();
    find(objects, OBJECTS, true, found);
    find(contents, CONTENTS, false, found);
    return found;
  }

  /** Finds backups, and files that were written but have no row because Fedora stopped. */
  private void find(Path folder, String table, boolean ofObject, List<Replacement> found)
      throws IOException, SQLException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    PidTable listed = new PidTable(0);
    tables.eachPath(table, (token, path) -> listed.mark(path, PidTable.FILE));
    // Follows links, as Fedora does: a folder may have been moved to another disk.
    Files.walkFileTree(
        folder,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String path = file.toString();
            if (attributes.isRegularFile() && listed.marks(path) == 0) {
              String base =
                  path.endsWith(BACKUP) ? path.substring(0, path.length() - BACKUP.length()) : path;
              boolean backup = !base.equals(path) && listed.marks(base) != 0;
              String name = Paths.get(base).getFileName().toString().replaceFirst("\\+.*", "");
              found.add(
                  new Replacement(
                      name.replaceFirst("_", ":"),
                      file,
                      backup ? Paths.get(base) : null,
                      false,
                      ofObject));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Override
  public boolean adopt(String pid, Path file) throws SQLException {
    if (tables.path(OBJECTS, pid) != null) {
      return false;
    }
    tables.update("INSERT INTO " + OBJECTS + " (token, path) VALUES (?, ?)", pid, file.toString());
    return true;
  }

  @Override
  public boolean mayAdopt(String pid) throws SQLException {
    return tables.path(OBJECTS, pid) == null;
  }

  @Override
  public List<String> rows(String pid) throws SQLException {
    List<String> rows = new ArrayList<>();
    tables.copy(OBJECTS, "token = ?", pid, rows);
    tables.copy(CONTENTS, "token LIKE ? ESCAPE '!'", escapeLike(pid) + "+%", rows);
    return rows;
  }

  @Override
  public List<String> rows(ContentKey key) throws SQLException {
    List<String> rows = new ArrayList<>();
    tables.copy(CONTENTS, "token = ?", key.toString(), rows);
    return rows;
  }

  /** Escapes underscores and percent signs of a PID, so that they are literal. */
  static String escapeLike(String pid) {
    return pid.replaceAll("[!_%]", "!$0");
  }

  @Override
  public void forgetObject(String pid) throws SQLException {
    tables.update("DELETE FROM " + OBJECTS + " WHERE token = ?", pid);
  }

  @Override
  public void forgetContent(ContentKey key) throws SQLException {
    tables.update("DELETE FROM " + CONTENTS + " WHERE token = ?", key.toString());
  }
}
