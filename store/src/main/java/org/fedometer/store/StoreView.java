package org.fedometer.store;

import java.io.IOException;
import java.util.List;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/** A store to be read: a directory of this machine, or one that a collector far away has. */
public interface StoreView {
  /** What a user is told who asks a store of this machine that has no run yet. */
  String HOW_TO_MAKE_A_RUN =
      "'fedometer run' makes one there. Runs are in ./fedometer-store of the folder in which they"
          + " were made: go there, or give --store DIR. Those of a collector are with it: report,"
          + " runs and others that only read take --from H:P, 'fedometer runs fetch RUN --from H:P'"
          + " brings one";

  /** Where it is, for messages: a directory, or a collector's address. */
  String location();

  /** What a user is told who asks this store, and it has no run yet: words for a message. */
  default String missingRunHint() {
    return HOW_TO_MAKE_A_RUN;
  }

  /** All runs, the newest first. */
  List<? extends RunView> runs() throws IOException;

  /** All runs in one line each, the newest first; quick for a thousand. */
  List<RunSummary> summaries() throws IOException;

  /**
   * The run that a user means.
   *
   * @param name of a run; for a store of this machine also the path of a run's folder
   * @throws NoSuchRunException lists what there is
   */
  RunView run(String name) throws NoSuchRunException, IOException;

  /**
   * The tables of all runs together, each with a first column {@code run}; the caller closes it.
   */
  Query query() throws IOException, QueryException;
}
