package org.fedometer.driver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.journal.IndexRanges;

/**
 * Compares a repository with what a run should have left in it, object by object and the other way
 * round: what the field search finds and the triplestore holds has to be some object's. Conducted
 * by one thread, objects are read by a few; {@link #stop} may come from any.
 *
 * <p>What it keeps of an object is four bytes and a bit, and two bytes more if all triples are
 * read: a run of any length can be checked.
 */
public final class RepositoryCheck {

  /** More PIDs that are none of the run's are not asked for. */
  static final int MOST_OTHERS = 100_000;

  /** Objects that are looked at in a row; after a mix each takes a pass through all its steps. */
  private static final int CHUNK = 500_000;

  private static final int PROGRESS_EVERY = 100;

  private final FedoraClient client;
  private final RunClaim claim;
  private final Dataset dataset;
  private final ContentDelivery delivery;
  private final Options options;
  private final Listener listener;

  /**
   * How thorough a check is.
   *
   * @param sampledObjects how many objects are compared in full
   * @param everything whether all are, whatever the number
   * @param orphans whether it is looked for triples of what is no object, and asked for objects
   *     that are none of the run's; always where everything is compared
   * @param seed decides which objects are sampled
   * @param threads that compare; the client needs a connection more
   * @param triples whether there is a triplestore
   */
  public record Options(
      int sampledObjects,
      boolean everything,
      boolean orphans,
      long seed,
      int threads,
      boolean triples) {

    /** The most threads there may be. */
    public static final int MOST_THREADS = 64;

    public Options {
      if (sampledObjects < 0) {
        throw new IllegalArgumentException("a sample has 0 or more objects, not " + sampledObjects);
      }
      if (threads < 1 || threads > MOST_THREADS) {
        throw new IllegalArgumentException(
            "objects are compared by 1 to " + MOST_THREADS + " threads, not " + threads);
      }
      orphans |= everything;
    }
  }

  /** Hears of what is found while it is found; called by one thread at a time. */
  public interface Listener {
    /** Hears nothing. */
    Listener NONE = new Listener() {};

    /** Something is wrong. All that is wrong with one object comes in a row. */
    default void onProblem(Problem problem) {}

    /**
     * How far it is.
     *
     * @param what is being done, a few words
     * @param done of these
     * @param all or 0 if that is not known
     */
    default void onProgress(String what, long done, long all) {}
  }

  /**
   * What was found.
   *
   * @param objectsExpected of the run, less those that were purged
   * @param objectsFound of these, objects that the field search finds; null if it failed
   * @param objectsInNamespaces all that the field search finds in the dataset's namespaces; null if
   *     it failed
   * @param failed objects that had failed by the run's record
   * @param open objects that are not there and need not be, since it is not known what became of
   *     them
   * @param triplesExpected of the run's objects by the formula; null if not all of them were
   *     compared
   * @param triplesFound of the run's objects; null if the triples were not read
   * @param triplesInAll in the whole triplestore; null if there is none
   * @param compared objects that were compared in full
   * @param equal of these, objects in which nothing was wrong
   * @param bytes of content that were read
   * @param problems how many were found
   * @param complete whether it was not stopped
   * @param notes what is no problem and one should know, a sentence each
   * @param durationNanos of the whole
   */
  public record Result(
      long objectsExpected,
      Long objectsFound,
      Long objectsInNamespaces,
      long failed,
      long open,
      Long triplesExpected,
      Long triplesFound,
      Long triplesInAll,
      long compared,
      long equal,
      long bytes,
      long problems,
      boolean complete,
      List<String> notes,
      long durationNanos) {

    public Result {
      notes = List.copyOf(notes);
    }
  }

  private final MixedObjects mixed;
  private final BitSet inFieldIndex = new BitSet();
  private final List<String> notes = new ArrayList<>();

  /** Not the run's: in the field index, or in the triplestore, or both. */
  private final Map<String, Origin> others = new TreeMap<>();

  /** Begun and not acknowledged, as far as anybody knows: not there. */
  private final IndexRanges absent = new IndexRanges();

  private boolean othersLeftOut;
  private PidNumbers numbers;
  private boolean fieldSearchWorks;
  private long inNamespaces;

  /** By index from the first; null if they are not read. */
  private char[] triplesOf;

  /** Of the few objects that have more than a {@code char} can count: what is above. */
  private final Map<Integer, Long> triplesAbove = new HashMap<>();

  private final Semaphore tripleQueries = new Semaphore(SuspectCheck.QUERIES_AT_ONCE);

  private long compared;
  private long equal;
  private long bytes;
  private long problems;
  private long leftOfFailed;
  private long triplesExpected;
  private long done;
  private volatile boolean stopped;

  /** Where a PID was met. */
  private static final class Origin {
    private boolean fieldIndex;
    private boolean triplestore;
  }

  /**
   * @param delivery by which the objects were ingested; where content was elsewhere, it is not
   *     asked for any
   */
  public RepositoryCheck(
      FedoraClient client,
      RunClaim claim,
      ContentDelivery delivery,
      Options options,
      Listener listener) {
    this.client = Objects.requireNonNull(client, "client");
    this.claim = Objects.requireNonNull(claim, "claim");
    this.dataset = claim.dataset();
    this.delivery = Objects.requireNonNull(delivery, "delivery");
    this.options = Objects.requireNonNull(options, "options");
    this.listener = Objects.requireNonNull(listener, "listener");
    this.mixed =
        claim.mix() == null
            ? null
            : new MixedObjects(dataset, claim.mix(), claim.notIngested()::contains);
  }

  /** Has {@link #run} return soon with what it has found so far. */
  public void stop() {
    stopped = true;
    client.cancelRequests();
  }

  /**
   * Checks. Called once.
   *
   * @throws LoginRefusedException if Fedora does not take user and password
   * @throws FedoraUnreachableException if Fedora is not there, or is gone in the midst of it
   * @throws IOException if there is no checking for another reason, such as a dataset that cannot
   *     be read
   */
  public Result run() throws IOException {
    long startNanos = System.nanoTime();
    Long inAll = null;
    try (FedoraSession session = client.newSession()) {
      session.login();
      numbers = new PidNumbers(dataset, claim.endIndex());
      inAll = options.triples() ? countTriples(session) : null;
      walkFieldIndex(session);
      if (options.orphans() && options.triples()) {
        readTriples(session);
      }
      compareObjects();
      settleAbsent();
      if (options.orphans()) {
        askForOthers(session);
      }
    } catch (Stopped e) {
      notes.add("It was stopped before its end.");
    } catch (IOException e) {
      if (!stopped) {
        throw e;
      }
      notes.add("It was stopped before its end.");
    }
    if (leftOfFailed > 0) {
      notes.add(
          "Of the objects that had failed, "
              + leftOfFailed
              + " are in Fedora all the same, whole or in part.");
    }
    return result(inAll, System.nanoTime() - startNanos);
  }

  private Result result(Long inAll, long durationNanos) {
    boolean everySum = options.everything() && !stopped && triplesOf != null;
    long found = 0;
    if (triplesOf != null) {
      for (char count : triplesOf) {
        found += count;
      }
      for (long more : triplesAbove.values()) {
        found += more;
      }
    }
    long purged = mixed == null ? 0 : mixed.endPurged() - mixed.firstPurged();
    return new Result(
        claim.objects() - purged,
        fieldSearchWorks ? Long.valueOf(foundInFieldIndex()) : null,
        fieldSearchWorks ? Long.valueOf(inNamespaces) : null,
        claim.notIngested().size(),
        absent.size(),
        everySum ? Long.valueOf(triplesExpected) : null,
        triplesOf == null ? null : Long.valueOf(found),
        inAll,
        compared,
        equal,
        bytes,
        problems,
        !stopped,
        notes,
        durationNanos);
  }

  private long foundInFieldIndex() {
    long[] found = {inFieldIndex.cardinality()};
    claim
        .notIngested()
        .iterator()
        .forEachRemaining(
            (long index) -> found[0] -= isTheRuns(index) && inFieldIndex.get(place(index)) ? 1 : 0);
    return found[0];
  }

  // What there is, as a whole.

  private Long countTriples(FedoraSession session) throws IOException {
    listener.onProgress("counting triples", 0, 0);
    TripleCounter counter = new TripleCounter(session);
    try {
      counter.flush();
    } catch (FedoraRefusalException e) {
      whole("Fedora could not write the triples that it holds in memory: " + Words.of(e));
    }
    long counted;
    try {
      counted = counter.count(false);
    } catch (FedoraRefusalException e) {
      whole("The triplestore could not be counted: " + Words.of(e));
      return null;
    }
    Long expected = claim.triplesInAll();
    if (expected != null && counted < expected) {
      whole(
          "The triplestore holds %,d triples and should hold %,d: %,d are missing."
              .formatted(counted, expected, expected - counted));
    } else if (expected != null && counted > expected) {
      notes.add(
          "The triplestore holds %,d triples more than after the run: somebody else's, or orphans."
              .formatted(counted - expected));
    }
    return counted;
  }

  private void walkFieldIndex(FedoraSession session) throws IOException {
    try {
      for (String namespace : dataset.pidNamespaces()) {
        long before = inNamespaces;
        inNamespaces =
            before
                + new ObjectCounter(session)
                    .walk(
                        namespace,
                        this::foundInFieldIndex,
                        soFar -> {
                          listener.onProgress("reading the field index", before + soFar, 0);
                          requireGoingOn();
                        });
      }
      fieldSearchWorks = true;
    } catch (FedoraUnreachableException | LoginRefusedException e) {
      throw e;
    } catch (IOException e) {
      requireGoingOn();
      // What Fedora says of a search that meets a row of the field index without an object.
      Optional<String> orphan = FedoraAnswer.pidNotStored(Words.of(e));
      String why =
          " It does so for all where one row of the field index is about an object that is not"
              + " there; with Fedora stopped, 'fedometer repair --home DIR --dry-run' names each.";
      report(
          List.of(
              orphan.isPresent()
                  ? new Problem(
                      Problem.Kind.FIELD_INDEX_ORPHAN,
                      orphan.get(),
                      "Fedora's field search fails: its field index has "
                          + orphan.get()
                          + ", which Fedora does not have."
                          + why)
                  : new Problem(
                      Problem.Kind.WHOLE,
                      "",
                      "Fedora's field search fails: " + Words.of(e) + "." + why)));
    }
  }

  private void foundInFieldIndex(String pid) {
    long index = numbers.indexOf(pid);
    if (isTheRuns(index)) {
      inFieldIndex.set(place(index));
    } else {
      Origin origin = other(pid);
      if (origin != null) {
        origin.fieldIndex = true;
      }
    }
  }

  private boolean isTheRuns(long index) {
    return index >= claim.firstIndex() && index < claim.endIndex();
  }

  private int place(long index) {
    return (int) (index - claim.firstIndex());
  }

  /** Null if it is not to be asked for. */
  private Origin other(String pid) {
    if (!options.orphans()) {
      return null;
    }
    if (others.size() >= MOST_OTHERS && !others.containsKey(pid)) {
      othersLeftOut = true;
      return null;
    }
    return others.computeIfAbsent(pid, none -> new Origin());
  }

  private void readTriples(FedoraSession session) throws IOException {
    char[] counts = new char[place(claim.endIndex())];
    HashSet<String> namespaces = new HashSet<>(dataset.pidNamespaces());
    long[] read = {0};
    String[] last = {"", ""};
    long[] lastIndex = {-1};
    try {
      new TripleCounter(session)
          .subjects(
              () -> {
                Arrays.fill(counts, (char) 0);
                triplesAbove.clear();
                read[0] = 0;
              },
              pid -> {
                if (++read[0] % 100_000 == 0) {
                  listener.onProgress("reading triples", read[0], 0);
                  requireGoingOn();
                }
                if (!pid.equals(last[0])) {
                  int colon = pid.indexOf(':');
                  boolean ours = colon > 0 && namespaces.contains(pid.substring(0, colon));
                  last[0] = pid;
                  last[1] = ours ? pid : "";
                  lastIndex[0] = ours ? numbers.indexOf(pid) : -1;
                }
                if (last[1].isEmpty()) {
                  return;
                }
                if (isTheRuns(lastIndex[0])) {
                  int place = place(lastIndex[0]);
                  if (counts[place] < Character.MAX_VALUE) {
                    counts[place]++;
                  } else {
                    triplesAbove.merge(place, 1L, Long::sum);
                  }
                } else {
                  Origin origin = other(pid);
                  if (origin != null) {
                    origin.triplestore = true;
                  }
                }
              });
      triplesOf = counts;
    } catch (FedoraRefusalException e) {
      whole("The triples could not be read: " + Words.of(e));
    }
  }

  // Object by object.

  private void compareObjects() throws IOException {
    BitSet chosen = options.everything() ? null : sample();
    long all = options.everything() ? claim.endIndex() - claim.firstIndex() : chosen.cardinality();
    List<Long> chunk = new ArrayList<>();
    for (long index = claim.firstIndex(); index < claim.endIndex(); index++) {
      if (isToBeLookedAt(index, chosen)) {
        chunk.add(index);
      }
      if (chunk.size() == CHUNK) {
        compare(chunk, all);
        chunk.clear();
      }
    }
    compare(chunk, all);
  }

  private boolean isToBeLookedAt(long index, BitSet chosen) {
    if (chosen == null || chosen.get(place(index))) {
      return true;
    }
    // Whatever the field search does not find is suspicious, and so is what it should not find.
    return fieldSearchWorks
        && claim.has(index)
        && inFieldIndex.get(place(index)) == isPurged(index);
  }

  private boolean isPurged(long index) {
    return mixed != null && index >= mixed.firstPurged() && index < mixed.endPurged();
  }

  private BitSet sample() {
    BitSet chosen = new BitSet();
    long available = claim.endIndex() - claim.firstIndex();
    long wanted = Math.min(available, options.sampledObjects());
    if (wanted == available) {
      chosen.set(0, place(claim.endIndex()));
      return chosen;
    }
    // Objects that others add to show what was added.
    long leading = Math.min(dataset.leadingObjects(), claim.endIndex());
    long number = 0;
    for (long i = claim.firstIndex(); i < leading && number < wanted && claim.isKnown(i); i++) {
      chosen.set(place(i));
      number++;
    }
    SplittableRandom random = new SplittableRandom(options.seed());
    int places = place(claim.endIndex());
    // the bound matters only where nearly everything failed
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
      mixed.recall(chunk);
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
      stopped = true;
      Thread.currentThread().interrupt();
      throw new Stopped();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException known) {
        throw known;
      }
      if (e.getCause() instanceof Stopped ended) {
        throw ended;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private void compare(List<Long> chunk, AtomicInteger next, long all) throws IOException {
    try (FedoraSession session = client.newSession()) {
      for (int i = next.getAndIncrement(); i < chunk.size(); i = next.getAndIncrement()) {
        requireGoingOn();
        check(session, chunk.get(i));
        synchronized (this) {
          if (++done % PROGRESS_EVERY == 0 || done == all) {
            listener.onProgress("comparing objects", done, all);
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
    boolean there = isThere(session, pid);
    List<Problem> found = new ArrayList<>();
    if (!there) {
      orphans(pid, index, "had failed", found);
    }
    synchronized (this) {
      leftOfFailed += there ? 1 : 0;
      report(found);
    }
  }

  private void checkPurged(FedoraSession session, long index) throws IOException {
    if (!mixed.isCertainlyPurged(index)) {
      return;
    }
    String pid = dataset.object(index).pid();
    List<Problem> found = new ArrayList<>();
    if (isThere(session, pid)) {
      found.add(new Problem(Problem.Kind.NOT_PURGED, pid, pid + " was purged, and is in Fedora."));
    } else {
      orphans(pid, index, "was purged", found);
    }
    synchronized (this) {
      report(found);
    }
  }

  private boolean isThere(FedoraSession session, String pid) throws IOException {
    try {
      return session.profile(pid).isPresent();
    } catch (FedoraRefusalException e) {
      return true; // something is, which Fedora cannot give
    }
  }

  /** Of an object that is not there: what is left of it elsewhere. */
  private void orphans(String pid, long index, String why, List<Problem> found) {
    if (inFieldIndex.get(place(index))) {
      found.add(
          new Problem(
              Problem.Kind.FIELD_INDEX_ORPHAN,
              pid,
              pid + " " + why + " and Fedora does not have it, but its field search finds it."));
    }
    if (triplesOf != null && triplesAt(place(index)) > 0) {
      found.add(
          new Problem(
              Problem.Kind.TRIPLESTORE_ORPHAN,
              pid,
              "%s %s and Fedora does not have it, but the triplestore has %d triples of it."
                  .formatted(pid, why, triplesAt(place(index)))));
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
    synchronized (this) {
      if (absentAndOpen) {
        absent.add(index);
        return;
      }
      compared++;
      equal += found.isEmpty() ? 1 : 0;
      bytes += readBack.bytes();
      triplesExpected += expected.triples();
      report(found);
    }
  }

  private void checkTriples(
      FedoraSession session, long index, RepositoryObject expected, List<Problem> found)
      throws IOException {
    long triples;
    if (triplesOf != null) {
      triples = triplesAt(place(index));
    } else if (expected instanceof ComposedObject) {
      triples = countOf(session, expected);
    } else {
      return; // what somebody else has packaged can have other subjects than its datastreams
    }
    if (triples != expected.triples()) {
      found.add(
          new Problem(
              Problem.Kind.TRIPLES,
              expected.pid(),
              "The triplestore has %d triples of %s and should have %d."
                  .formatted(triples, expected.pid(), expected.triples())));
    }
  }

  /** A few at once: each takes two of MPTStore's ten connections, and a lock between them. */
  private long countOf(FedoraSession session, RepositoryObject expected) throws IOException {
    tripleQueries.acquireUninterruptibly();
    try {
      return new TripleCounter(session).countOf(expected);
    } finally {
      tripleQueries.release();
    }
  }

  private long triplesAt(int place) {
    return triplesOf[place] + triplesAbove.getOrDefault(place, 0L);
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
                : ReadBack.closely(session, expected, delivery.of(index, expected), mixed != null);
        if (readBack.there()) {
          readBack
              .problems()
              .forEach(text -> found.add(new Problem(Problem.Kind.DIFFERS, pid, text)));
        }
        return readBack;
      } catch (FedoraUnreachableException | LoginRefusedException | ContentFailureException e) {
        throw e;
      } catch (IOException e) {
        requireGoingOn();
        if (Thread.currentThread().isInterrupted()) {
          throw e; // another reader has failed, and this one was cut
        }
        if (attempt > 1 || e instanceof FedoraRefusalException) {
          found.add(
              new Problem(Problem.Kind.NOT_GIVEN, pid, pid + " could not be read: " + Words.of(e)));
          return new ReadBack(List.of(), 0);
        }
      }
    }
  }

  private boolean isFound(FedoraSession session, String pid, long index) throws IOException {
    if (fieldSearchWorks) {
      return inFieldIndex.get(place(index));
    }
    try {
      return session.isInFieldIndex(pid);
    } catch (FedoraRefusalException e) {
      return true; // which way it is broken is told
    }
  }

  /** Begun objects that are not there: as many as may be, or each is a problem. */
  private void settleAbsent() {
    if (absent.isEmpty() || stopped) {
      return;
    }
    if (absent.size() <= claim.open()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d objects are not there, no more than had failed, were under way or were still to"
                  + " be sent when the load ended or paused.",
              absent.size()));
      return;
    }
    long missing = absent.size();
    absent
        .iterator()
        .forEachRemaining(
            (long index) -> {
              String pid = dataset.object(index).pid();
              report(
                  List.of(
                      new Problem(
                          Problem.Kind.MISSING,
                          pid,
                          "Fedora has no object %s; %d are not there, and %d may be missing."
                              .formatted(pid, missing, claim.open()))));
            });
    absent.clear();
  }

  /** Whatever is no object of the run's, and was met all the same. */
  private void askForOthers(FedoraSession session) throws IOException {
    long asked = 0;
    long there = 0;
    for (Map.Entry<String, Origin> other : others.entrySet()) {
      requireGoingOn();
      listener.onProgress("asking for other objects", ++asked, others.size());
      String pid = other.getKey();
      boolean given;
      try {
        given = isThere(session, pid);
      } catch (IllegalArgumentException e) {
        given = false; // no PID that Fedora could have an object of
      }
      if (given) {
        there++;
        continue;
      }
      List<Problem> found = new ArrayList<>();
      if (other.getValue().fieldIndex) {
        found.add(
            new Problem(
                Problem.Kind.FIELD_INDEX_ORPHAN,
                pid,
                "The field search finds " + pid + ", which Fedora does not have."));
      }
      if (other.getValue().triplestore) {
        found.add(
            new Problem(
                Problem.Kind.TRIPLESTORE_ORPHAN,
                pid,
                "The triplestore has triples of " + pid + ", which Fedora does not have."));
      }
      report(found);
    }
    if (there > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d other objects are in the namespaces of the run; they were not compared.",
              there));
    }
    if (othersLeftOut) {
      notes.add(
          String.format(
              Locale.ROOT,
              "There are more than %,d PIDs that are none of the run's; the others were not asked"
                  + " for.",
              MOST_OTHERS));
    }
  }

  private void whole(String text) {
    report(List.of(new Problem(Problem.Kind.WHOLE, "", text)));
  }

  private synchronized void report(List<Problem> found) {
    problems += found.size();
    found.forEach(listener::onProblem);
  }

  private void requireGoingOn() {
    if (stopped) {
      throw new Stopped();
    }
  }

  /** Ends what is being done; caught where it was begun. */
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
