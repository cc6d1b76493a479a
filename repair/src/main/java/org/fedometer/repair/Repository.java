package org.fedometer.repair;

import java.sql.SQLException;

/** All places where a stopped Fedora stores data of its objects. For one thread. */
final class Repository implements AutoCloseable {

  private final Tables tables;
  private final FileStore files;
  private final Triplestore triplestore;
  private final FedoraObjects objects;

  Repository(Settings settings) throws SQLException, Library.FailureException {
    tables = new Tables(settings);
    try {
      files =
          settings.isLegacyStore()
              ? new LegacyStore(settings.objects(), settings.contents(), tables)
              : new AkubraStore(
                  settings.objects(),
                  settings.objectPattern(),
                  settings.contents(),
                  settings.contentPattern());
      objects = new FedoraObjects(settings, files);
      triplestore =
          settings.connector() == null
              ? null
              : Triplestore.open(settings.connector(), settings.triplestore());
    } catch (Library.FailureException | RuntimeException e) {
      tables.close();
      throw e;
    }
  }

  Tables tables() {
    return tables;
  }

  FileStore files() {
    return files;
  }

  /** Returns the triplestore; null if there is none. */
  Triplestore triplestore() {
    return triplestore;
  }

  FedoraObjects objects() {
    return objects;
  }

  @Override
  public void close() throws SQLException, Library.FailureException {
    try {
      try {
        objects.close();
      } finally {
        if (triplestore != null) {
          triplestore.close();
        }
      }
    } finally {
      tables.close();
    }
  }
}
