package org.fedometer.repair;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** The files of objects and managed content in one of Fedora's two stores. */
interface FileStore {

  /** Receives the files that Fedora would look for, in no order. */
  interface Visitor {
    /** Visits the file of an object, which may be gone if the store keeps a list. */
    void object(String pid, Path file) throws IOException, SQLException;

    /** Visits managed content, which may likewise be gone. */
    void content(ContentKey key, Path file) throws IOException, SQLException;

    /** Visits a file that is not Fedora's. */
    void foreign(Path file);
  }

  void eachObject(Visitor visitor) throws IOException, SQLException;

  void eachContent(Visitor visitor) throws IOException, SQLException;

  /** Returns the existing or intended path of the content; null if it has none. */
  Path content(ContentKey key) throws SQLException;

  /** Returns files that Fedora was writing and would not look for. */
  List<Replacement> replacements() throws IOException, SQLException;

  /** Returns whether an unlisted file could be that of an object. */
  boolean mayAdopt(String pid) throws SQLException;

  /**
   * Adds a file to the store's list as that of an object.
   *
   * @return false if there is no such list, or it has another file of that object
   */
  boolean adopt(String pid, Path file) throws SQLException;

  /** Returns a PID's rows in the store's lists, as SQL. */
  List<String> rows(String pid) throws SQLException;

  /** Returns a content's rows in the store's lists, as SQL. */
  List<String> rows(ContentKey key) throws SQLException;

  /** Removes a moved file from the store's list, if there is one. */
  void forgetObject(String pid) throws SQLException;

  /** Removes content with a moved file from the store's list, if there is one. */
  void forgetContent(ContentKey key) throws SQLException;
}
