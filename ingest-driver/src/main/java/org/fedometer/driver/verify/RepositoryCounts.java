package org.fedometer.driver.verify;

import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.ObjectCounter;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.fedora.Words;

/**
 * Counts objects and triples before and after an ingest, and says what differs from what should be
 * there. Called by the thread that conducts the verification.
 */
final class RepositoryCounts {

  /** Batches of triples that may fail to be written, one a drain, before counting is given up. */
  private static final int DRAINS = 5;

  private final FedoraClient client;
  private final Dataset dataset;
  private final Verifier.Options options;

  RepositoryCounts(FedoraClient client, Dataset dataset, Verifier.Options options) {
    this.client = client;
    this.dataset = dataset;
    this.options = options;
  }

  /** Counts what is there before an ingest. */
  Verifier.Before before() throws IOException {
    try (FedoraSession session = client.newSession()) {
      session.login();
      long objects = countObjects(session);
      long triples = options.triples() ? new TripleCounter(session).count(true) : 0;
      return new Verifier.Before(objects, triples);
    }
  }

  /**
   * Flushes and counts the triples.
   *
   * @return null if they could not be counted, which is a problem, too
   */
  Long triples(
      FedoraSession session,
      IngestResult ingest,
      long expected,
      List<String> problems,
      List<String> notes) {
    try {
      long counted = drain(session, problems);
      if (counted < expected) {
        problems.add(
            "The triplestore holds "
                + counted
                + " triples and should hold "
                + expected
                + ": "
                + (expected - counted)
                + " are missing. "
                + (ingest.outages().isEmpty()
                    ? "A flush may have failed; Fedora's log says so, its answers do not."
                    : "Fedora was out of reach during the ingest; what it has not flushed when it is"
                        + " killed is lost.")
                + " While Fedora is stopped, 'fedometer repair --home' makes them anew from the"
                + " objects' files.");
      } else if (counted > expected && options.amongOthers()) {
        notes.add(
            "The triplestore holds "
                + (counted - expected)
                + " triples more than it held before and the ingested objects have: somebody"
                + " else's, or left over. A verification of everything tells which.");
      } else if (counted > expected
          && ingest.abandoned()
                  + ingest.failed()
                  + ingest.failedAdditions()
                  + ingest.failedOperations()
              == 0) {
        problems.add(
            "The triplestore holds "
                + counted
                + " triples and should hold "
                + expected
                + ": "
                + (counted - expected)
                + " too many.");
      } else if (counted > expected) {
        problems.add(
            "The triplestore holds "
                + (counted - expected)
                + " triples more than the "
                + expected
                + " of the ingested objects; they may be left over from the "
                + (ingest.abandoned()
                    + ingest.failed()
                    + ingest.failedAdditions()
                    + ingest.failedOperations())
                + " objects, statements and requests that failed or were abandoned.");
      }
      return counted;
    } catch (IOException e) {
      problems.add(Words.of(e));
      return null;
    }
  }

  /**
   * A flush that fails loses its batch for good, and the next one succeeds: it is a problem, but no
   * reason not to count.
   */
  private long drain(FedoraSession session, List<String> problems) throws IOException {
    TripleCounter counter = new TripleCounter(session);
    for (int attempt = 1; ; attempt++) {
      try {
        return counter.drain(options.triplePatience());
      } catch (FedoraRefusalException e) {
        if (attempt == DRAINS) {
          throw e;
        }
        problems.add(Words.of(e));
      }
    }
  }

  /**
   * Counts the objects of the dataset's namespaces.
   *
   * @return null if they could not be counted, which is a problem, too
   */
  Long objects(FedoraSession session, IngestResult ingest, long expected, List<String> problems) {
    try {
      long counted = countObjects(session);
      long tolerated = ingest.abandoned();
      long perhapsPurged = 0;
      if (ingest.mix() != null) {
        // a purge of which nobody knows either way
        perhapsPurged = ingest.mix().openPurges();
      }
      if (counted < expected - perhapsPurged || counted > expected + tolerated) {
        problems.add(
            "Fedora's field search finds "
                + counted
                + " objects of the namespace "
                + String.join(", ", new TreeSet<>(dataset.pidNamespaces()))
                + " and should find "
                + expected
                + ".");
      }
      return counted;
    } catch (IOException e) {
      problems.add(Words.of(e));
      return null;
    }
  }

  private long countObjects(FedoraSession session) throws IOException {
    long objects = 0;
    for (String namespace : dataset.pidNamespaces()) {
      objects += new ObjectCounter(session).count(namespace, soFar -> {});
    }
    return objects;
  }
}
