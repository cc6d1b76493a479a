package org.fedometer.driver;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.fedometer.datasets.AddedStatement;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.FedoraUnreachableException;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;

/**
 * Counts the triples of unconfirmed objects. Thread-safe, each thread with its own session.
 *
 * <p>A triplestore may take long for a query about one subject: MPTStore reads a table for each
 * predicate. It cannot be queried about a list of subjects. After the first few objects, one pass
 * therefore reads all triples and counts them for up to {@value #OBJECTS_PER_PASS} objects. An
 * object that then lacks triples is queried singly.
 *
 * <p>All objects are queried singly once a pass takes longer than single queries would, or Fedora
 * answers it with status 500. The same holds once a second pass fails otherwise although Fedora is
 * available.
 */
final class UnconfirmedTriples {

  /** Number of objects that show how long a single query takes; fewer are not worth a pass. */
  static final int SAMPLE_QUERIES = 16;

  /** Each needs some 150 bytes of memory. */
  private static final int OBJECTS_PER_PASS = 200_000;

  /** A pass this short is always worth it. */
  private static final Duration MIN_PASS_TIMEOUT = Duration.ofSeconds(10);

  /** A dataset of files reads one for each PID, and other threads wait meanwhile. */
  private static final Duration PIDS_TIMEOUT = Duration.ofSeconds(10);

  private final Dataset dataset;
  private final IndexRanges unconfirmed;
  private final int maxConcurrentQueries;
  private final StopSignal stop;
  private final Semaphore queries;

  /** Guarded by this, as all below. */
  private Map<String, long[]> counts = Map.of();

  /** Objects from this index on have not been in a pass. */
  private long unreadFrom;

  private boolean passes = true;

  /** Failed passes of all threads since the last successful one. */
  private int failures;

  /** Objects for which a proxy answered a pass in Fedora's place, since then. */
  private final Set<Long> awayFor = new HashSet<>();

  private long singleQueries;
  private long singleQueryNanos;

  /**
   * @param unconfirmed indices, queried roughly in their order; constant
   */
  UnconfirmedTriples(
      Dataset dataset, IndexRanges unconfirmed, int maxConcurrentQueries, StopSignal stop) {
    this.dataset = dataset;
    this.unconfirmed = unconfirmed;
    this.maxConcurrentQueries = maxConcurrentQueries;
    this.stop = stop;
    this.queries = new Semaphore(maxConcurrentQueries);
  }

  /**
   * Returns the number of an object's and its datastreams' triples, written ones only.
   *
   * @throws IOException if Fedora cannot be queried
   * @throws RunStop if the dataset cannot make another object of the pass, or a stop is requested
   */
  long countOf(FedoraSession session, long index, RepositoryObject object)
      throws IOException, RunStop {
    Long read = readOf(session, index, object.pid());
    // After a truncated answer, all later objects would look lost.
    if (read != null && read >= object.triples()) {
      return read;
    }
    queries.acquireUninterruptibly();
    long startNanos = System.nanoTime();
    try {
      return new TripleCounter(session).countOf(object);
    } finally {
      queries.release();
      add(System.nanoTime() - startNanos);
    }
  }

  /** Returns whether the triple of a statement between two objects exists, if it is written. */
  boolean contains(FedoraSession session, AddedStatement added) throws IOException {
    queries.acquireUninterruptibly();
    try {
      return new TripleCounter(session).contains(added);
    } finally {
      queries.release();
    }
  }

  private synchronized void add(long nanos) {
    singleQueries++;
    singleQueryNanos += nanos;
  }

  /** Returns null if the object was in no pass. */
  private synchronized Long readOf(FedoraSession session, long index, String pid)
      throws IOException, RunStop {
    if (passes && singleQueries >= SAMPLE_QUERIES && index >= unreadFrom) {
      pass(session, index);
    }
    long[] count = counts.get(pid);
    return count == null ? null : count[0];
  }

  /** Other threads wait meanwhile, since this pass reads their counts, too. */
  private void pass(FedoraSession session, long from) throws IOException, RunStop {
    long beganNanos = System.nanoTime();
    Map<String, long[]> next = new HashMap<>();
    long end = from;
    for (PrimitiveIterator.OfLong all = unconfirmed.iterator();
        all.hasNext()
            && next.size() < OBJECTS_PER_PASS
            && System.nanoTime() - beganNanos < PIDS_TIMEOUT.toNanos(); ) {
      if (stop.raised()) {
        throw RunStop.asRequested();
      }
      long index = all.nextLong();
      if (index >= from) {
        next.put(RunStop.makeObject(dataset, index).pid(), new long[1]);
        end = index + 1;
      }
    }
    if (next.size() <= SAMPLE_QUERIES) {
      passes = false;
      return;
    }
    long singlesNanos = singleQueryNanos / singleQueries * next.size() / maxConcurrentQueries;
    Duration timeout = Duration.ofNanos(Math.max(MIN_PASS_TIMEOUT.toNanos(), singlesNanos));
    long sentNanos = System.nanoTime();
    try {
      new TripleCounter(session)
          .subjects(
              timeout,
              () -> next.values().forEach(count -> count[0] = 0),
              pid -> {
                long[] count = next.get(pid);
                if (count != null) {
                  count[0]++;
                }
              });
      counts = next;
      unreadFrom = end;
      failures = 0;
      awayFor.clear();
    } catch (IOException e) {
      boolean tooLong = System.nanoTime() - sentNanos >= timeout.toNanos();
      if (!tooLong && mayFedoraBeAway(e, from)) {
        throw e; // the caller waits for Fedora and retries
      }
      passes = false;
    }
  }

  private boolean mayFedoraBeAway(IOException e, long from) {
    if (e instanceof FedoraUnreachableException) {
      return true; // nothing was sent, which proves nothing about passes
    }
    int status = e instanceof FedoraRefusalException refusal ? refusal.status() : 0;
    return switch (status) {
      case 500 -> false;
      // All waiting threads may meet the same proxy within one outage.
      case 502, 503 -> awayFor.add(from);
      default -> failures++ == 0;
    };
  }
}
