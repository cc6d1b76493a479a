package org.fedometer.store;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/**
 * One run to be read: a folder of this machine, or one that a collector far away has. For one
 * thread at a time.
 */
public interface RunView {
  /** The name of its folder: unique in a store. */
  String name();

  /** Whether there is a {@code run.json}; a run that was killed early, say, has none. */
  boolean hasDocument() throws IOException;

  /**
   * @throws IOException one sentence, also where there is no such file (yet)
   */
  RunDocument document() throws IOException;

  /**
   * What each of several drivers has told of its part, by the paths of their documents; empty if
   * the run is no such.
   *
   * @throws IOException as {@link #document}
   */
  Map<String, RunDocument> parts() throws IOException;

  /** The run's tables as they are now; the caller closes it. */
  Query query() throws IOException, QueryException;

  /** All files of the run but those being written, by path. */
  List<RunFile> files() throws IOException;

  /** Reads one of {@link #files}, by its path there. */
  InputStream open(String path) throws IOException;

  /**
   * @param path relative to the run's folder, with slashes
   * @param modifiedEpochMillis when it was last written, by the clock of its host
   */
  record RunFile(String path, long sizeBytes, long modifiedEpochMillis) {}
}
