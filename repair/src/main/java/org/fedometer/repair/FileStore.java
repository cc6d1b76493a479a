package org.fedometer.repair;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** Where the files of objects and of managed content lie, in one of Fedora's two ways. */
interface FileStore {

  /** Told of what Fedora would look for there, in no order. */
  interface Visitor {
    /** The file of an object, which may be gone where the store keeps a list. */
    void object(String pid, Path file) throws IOException, SQLException;

    /** Managed content, which may be gone likewise. */
    void content(ContentKey key, Path file) throws IOException, SQLException;

    /** A file that is none of Fedora's. */
    void foreign(Path file);
  }

  void eachObject(Visitor visitor) throws IOException, SQLException;

  void eachContent(Visitor visitor) throws IOException, SQLException;

  /** Where the content is, or would be; null if it has no place. */
  Path content(ContentKey key) throws SQLException;

  /** Files that Fedora was writing, and would not look for. */
  List<Replacement> replacements() throws IOException, SQLException;

  /** Whether a file that is in no list could be that of an object. */
  boolean mayAdopt(String pid) throws SQLException;

  /**
   * Puts a file into the store's list as that of an object.
   *
   * @return false if there is no such list, or it has another file of that object
   */
  boolean adopt(String pid, Path file) throws SQLException;

  /** The rows of the store's lists that are a PID's, as SQL. */
  List<String> rows(String pid) throws SQLException;

  /** The rows of the store's lists that are one content's, as SQL. */
  List<String> rows(ContentKey key) throws SQLException;

  /** Forgets a file that was moved away, where the store keeps a list. */
  void forgetObject(String pid) throws SQLException;

  /** Forgets content whose file was moved away, where the store keeps a list. */
  void forgetContent(ContentKey key) throws SQLException;
}
