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
 * Counts the triples of suspect objects. A triplestore can need long for a question about one
 * subject (MPTStore looks into a table for each predicate), and answers no question about a list of
 * subjects. After the first few objects, all triples are therefore read in one pass and counted for
 * up to {@value #OBJECTS_PER_PASS} objects. An object that lacks triples by that is asked for
 * itself. If a pass takes longer than single questions would, if Fedora answers it with status 500,
 * or if a second one fails in another way though Fedora is there, the objects are asked for one at
 * a time. Safe for use by many threads, each with its own session.
 */
final class UnconfirmedTriples {

  /** So many objects tell how long a single question takes; fewer are not worth a pass. */
  static final int SAMPLE_QUERIES = 16;

  /** Each takes some 150 bytes of memory. */
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

  /** Those from here on have not been in a pass. */
  private long unreadFrom;

  private boolean passes = true;

  /** Passes that have failed since the last one that succeeded, whoever asked for them. */
  private int failures;

  /** Objects for which a pass was answered by what stands in Fedora's place, since then. */
  private final Set<Long> awayFor = new HashSet<>();

  private long singleQueries;
  private long singleQueryNanos;

  /**
   * @param unconfirmed does not change any more; asked for in about their order
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
   * Counts the triples of an object and of its datastreams, written ones only.
   *
   * @throws IOException if Fedora cannot be asked
   * @throws RunStop if the dataset cannot make another object of the pass, or a stop is requested
   */
  long countOf(FedoraSession session, long index, RepositoryObject object)
      throws IOException, RunStop {
    Long read = readOf(session, index, object.pid());
    // An answer that was cut would make all that comes after it look lost.
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

  /** Whether the triple of a statement between two objects is there, if it is written. */
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

  /** Null if it was in no pass. */
  private synchronized Long readOf(FedoraSession session, long index, String pid)
      throws IOException, RunStop {
    if (passes && singleQueries >= SAMPLE_QUERIES && index >= unreadFrom) {
      pass(session, index);
    }
    long[] count = counts.get(pid);
    return count == null ? null : count[0];
  }

  /** Others wait meanwhile: what they want to know is on its way. */
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
        throw e; // the caller waits for Fedora and asks again
      }
      passes = false;
    }
  }

  private boolean mayFedoraBeAway(IOException e, long from) {
    if (e instanceof FedoraUnreachableException) {
      return true; // nothing was sent, so that this says nothing of passes
    }
    int status = e instanceof FedoraRefusalException refusal ? refusal.status() : 0;
    return switch (status) {
      case 500 -> false;
      // All threads that wait here may find the same proxy, within one outage.
      case 502, 503 -> awayFor.add(from);
      default -> failures++ == 0;
    };
  }
}
