package org.fedometer.store;

import java.io.IOException;
import java.util.List;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/** Read access to a store: a local directory, or the store of a remote collector. */
public interface StoreView {
  /** Hint for a user of a local store without runs. */
  String HOW_TO_MAKE_A_RUN =
      "'fedometer run' creates one. Runs are in ./fedometer-store of the folder in which they were"
          + " started: change to it, or give --store DIR. To read the runs of a collector, give"
          + " --from H:P to report, runs and other reading commands; 'fedometer runs fetch RUN"
          + " --from H:P' copies one";

  /** Returns a directory or a collector's address, for messages. */
  String location();

  /** Returns a hint for a user of this store if it has no runs, for a message. */
  default String missingRunHint() {
    return HOW_TO_MAKE_A_RUN;
  }

  /** Returns all runs, newest first. */
  List<? extends RunView> runs() throws IOException;

  /** Returns all runs in one line each, newest first; fast for a thousand. */
  List<RunSummary> summaries() throws IOException;

  /**
   * Returns a run by the user's name for it.
   *
   * @param name of a run; for a local store also the path of a run's folder
   * @throws NoSuchRunException lists existing runs
   */
  RunView run(String name) throws NoSuchRunException, IOException;

  /**
   * Opens the tables of all runs together, each with a first column {@code run}; the caller closes
   * the query.
   */
  Query query() throws IOException, QueryException;
}
