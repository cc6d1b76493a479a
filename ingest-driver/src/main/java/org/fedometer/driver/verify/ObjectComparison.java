package org.fedometer.driver.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.UnconfirmedCheck;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.ContentFailureException;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.FedoraUnreachableException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.journal.IndexRanges;
import org.fedometer.driver.mix.MixedObjects;
import org.fedometer.driver.object.ReadBack;
import org.fedometer.wire.Counted;

/**
 * Compares a run's objects one by one: a sample or all, and any missing from the field search.
 * Conducted by one thread; a few reader threads share counts guarded by the findings' monitor.
 */
final class ObjectComparison {

  /** Objects compared together; after a mix, each group requires a replay of all steps. */
  private static final int CHUNK = 500_000;

  private static final int PROGRESS_EVERY = 100;

  private final FedoraClient client;
  private final RunClaim claim;
  private final Dataset dataset;
  private final ContentDelivery delivery;
  private final RepositoryCheck.Options options;
  private final MixedObjects mixed;
  private final IndexCensus census;
  private final CheckFindings findings;

  /** Begun objects that are missing and not known to be acknowledged. */
  private final IndexRanges absent = new IndexRanges();

  private final Semaphore tripleQueries = new Semaphore(UnconfirmedCheck.MAX_CONCURRENT_QUERIES);

  private long compared;
  private long equal;
  private long bytes;
  private long leftOfFailed;
  private long triplesExpected;
  private long done;

  /**
   * @param mixed objects after a mix, or null
   * @param census a complete census
   */
  ObjectComparison(
      FedoraClient client,
      RunClaim claim,
      ContentDelivery delivery,
      RepositoryCheck.Options options,
      MixedObjects mixed,
      IndexCensus census,
      CheckFindings findings) {
    this.client = client;
    this.claim = claim;
    this.dataset = claim.dataset();
    this.delivery = delivery;
    this.options = options;
    this.mixed = mixed;
    this.census = census;
    this.findings = findings;
  }

  long compared() {
    return compared;
  }

  long equal() {
    return equal;
  }

  long bytes() {
    return bytes;
  }

  /** Returns the number of failed objects that exist nevertheless. */
  long leftOfFailed() {
    return leftOfFailed;
  }

  /** Returns the triples expected of the compared objects. */
  long triplesExpected() {
    return triplesExpected;
  }

  /** Returns the number of objects that are legitimately missing. */
  long absent() {
    return absent.size();
  }

  void run() throws IOException {
    BitSet chosen = options.everything() ? null : sample();
    LongStream indices = LongStream.range(claim.firstIndex(), claim.endIndex());
    long all =
        options.everything()
            ? claim.endIndex() - claim.firstIndex()
            : indices.filter(index -> isSelected(index, chosen)).count();
    List<Long> chunk = new ArrayList<>();
    for (long index = claim.firstIndex(); index < claim.endIndex(); index++) {
      if (isSelected(index, chosen)) {
        chunk.add(index);
      }
      if (chunk.size() == CHUNK) {
        compare(chunk, all);
        chunk.clear();
      }
    }
    compare(chunk, all);
  }

  private boolean isSelected(long index, BitSet chosen) {
    if (chosen == null || chosen.get(claim.place(index))) {
      return true;
    }
    // An object missing from the field search needs a check, as does a purged one in it.
    return census.fieldSearchWorks()
        && claim.has(index)
        && census.isInFieldIndex(index) == isPurged(index);
  }

  private boolean isPurged(long index) {
    return mixed != null && index >= mixed.firstPurged() && index < mixed.endPurged();
  }

  private BitSet sample() {
    BitSet chosen = new BitSet();
    long available = claim.endIndex() - claim.firstIndex();
    long wanted = Math.min(available, options.sampledObjects());
    if (wanted == available) {
      chosen.set(0, claim.place(claim.endIndex()));
      return chosen;
    }
    // Objects that others add to reveal missing additions.
    long leading = Math.min(dataset.leadingObjects(), claim.endIndex());
    long number = 0;
    for (long i = claim.firstIndex(); i < leading && number < wanted && claim.isKnown(i); i++) {
      chosen.set(claim.place(i));
      number++;
    }
    SplittableRandom random = new SplittableRandom(options.seed());
    int places = claim.place(claim.endIndex());
    // the bound matters only if nearly everything failed
    for (long tries = 0; number < wanted && tries < 1000 * wanted; tries++) {
      int place = random.nextInt(places);
      long index = claim.firstIndex() + place;
      if (!chosen.get(place) && claim.has(index) && !isPurged(index)) {
        chosen.set(place);
        number++;
      }
    }
    return chosen;
  }

  private void compare(List<Long> chunk, long all) throws IOException {
    if (chunk.isEmpty()) {
      return;
    }
    if (mixed != null) {
      mixed.replay(chunk);
    }
    AtomicInteger next = new AtomicInteger();
    try {
      Readers.run(
          client,
          Math.min(options.threads(), chunk.size()),
          () -> {
            compare(chunk, next, all);
            return null;
          });
    } catch (InterruptedException e) {
      findings.stop();
      Thread.currentThread().interrupt();
      throw new CheckFindings.Stopped();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException known) {
        throw known;
      }
      if (e.getCause() instanceof UncheckedIOException unread) {
        throw unread.getCause();
      }
      if (e.getCause() instanceof CheckFindings.Stopped ended) {
        throw ended;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private void compare(List<Long> chunk, AtomicInteger next, long all) throws IOException {
    try (FedoraSession session = client.newSession()) {
      for (int i = next.getAndIncrement(); i < chunk.size(); i = next.getAndIncrement()) {
        findings.requireNotStopped();
        check(session, chunk.get(i));
        synchronized (findings) {
          if (++done % PROGRESS_EVERY == 0 || done == all) {
            findings.progress("comparing objects", done, all);
          }
        }
      }
    }
  }

  private void check(FedoraSession session, long index) throws IOException {
    if (!claim.has(index)) {
      checkFailed(session, index);
    } else if (isPurged(index)) {
      checkPurged(session, index);
    } else if (mixed == null || mixed.isCertain(index)) {
      checkObject(session, index);
    }
  }

  private void checkFailed(FedoraSession session, long index) throws IOException {
    if (!options.orphans()) {
      return;
    }
    String pid = dataset.object(index).pid();
    boolean there = IndexCensus.exists(session, pid);
    List<Problem> found = new ArrayList<>();
    if (!there) {
      orphans(pid, index, "had failed", found);
    }
    synchronized (findings) {
      leftOfFailed += there ? 1 : 0;
      findings.report(found);
    }
  }

  private void checkPurged(FedoraSession session, long index) throws IOException {
    if (!mixed.isCertainlyPurged(index)) {
      return;
    }
    String pid = dataset.object(index).pid();
    List<Problem> problems = new ArrayList<>();
    if (IndexCensus.exists(session, pid)) {
      problems.add(
          new Problem(Problem.Kind.NOT_PURGED, pid, pid + " was purged, and is in Fedora."));
    } else {
      orphans(pid, index, "was purged", problems);
    }
    findings.report(problems);
  }

  /** Reports remains of a missing object in the indexes. */
  private void orphans(String pid, long index, String why, List<Problem> found) {
    if (census.isInFieldIndex(index)) {
      found.add(
          new Problem(
              Problem.Kind.FIELD_INDEX_ORPHAN,
              pid,
              pid + " " + why + " and Fedora does not have it, but its field search finds it."));
    }
    if (census.triplesRead() && census.triplesOf(index) > 0) {
      found.add(
          new Problem(
              Problem.Kind.TRIPLESTORE_ORPHAN,
              pid,
              "%s %s and Fedora does not have it, but the triplestore has %s of it."
                  .formatted(pid, why, Counted.of(census.triplesOf(index), "triple"))));
    }
  }

  private void checkObject(FedoraSession session, long index) throws IOException {
    RepositoryObject object =
        dataset.finished(index, claim.firstIndex(), claim.endIndex() - claim.firstIndex());
    RepositoryObject expected = mixed == null ? object : mixed.changed(index, object);
    boolean known = claim.isKnown(index);
    List<Problem> found = new ArrayList<>();
    ReadBack readBack = readBack(session, index, expected, known, found);
    boolean absentAndOpen = false;
    String pid = expected.pid();
    if (!readBack.there()) {
      orphans(pid, index, "should be there", found);
      absentAndOpen = found.isEmpty() && claim.open() > 0;
      if (!absentAndOpen) {
        found.add(new Problem(Problem.Kind.MISSING, pid, "Fedora has no object " + pid + "."));
      }
    } else {
      if (!isFound(session, pid, index)) {
        found.add(
            new Problem(
                Problem.Kind.NOT_IN_FIELD_INDEX,
                pid,
                "Fedora has " + pid + ", and its field search does not find it."));
      }
      if (known && options.triples()) {
        checkTriples(session, index, expected, found);
      }
    }
    synchronized (findings) {
      if (absentAndOpen) {
        absent.add(index);
        return;
      }
      compared++;
      equal += found.isEmpty() ? 1 : 0;
      bytes += readBack.bytes();
      triplesExpected += expected.triples();
      findings.report(found);
    }
  }

  private void checkTriples(
      FedoraSession session, long index, RepositoryObject expected, List<Problem> found)
      throws IOException {
    long triples;
    if (census.triplesRead()) {
      triples = census.triplesOf(index);
    } else if (expected instanceof ComposedObject) {
      triples = countOf(session, expected);
    } else {
      return; // a packaged object can have subjects other than its datastreams
    }
    if (triples != expected.triples()) {
      found.add(
          new Problem(
              Problem.Kind.TRIPLES,
              expected.pid(),
              String.format(
                  Locale.ROOT,
                  "The triplestore has %s of %s and should have %,d.",
                  Counted.of(triples, "triple"),
                  expected.pid(),
                  expected.triples())));
    }
  }

  /**
   * Limits concurrent queries: each needs two of MPTStore's ten connections, and a lock in between.
   */
  private long countOf(FedoraSession session, RepositoryObject expected) throws IOException {
    tripleQueries.acquireUninterruptibly();
    try {
      return new TripleCounter(session).countOf(expected);
    } finally {
      tripleQueries.release();
    }
  }

  private ReadBack readBack(
      FedoraSession session,
      long index,
      RepositoryObject expected,
      boolean known,
      List<Problem> found)
      throws IOException {
    String pid = expected.pid();
    for (int attempt = 1; ; attempt++) {
      try {
        if (!known) {
          return new ReadBack(List.of(), 0, session.profile(pid).isPresent());
        }
        ReadBack readBack =
            claim.contentElsewhere()
                ? ReadBack.of(session, expected, List.of())
                : ReadBack.detailed(session, expected, delivery.of(index, expected), mixed != null);
        if (readBack.there()) {
          readBack
              .problems()
              .forEach(text -> found.add(new Problem(Problem.Kind.DIFFERS, pid, text)));
        }
        return readBack;
      } catch (FedoraUnreachableException | LoginRefusedException | ContentFailureException e) {
        throw e;
      } catch (IOException e) {
        findings.requireNotStopped();
        if (Thread.currentThread().isInterrupted()) {
          throw e; // another reader has failed, and cancelled this one
        }
        if (attempt > 1 || e instanceof FedoraRefusalException) {
          found.add(
              new Problem(
                  Problem.Kind.NOT_GIVEN, pid, pid + " could not be read: " + Messages.of(e)));
          return new ReadBack(List.of(), 0);
        }
      }
    }
  }

  private boolean isFound(FedoraSession session, String pid, long index) throws IOException {
    if (census.fieldSearchWorks()) {
      return census.isInFieldIndex(index);
    }
    try {
      return session.isInFieldIndex(pid);
    } catch (FedoraRefusalException e) {
      return true; // the search failure is reported already
    }
  }

  /** Tolerates missing begun objects up to the number of open ones; else each is a problem. */
  void settleAbsent() {
    if (absent.isEmpty() || findings.stopped()) {
      return;
    }
    if (absent.size() <= claim.open()) {
      findings.note(
          Counted.of(absent.size(), "object is", "objects are")
              + " not in Fedora; at least as many had failed, were under way or were not yet"
              + " sent when the load ended or paused.");
      return;
    }
    long missing = absent.size();
    absent
        .iterator()
        .forEachRemaining(
            (long index) -> {
              String pid = dataset.object(index).pid();
              findings.report(
                  List.of(
                      new Problem(
                          Problem.Kind.MISSING,
                          pid,
                          "Fedora has no object %s; %d objects are missing, at most %d may be."
                              .formatted(pid, missing, claim.open()))));
            });
    absent.clear();
  }
}
