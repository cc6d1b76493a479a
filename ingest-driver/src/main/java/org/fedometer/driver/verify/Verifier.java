package org.fedometer.driver.verify;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.study.DatastreamStudy;
import org.fedometer.wire.Counted;

/**
 * Verifies after an ingest that Fedora has the expected number of objects and triples. Compares a
 * random sample, or everything, with the content and triples of the regenerated dataset. Conducted
 * by one thread, with a few reader threads.
 */
public final class Verifier {

  /** Maximum number of reported problems of the sample. */
  static final int MAX_REPORTED_PROBLEMS = 20;

  private final FedoraClient client;
  private final Dataset dataset;
  private final Options options;
  private final ContentDelivery delivery;
  private final RepositoryCounts counts;

  /**
   * @param sampledObjects number of objects read back; all if fewer were ingested
   * @param seed seed of the sample
   * @param threads threads that read back; the client needs as many connections
   * @param tripleTimeout maximum time for the triple count to settle, see {@code
   *     TripleCounter.drain}
   * @param triples true if there is a triplestore to count
   * @param everything true to compare all objects, read all triples, and look for orphans
   * @param hasOtherWriters true if other clients may write to this Fedora, and own surplus triples
   */
  public record Options(
      int sampledObjects,
      long seed,
      int threads,
      Duration tripleTimeout,
      boolean triples,
      boolean everything,
      boolean hasOtherWriters) {

    public Options {
      Objects.requireNonNull(tripleTimeout, "tripleTimeout");
      int maxThreads = RepositoryCheck.Options.MAX_THREADS;
      if (sampledObjects < 0 || threads < 1 || threads > maxThreads) {
        throw new IllegalArgumentException(
            "A verification reads zero or more objects with 1 to "
                + maxThreads
                + " threads, not "
                + sampledObjects
                + " with "
                + threads
                + ".");
      }
    }

    /** Creates options for a sample, in a Fedora without other writers. */
    public Options(
        int sampledObjects, long seed, int threads, Duration tripleTimeout, boolean triples) {
      this(sampledObjects, seed, threads, tripleTimeout, triples, false, false);
    }

    /** Returns options of 100 objects, two threads, ten minutes for the triples to settle. */
    public static Options standard(long seed) {
      return new Options(100, seed, 2, Duration.ofMinutes(10), true);
    }

    public Options withoutTriples() {
      return new Options(
          sampledObjects, seed, threads, tripleTimeout, false, everything, hasOtherWriters);
    }

    public Options withSample(int objects) {
      return new Options(
          objects, seed, threads, tripleTimeout, triples, everything, hasOtherWriters);
    }

    public Options withEverything() {
      return new Options(
          sampledObjects, seed, threads, tripleTimeout, triples, true, hasOtherWriters);
    }

    public Options withOtherWriters() {
      return new Options(sampledObjects, seed, threads, tripleTimeout, triples, everything, true);
    }
  }

  /**
   * State of the repository before the ingest.
   *
   * @param objects of the dataset's namespace
   * @param triples in the whole triplestore; 0 without one
   */
  public record Before(long objects, long triples) {}

  record Compared(long objects, long equal, long bytes) {

    static final Compared NOTHING = new Compared(0, 0, 0);
  }

  /**
   * @param delivery delivery of the ingest, not closed yet
   */
  public Verifier(FedoraClient client, Dataset dataset, Options options, ContentDelivery delivery) {
    this.delivery = Objects.requireNonNull(delivery, "delivery");
    this.client = Objects.requireNonNull(client, "client");
    this.dataset = Objects.requireNonNull(dataset, "dataset");
    this.options = Objects.requireNonNull(options, "options");
    this.counts = new RepositoryCounts(client, dataset, options);
  }

  public Before before() throws IOException {
    return counts.before();
  }

  /**
   * Same as {@link #verify(IngestResult, Before, RepositoryCheck.Listener)}, without a listener.
   */
  public Verification verify(IngestResult ingest, Before before) {
    return verify(ingest, before, RepositoryCheck.Listener.NONE);
  }

  /**
   * Flushes, counts and reads back. Reports failed and impossible checks as problems, without an
   * exception.
   *
   * @param progress listener for progress and problems of a comparison of everything
   */
  public Verification verify(
      IngestResult ingest, Before before, RepositoryCheck.Listener progress) {
    long startNanos = System.nanoTime();
    List<String> problems = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    if (ingest.count(Count.FAILED_ADDITIONS) > 0) {
      problems.add(
          Counted.of(ingest.count(Count.FAILED_ADDITIONS), "statement")
              + " could not be added to other objects; "
              + Counted.of(ingest.count(Count.ADDITIONS), "was added.", "were added."));
    }
    problems.addAll(ingest.unrecoverable());
    if (ingest.failedOperations() > 0) {
      problems.add(
          Counted.of(ingest.failedOperations(), "request")
              + " of the mix other than ingests failed for good.");
    }
    long objectsExpected = before.objects() + ingest.count(Count.INGESTED) - ingest.purged();
    long triplesExpected =
        options.triples() ? before.triples() + ingest.count(Count.EXPECTED_TRIPLES) : 0;
    Long triples = null;
    Long objects = null;
    try (FedoraSession session = client.newSession()) {
      if (options.triples()) {
        triples = counts.triples(session, ingest, triplesExpected, problems, notes);
      }
      objects = counts.objects(session, ingest, objectsExpected, problems);
    }
    Dataset expected =
        ingest.count(Count.ADDED_TO_FIRST) == 0
            ? dataset
            : DatastreamStudy.expected(dataset, ingest.count(Count.ADDED_TO_FIRST));
    Compared compared = Compared.NOTHING;
    if (ingest.mix() != null && !ingest.mix().knowsUncertain()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "Failed steps may have changed more than %,d objects, and the others are not"
                  + " known. Objects were counted, but not compared.",
              IngestTally.MAX_NOT_INGESTED));
    } else if (options.everything()) {
      compared = compareAll(expected, ingest, progress, problems, notes);
    } else {
      SampleReadBack sample =
          new SampleReadBack(client, dataset, expected, options, delivery, ingest);
      compared = sample.readBack(problems, notes);
      if (ingest.mix() != null && ingest.purged() > 0) {
        sample.checkPurged(problems);
      }
    }
    return new Verification(
        objectsExpected,
        objects,
        triplesExpected,
        triples,
        compared.objects(),
        compared.equal(),
        compared.bytes(),
        problems,
        notes,
        System.nanoTime() - startNanos);
  }

  private Compared compareAll(
      Dataset expected,
      IngestResult ingest,
      RepositoryCheck.Listener progress,
      List<String> problems,
      List<String> notes) {
    Compared compared = Compared.NOTHING;
    List<String> reported = new ArrayList<>();
    long[] found = {0};
    RepositoryCheck.Listener problemListener =
        new RepositoryCheck.Listener() {
          @Override
          public void onProblem(Problem problem) {
            progress.onProblem(problem);
            if (found[0]++ < MAX_REPORTED_PROBLEMS) {
              reported.add(problem.text());
            }
          }

          @Override
          public void onProgress(String what, long done, long all) {
            progress.onProgress(what, done, all);
          }
        };
    RepositoryCheck check =
        new RepositoryCheck(
            client,
            RunClaim.of(expected, ingest, false),
            delivery,
            new RepositoryCheck.Options(
                0, true, true, options.seed(), options.threads(), options.triples()),
            problemListener);
    try {
      RepositoryCheck.Result result = check.run();
      compared = new Compared(result.compared(), result.equal(), result.bytes());
      notes.addAll(result.notes());
    } catch (IOException e) {
      reported.add("Not everything could be compared: " + Messages.of(e));
    }
    problems.addAll(reported);
    if (found[0] > MAX_REPORTED_PROBLEMS) {
      problems.add("... and " + (found[0] - MAX_REPORTED_PROBLEMS) + " more.");
    }
    return compared;
  }
}
