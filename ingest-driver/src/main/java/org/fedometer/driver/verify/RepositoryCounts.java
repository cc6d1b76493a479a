package org.fedometer.driver.verify;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.ObjectCounter;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.load.Count;
import org.fedometer.wire.Counted;

/**
 * Counts objects and triples before and after an ingest, and reports differences. Confined to the
 * conducting thread.
 */
final class RepositoryCounts {

  /** Failed flushes of one drain after which counting ends. */
  private static final int DRAINS = 5;

  private final FedoraClient client;
  private final Dataset dataset;
  private final Verifier.Options options;

  RepositoryCounts(FedoraClient client, Dataset dataset, Verifier.Options options) {
    this.client = client;
    this.dataset = dataset;
    this.options = options;
  }

  Verifier.Before before() throws IOException {
    try (FedoraSession session = client.newSession()) {
      session.login();
      long objects = countObjects(session);
      long triples = options.triples() ? new TripleCounter(session).count(true) : 0;
      return new Verifier.Before(objects, triples);
    }
  }

  /**
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
            holds(counted, expected, "is missing. ", "are missing. ")
                + (ingest.interruptions().outages().isEmpty()
                    ? "A flush may have failed, which only Fedora's log shows."
                    : "Fedora was out of reach during the ingest; if it was killed, its unflushed"
                        + " triples are lost.")
                + " Stop Fedora and run 'fedometer stack repair --home DIR' to recreate them from"
                + " the objects' files.");
      } else if (counted > expected && options.hasOtherWriters()) {
        notes.add(
            "The triplestore holds "
                + Counted.of(counted - expected, "triple")
                + " more than before the load plus its own: from another client, or left over."
                + " 'fedometer verify --all' finds them.");
      } else if (counted > expected
          && ingest.count(Count.ABANDONED)
                  + ingest.count(Count.FAILED)
                  + ingest.count(Count.FAILED_ADDITIONS)
                  + ingest.failedOperations()
              == 0) {
        problems.add(holds(counted, expected, "is too many.", "are too many."));
      } else if (counted > expected) {
        problems.add(
            String.format(
                Locale.ROOT,
                "The triplestore holds %s more than the %,d of the ingested objects; left over,"
                    + " perhaps, from the objects, statements and requests that failed or were"
                    + " abandoned, %,d in all.",
                Counted.of(counted - expected, "triple"),
                expected,
                ingest.count(Count.ABANDONED)
                    + ingest.count(Count.FAILED)
                    + ingest.count(Count.FAILED_ADDITIONS)
                    + ingest.failedOperations()));
      }
      return counted;
    } catch (IOException e) {
      problems.add(Messages.of(e));
      return null;
    }
  }

  private static String holds(long counted, long expected, String one, String many) {
    return String.format(
        Locale.ROOT,
        "The triplestore holds %s and should hold %,d: %s",
        Counted.of(counted, "triple"),
        expected,
        Counted.of(Math.abs(expected - counted), one, many));
  }

  /**
   * Drains the triples. A failed flush loses its batch permanently, while the next one succeeds:
   * that is a problem, but no reason not to count.
   */
  private long drain(FedoraSession session, List<String> problems) throws IOException {
    TripleCounter counter = new TripleCounter(session);
    for (int attempt = 1; ; attempt++) {
      try {
        return counter.drain(options.tripleTimeout());
      } catch (FedoraRefusalException e) {
        if (attempt == DRAINS) {
          throw e;
        }
        problems.add(Messages.of(e));
      }
    }
  }

  /**
   * @return null if they could not be counted, which is a problem, too
   */
  Long objects(FedoraSession session, IngestResult ingest, long expected, List<String> problems) {
    try {
      long counted = countObjects(session);
      long tolerated = ingest.count(Count.ABANDONED);
      long perhapsPurged = 0;
      if (ingest.mix() != null) {
        // purges of unknown outcome
        perhapsPurged = ingest.mix().openPurges();
      }
      if (counted < expected - perhapsPurged || counted > expected + tolerated) {
        problems.add(
            String.format(
                Locale.ROOT,
                "Fedora's field search finds %s of the namespace %s and should find %,d.",
                Counted.of(counted, "object"),
                String.join(", ", new TreeSet<>(dataset.pidNamespaces())),
                expected));
      }
      return counted;
    } catch (IOException e) {
      problems.add(Messages.of(e));
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
