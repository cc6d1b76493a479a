package org.fedometer.store;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/** Read access to one run: a local folder, or a run of a remote collector. One thread at a time. */
public interface RunView {
  /** Returns the name of its folder: unique in a store. */
  String name();

  /** Returns whether there is a {@code run.json}; a run killed early has none. */
  boolean hasDocument() throws IOException;

  /**
   * @throws IOException one sentence, also if there is no such file so far
   */
  RunDocument document() throws IOException;

  /**
   * Returns the documents of several drivers' parts, by path; empty for other runs.
   *
   * @throws IOException as {@link #document}
   */
  Map<String, RunDocument> parts() throws IOException;

  /** Opens the run's current tables; the caller closes the query. */
  Query query() throws IOException, QueryException;

  /** Returns all files of the run by path, except those being written. */
  List<RunFile> files() throws IOException;

  /** Reads one of {@link #files}, by its path there. */
  InputStream open(String path) throws IOException;

  /**
   * @param path relative to the run's folder, with slashes
   * @param modifiedEpochMillis last write, by its host's clock
   */
  record RunFile(String path, long sizeBytes, long modifiedEpochMillis) {}
}
