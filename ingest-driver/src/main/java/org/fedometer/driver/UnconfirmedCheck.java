package org.fedometer.driver;

import java.io.IOException;
import java.time.Instant;
import java.util.PrimitiveIterator;
import org.fedometer.datasets.AddedStatement;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.ObjectProfile;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.journal.JournalState;
import org.fedometer.driver.object.ObjectAge;
import org.fedometer.driver.object.ReadBack;
import org.fedometer.driver.object.UnrecoverableObjects;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;
import org.fedometer.driver.request.Worker;

/**
 * Checks objects that Fedora has acknowledged and may have lost since, wholly or in their triples.
 * Fedora answers 201 before either is on disk.
 *
 * <p>Objects that Fedora reports incomplete are returned, to be purged and ingested again. Objects
 * that cannot be queried or that others have changed are reported and left alone. All workers call
 * it, each with its own session, when nothing else is sent and Fedora has flushed.
 */
public final class UnconfirmedCheck {

  /**
   * MPTStore uses one connection for a query, then another while it holds a lock that all queries
   * need. As many concurrent queries as its pool has connections deadlock.
   */
  public static final int MAX_CONCURRENT_QUERIES = 2;

  /** Drivers do not know of each other, and there may be many. */
  private static final int MAX_CONCURRENT_QUERIES_PER_SHARD = 1;

  private final Dataset dataset;
  private final IngestOptions options;
  private final Journal journal;
  private final StopSignal stop;
  private final UnrecoverableObjects unrecoverable;
  private final EarlierWork earlier;
  private final PrimitiveIterator.OfLong unconfirmed;
  private final long begunEnd;

  /** True if leading objects have all the statements to be added to them. */
  private final boolean allAdded;

  private final IndexRanges incomplete;
  private final IndexRanges unresolved;
  private final UnconfirmedTriples triples;

  /** This driver sent nothing after that. */
  private final Instant began = Instant.now();

  /**
   * Work of earlier drivers.
   *
   * @param acknowledged objects they acknowledged and that were not ingested again since
   * @param end time of the last write of the last of them, or null if there was none
   */
  record EarlierWork(IndexRanges acknowledged, Instant end) {

    boolean has(long index) {
      return end != null && acknowledged.contains(index);
    }
  }

  /**
   * @param unconfirmed indices to check; constant
   * @param unrecoverable gets a sentence for each object that is left alone
   */
  UnconfirmedCheck(
      Dataset dataset,
      IngestOptions options,
      Journal journal,
      StopSignal stop,
      IndexRanges unconfirmed,
      EarlierWork earlier,
      UnrecoverableObjects unrecoverable) {
    this.dataset = dataset;
    this.options = options;
    this.journal = journal;
    this.stop = stop;
    this.unrecoverable = unrecoverable;
    this.earlier = earlier;
    this.unconfirmed = unconfirmed.iterator();
    this.incomplete = new IndexRanges(options.shard().stride());
    this.unresolved = new IndexRanges(options.shard().stride());
    this.triples =
        new UnconfirmedTriples(
            dataset,
            unconfirmed,
            options.shard().isPart() ? MAX_CONCURRENT_QUERIES_PER_SHARD : MAX_CONCURRENT_QUERIES,
            stop);
    JournalState state = journal.state();
    this.begunEnd = Math.min(options.endIndex(), state.nextIndex());
    this.allAdded =
        !options.shard().isPart()
            && state.failed().isEmpty()
            && state.pending().isEmpty()
            && state.totals().failedAdditions() == 0;
  }

  /** Returns the objects to be ingested again. Complete once all workers have ended. */
  IndexRanges incomplete() {
    synchronized (incomplete) {
      return incomplete.copy();
    }
  }

  /**
   * Returns the objects that were reported and stay unconfirmed. Complete once all workers have
   * ended.
   */
  IndexRanges unresolved() {
    synchronized (unresolved) {
      return unresolved.copy();
    }
  }

  /**
   * Checks unconfirmed objects until there are none left.
   *
   * @param checked runs after each object
   */
  void work(Worker worker, Runnable checked) throws RunStop {
    for (long index = next(); index >= 0; index = next()) {
      if (stop.raised()) {
        throw RunStop.asRequested();
      }
      Finding finding = check(worker, index);
      if (!finding.message().isEmpty()) {
        unrecoverable.add(finding.message());
      }
      switch (finding.kind()) {
        case COMPLETE -> confirm(index);
        case INCOMPLETE -> add(incomplete, index);
        case UNRESOLVED -> add(unresolved, index);
      }
      checked.run();
    }
  }

  private long next() {
    synchronized (unconfirmed) {
      if (!unconfirmed.hasNext()) {
        return -1;
      }
      return unconfirmed.nextLong();
    }
  }

  private static void add(IndexRanges ranges, long index) {
    synchronized (ranges) {
      ranges.add(index);
    }
  }

  private void confirm(long index) throws RunStop {
    try {
      journal.confirmed(index);
    } catch (IOException e) {
      throw RunStop.journalNotWritten(e);
    }
  }

  private enum Kind {
    COMPLETE,
    /** Reported by Fedora itself. */
    INCOMPLETE,
    /** Left for someone else to resolve. */
    UNRESOLVED
  }

  private record Finding(Kind kind, String message) {

    static Finding of(Kind kind) {
      return new Finding(kind, "");
    }

    static Finding unresolved(String message) {
      return new Finding(Kind.UNRESOLVED, message);
    }
  }

  /** Checks one object; a query without an answer proves nothing about it. */
  private Finding check(Worker worker, long index) throws RunStop {
    // Statements that failed or that another driver adds are unknown here.
    boolean leads = index < dataset.leadingObjects();
    RepositoryObject object =
        leads && !allAdded
            ? RunStop.makeObject(dataset, index)
            : RunStop.makeFinished(
                dataset, index, options.firstIndex(), begunEnd - options.firstIndex());
    try {
      return worker.query(() -> find(worker.session(), index, object));
    } catch (IOException e) {
      return Finding.unresolved(
          object.pid()
              + " could not be checked: "
              + Messages.of(e)
              + ". If Fedora itself cannot read it, stop Fedora and run 'fedometer stack repair"
              + " --home DIR'.");
    }
  }

  private Finding find(FedoraSession session, long index, RepositoryObject object)
      throws IOException, RunStop {
    ObjectProfile profile = session.profile(object.pid()).orElse(null);
    if (profile == null) {
      return Finding.of(Kind.INCOMPLETE);
    }
    ReadBack readBack =
        ReadBack.detailed(session, object, options.content().of(index, object), false);
    boolean lacks =
        readBack.isIncomplete()
            || !session.isInFieldIndex(object.pid())
            || options.triples() && triples.countOf(session, index, object) < object.triples();
    if (!lacks) {
      String lost = lostAddition(session, index, object);
      return lost.isEmpty() ? Finding.of(Kind.COMPLETE) : Finding.unresolved(lost);
    }
    // A leading object is not purged anyway.
    if (index >= dataset.leadingObjects()) {
      if (readBack.foreign() > 0 || changedSince(session, index, profile)) {
        return Finding.unresolved(
            object.pid()
                + " is incomplete, but another client has changed it since its ingest: it was left"
                + " unchanged.");
      }
    }
    return new Finding(Kind.INCOMPLETE, lostAddition(session, index, object));
  }

  /**
   * Returns whether the object changed, by Fedora's clock, later than any change by this ingest.
   */
  private boolean changedSince(FedoraSession session, long index, ObjectProfile profile) {
    Instant ours = earlier.has(index) ? earlier.end() : began;
    long ahead = session.fedoraMillis() - System.currentTimeMillis();
    return profile.lastModified() != null
        && profile.lastModified().isAfter(ours.plusMillis(ahead).plus(ObjectAge.CLOCK_TOLERANCE));
  }

  /**
   * Checks the statements that the object has added to others: they came later than those objects,
   * and may be lost without them.
   *
   * @return empty if nothing is lost
   */
  private String lostAddition(FedoraSession session, long index, RepositoryObject object)
      throws IOException {
    if (options.triples()) {
      for (AddedStatement added : dataset.additions(index)) {
        if (!triples.contains(session, added)) {
          return added.pid()
              + " has lost the triple "
              + added.statement().predicate()
              + " that "
              + object.pid()
              + " has added to it, and was not purged: rebuild the resource index to restore the"
              + " triple.";
        }
      }
    }
    return "";
  }
}
