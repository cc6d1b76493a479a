package org.fedometer.driver;

import static org.fedometer.driver.RequestEvent.Outcome.ABANDONED;
import static org.fedometer.driver.RequestEvent.Outcome.DONE;
import static org.fedometer.driver.RequestEvent.Outcome.FAILED;
import static org.fedometer.driver.RequestEvent.Outcome.FOUND_COMPLETE;
import static org.fedometer.driver.RequestEvent.Outcome.INGESTED;
import static org.fedometer.driver.RequestEvent.Outcome.RETRIED;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.fedometer.datasets.CarriedContent;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.PackagedObject;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.journal.Journal;

/**
 * Brings one object into Fedora, with as many attempts as it takes and the policy allows, and never
 * twice. One per worker, used by that worker's thread only.
 *
 * <p>What decides: a request whose answer is an error of Fedora's own (500), or whose answer was
 * lost, says nothing of what Fedora did; 3.8.1 gives every such error without a word, a duplicate
 * identifier included. So before anything is sent again, Fedora is asked for the object. An object
 * that is there although nothing of ours can have put it there is a duplicate and fails at once;
 * one that may be ours is read back and compared.
 */
final class ObjectIngest {

  /** An object's time by Fedora's clock may lie this much before our first attempt. */
  static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);

  private static final String REGISTERED =
      " is refused as if it were there, and is not: Fedora was killed when it had just registered"
          + " it.";

  private static final String LOCKED =
      " is not there, and its ingest is not answered: Fedora may keep its lock, as it does when it"
          + " had no database.";

  private final int worker;
  private final FedoraSession session;
  private final RetryPolicy policy;
  private final OutageGate gate;
  private final StopSignal stop;
  private final AttemptRecorder recorder;
  private final boolean triples;

  private final Journal journal;

  /** When an earlier driver of this ingest began, or null: what is there may be from it. */
  private final Instant resumedSince;

  private final StuckObjects stuck;
  private final ContentTransfer transfer;
  private long settledIndex = -1;
  private long storedIndex = -1;
  private long foundIndex = -1;

  /**
   * @param triples whether Fedora has a triplestore
   * @param journal of the ingest
   * @param stuck gets a sentence for each object that only a repair can bring in
   */
  ObjectIngest(
      int worker,
      FedoraSession session,
      RetryPolicy policy,
      OutageGate gate,
      StopSignal stop,
      AttemptRecorder recorder,
      boolean triples,
      Journal journal,
      StuckObjects stuck) {
    this.worker = worker;
    this.session = session;
    this.policy = policy;
    this.gate = gate;
    this.stop = stop;
    this.recorder = recorder;
    this.triples = triples;
    this.journal = journal;
    this.resumedSince = journal.resumedSince();
    this.stuck = stuck;
    this.transfer = new ContentTransfer(worker, session, policy, gate, stop, recorder);
  }

  /** Where every attempt goes when it is over: counters, the run's record, listeners. */
  interface AttemptRecorder {
    void record(RequestEvent event, RepositoryObject object) throws RunStop;

    /** An object that an earlier driver has sent is there and complete. */
    void recordFound(RepositoryObject object) throws RunStop;

    /** A half-made object was purged, or could not be. */
    void recordPurge(RequestEvent event) throws RunStop;
  }

  /** Index of the latest object that was ingested or given up, as against left open by a stop. */
  long settledIndex() {
    return settledIndex;
  }

  /** Index of the latest object that is known to be in Fedora. */
  long storedIndex() {
    return storedIndex;
  }

  /** Index of the latest object that was found to be there, without an answer that said so. */
  long foundIndex() {
    return foundIndex;
  }

  /** What one attempt came to, and how long to wait before the next. */
  private record Verdict(RequestEvent.Outcome outcome, String message, Duration asked) {

    static Verdict of(RequestEvent.Outcome outcome, String message) {
      return new Verdict(outcome, message, Duration.ZERO);
    }
  }

  /**
   * Returns when the object is ingested with all its datastreams, or given up; the recorder has
   * heard of every attempt.
   *
   * @param due when the first attempt should be sent: a further one is late by what it took to get
   *     there, since nobody asked for it before
   * @param mayBeThere whether an earlier driver has sent it: Fedora is asked first
   * @throws RunStop if the run is over; the last attempt recorded is then not final
   */
  void ingest(long index, Parcel parcel, Due due, boolean mayBeThere) throws RunStop {
    Progress progress = new Progress(index, parcel, firstSent(mayBeThere), mayBeThere);
    if (mayBeThere && isThere(progress)) {
      settledIndex = index;
      storedIndex = index;
      foundIndex = index;
      recorder.recordFound(parcel.object());
      return;
    }
    if (progress.unflushed != null) {
      progress.attempt++;
      Attempt none = new Attempt(index, Traceparent.random(), due, System.nanoTime(), 0, 0);
      record(progress, none, null, leaveOut(progress));
      return;
    }
    try {
      if (create(progress, due)) {
        transfer.addAll(index, parcel);
      }
    } finally {
      settledIndex = transfer.settledIndex() == index ? index : settledIndex;
      storedIndex = transfer.storedIndex() == index ? index : storedIndex;
    }
  }

  /** By Fedora's clock: what is older there is somebody else's, and is never purged. */
  private Instant firstSent(boolean byEarlierDriver) {
    Instant now = Instant.ofEpochMilli(session.fedoraMillis());
    return byEarlierDriver ? ingestBegan(now) : now;
  }

  private Instant ingestBegan(Instant now) {
    long ahead = session.fedoraMillis() - System.currentTimeMillis();
    if (!journal.clockSetBack().isZero()) {
      // A Tomcat whose clock was set back sends the same Date until it is that time again.
      ahead = Math.min(0, ahead);
    }
    return resumedSince == null ? now : resumedSince.plusMillis(ahead);
  }

  /** If the time of day was set back meanwhile, what is ours may seem older by as much. */
  private boolean isOlder(Instant made, Instant sent) {
    return made != null && made.isBefore(sent.minus(CLOCK_TOLERANCE).minus(journal.clockSetBack()));
  }

  /**
   * When the object came to be: when it was created, which a change by somebody else leaves as it
   * is. What somebody else has packaged may say itself when that was.
   */
  private static Instant made(ObjectProfile profile, Parcel parcel) {
    return profile.created() != null && parcel.object() instanceof ComposedObject
        ? profile.created()
        : profile.lastModified();
  }

  /**
   * Makes the object with what its FOXML brings along.
   *
   * @return whether it is there, as against given up
   */
  private boolean create(Progress progress, Due due) throws RunStop {
    long index = progress.index;
    Parcel parcel = progress.parcel;
    while (true) {
      progress.attempt++;
      Optional<List<CarriedContent>> located =
          transfer.upload(index, parcel, parcel.inFoxml(), progress.uploadDue(due));
      if (located.isEmpty()) {
        return false;
      }
      List<CarriedContent> carried = located.get();
      progress.carried = carried;
      long contentBytes = contentBytes(parcel, carried);
      parcel.sending();
      String traceparent = Traceparent.random();
      FedoraAnswer answer = null;
      Exception failure = null;
      progress.heardNanos = gate.heardNanos();
      long startNanos = System.nanoTime();
      try {
        answer = session.ingest(parcel.pid(), out -> parcel.writeFoxml(carried, out), traceparent);
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      long durationNanos = System.nanoTime() - startNanos;
      Attempt attempt =
          new Attempt(index, traceparent, due, startNanos, durationNanos, contentBytes);
      Verdict verdict;
      try {
        verdict =
            answer == null
                ? judgeFailure(progress, failure, startNanos)
                : judgeAnswer(progress, answer, startNanos);
      } catch (RunStop e) {
        String what = answer == null ? Words.of(failure) : answer.describe();
        record(progress, attempt, answer, Verdict.of(ABANDONED, what));
        throw e;
      }
      if (verdict.outcome() == RETRIED
          && progress.failures >= policy.maxAttempts()
          && progress.remnant != null) {
        stuck.add(
            parcel.pid()
                + progress.remnant
                + " 'fedometer repair --home' mends that while Fedora is stopped.");
      }
      if (verdict.outcome() == RETRIED && progress.failures >= policy.maxAttempts()) {
        verdict =
            Verdict.of(
                FAILED,
                verdict.message()
                    + (progress.attempt > 1
                        ? " (given up after " + progress.attempt + " attempts)"
                        : ""));
      } else if (verdict.outcome() == RETRIED && stop.raised()) {
        verdict = Verdict.of(ABANDONED, verdict.message());
      }
      record(progress, attempt, answer, verdict);
      if (verdict.outcome() == ABANDONED) {
        throw RunStop.asRequested();
      }
      if (verdict.outcome() != RETRIED) {
        return verdict.outcome() != FAILED;
      }
      int waits = Math.max(progress.failures, progress.doubts);
      if (waits > 0) {
        stop.pause(policy.waitAfter(waits, verdict.asked()));
      }
    }
  }

  /** One object's way so far. */
  private static final class Progress {

    private final long index;
    private final Parcel parcel;
    private final Instant firstSent;

    /** What the latest attempt brought along. */
    private List<CarriedContent> carried = List.of();

    private int attempt;

    /** Attempts that count against the policy. */
    private int failures;

    /** Whether an earlier attempt may have put the object into Fedora. */
    private boolean mayBeOurs;

    /** What a Fedora that was killed or had no database has left of the object; or null. */
    private String remnant;

    /** Why Fedora could not flush after the object was purged; or null. */
    private String unflushed;

    /** Whether Fedora may have been killed since an attempt, or an earlier driver made one. */
    private boolean lost;

    /** Whether an attempt that failed in an outage was not counted. */
    private boolean excused;

    /** Whether an earlier attempt was answered 401. */
    private boolean refused;

    /** Answers to it that may have been somebody else's. */
    private int doubts;

    /** When the first of them came. */
    private long doubtedNanos;

    /** When the latest ingest was sent that Fedora had answered before the latest attempt. */
    private long heardNanos;

    Progress(long index, Parcel parcel, Instant firstSent, boolean mayBeThere) {
      this.index = index;
      this.parcel = parcel;
      this.firstSent = firstSent;
      this.mayBeOurs = mayBeThere;
      this.lost = mayBeThere;
    }

    /** Only the first upload was asked for by the schedule. */
    Due uploadDue(Due due) {
      return attempt == 1 ? due : Due.whenSent();
    }

    /** Whether the object is whole with what its FOXML brings along. */
    boolean completes() {
      return parcel.afterwards().isEmpty();
    }
  }

  private record Attempt(
      long index,
      String traceparent,
      Due due,
      long startNanos,
      long durationNanos,
      long contentBytes) {}

  private void record(Progress progress, Attempt attempt, FedoraAnswer answer, Verdict verdict)
      throws RunStop {
    boolean whole = verdict.outcome() == INGESTED || verdict.outcome() == FOUND_COMPLETE;
    if (whole || verdict.outcome() == FAILED) {
      settledIndex = attempt.index();
      storedIndex = whole ? attempt.index() : storedIndex;
      foundIndex = verdict.outcome() == FOUND_COMPLETE ? attempt.index() : foundIndex;
    }
    recorder.record(
        new RequestEvent(
            Operation.INGEST,
            attempt.index(),
            progress.parcel.pid(),
            attempt.traceparent(),
            worker,
            progress.attempt,
            attempt.due().intendedStartNanos(attempt.startNanos()),
            attempt.startNanos(),
            attempt.durationNanos(),
            answer == null ? 0 : answer.status(),
            attempt.contentBytes(),
            FedoraMessages.cut(verdict.message()),
            verdict.outcome()),
        progress.parcel.object());
  }

  private static long contentBytes(Parcel parcel, List<CarriedContent> carried) {
    return parcel.object() instanceof PackagedObject packaged
        ? packaged.contentBytes()
        : Parcel.bytesTakenIn(carried);
  }

  private Verdict judgeAnswer(Progress progress, FedoraAnswer answer, long startNanos)
      throws RunStop {
    boolean doubtful = answer.maybeNotFedoras(progress.parcel.pid());
    if (!doubtful) {
      gate.heardFedora(startNanos);
    }
    int status = answer.status();
    if (status == 201) {
      return answer.message().equals(progress.parcel.pid())
          ? Verdict.of(progress.completes() ? INGESTED : DONE, "")
          : Verdict.of(
              FAILED,
              "Fedora answered 201, but with '"
                  + answer.message()
                  + "' where it names the object "
                  + progress.parcel.pid()
                  + ": what answers there may not be Fedora.");
    }
    String words = answer.describe() + progress.parcel.serverNote(progress.carried);
    progress.failures++;
    if (doubtful && progress.doubts++ == 0) {
      progress.doubtedNanos = System.nanoTime();
    }
    boolean wasAway = doubtful && gate.awaitFedora(session, words, startNanos);
    boolean replaced =
        doubtful && !wasAway && gate.isReplaced(progress.doubtedNanos, progress.heardNanos);
    if (replaced) {
      progress.failures--; // it is not the object's fault
    }
    if (status == 401) {
      // The gate ends the run if the login is refused now.
      gate.awaitFedora(session, words, startNanos);
      if (progress.refused) {
        return Verdict.of(
            FAILED, words + ". The login is accepted all the same: a policy may forbid this.");
      }
      progress.refused = true; // once, the session may just have run out
      return Verdict.of(RETRIED, words);
    }
    // Once more: Tomcat may have held the question until a webapp was there again.
    boolean worthAnother =
        RetryPolicy.worthAnotherAttempt(status)
            || replaced
            || wasAway
            || doubtful && progress.doubts == 1;
    if (!worthAnother) {
      return Verdict.of(FAILED, words);
    }
    return settle(progress, words, answer.retryAfter(), startNanos, true);
  }

  private Verdict judgeFailure(Progress progress, Exception failure, long startNanos)
      throws RunStop {
    String words = Words.of(failure);
    if (failure instanceof LoginRefusedException refusal) {
      throw RunStop.loginRefused(refusal);
    }
    if (failure instanceof ContentFailureException || failure instanceof IllegalArgumentException) {
      return Verdict.of(FAILED, words);
    }
    if (!(failure instanceof IOException)) {
      throw RunStop.ofDriver(failure);
    }
    if (failure instanceof FedoraUnreachableException) {
      if (gate.awaitFedora(session, words, startNanos)) {
        progress.lost |= progress.mayBeOurs;
      } else {
        progress.failures++;
      }
      return Verdict.of(RETRIED, words);
    }
    progress.failures++;
    String lost = "No answer: " + words + progress.parcel.serverNote(progress.carried);
    progress.mayBeOurs = true;
    progress.lost = true;
    gate.awaitFedora(session, lost, startNanos);
    return settle(progress, lost, Duration.ZERO, startNanos, false);
  }

  /**
   * Whether Fedora holds the object, whole, before anything is sent. What it holds in part is
   * purged.
   */
  private boolean isThere(Progress progress) throws RunStop {
    while (true) {
      long startNanos = System.nanoTime();
      try {
        Optional<ObjectProfile> found = session.profile(progress.parcel.pid());
        if (found.isEmpty()) {
          return false;
        }
        if (isOlder(made(found.get(), progress.parcel), progress.firstSent)) {
          return false; // somebody else's, which the ingest will find
        }
        ReadBack readBack =
            ReadBack.of(session, progress.parcel.object(), progress.parcel.contents());
        if (readBack.equal()) {
          return true;
        }
        purge(progress, readBack.problems().get(0));
        progress.unflushed = flush();
        return false;
      } catch (ContentFailureException e) {
        return false; // the ingest will tell
      } catch (LoginRefusedException e) {
        throw RunStop.loginRefused(e);
      } catch (IOException e) {
        if (e instanceof FedoraRefusalException
            || !gate.awaitFedora(session, Words.of(e), startNanos)) {
          return false; // an ingest is refused, too, where it is there, and asks again
        }
      }
    }
  }

  /**
   * Takes away an object of ours that Fedora holds in part, or has not got any more. Before it is
   * ingested again, Fedora has to flush: see {@link #flush}.
   *
   * @param problem what it lacks
   * @throws FedoraRefusalException if Fedora has it and will not let it go
   */
  void purge(long index, Parcel parcel, String problem) throws RunStop, FedoraRefusalException {
    Progress progress = new Progress(index, parcel, firstSent(true), true);
    for (int failures = 0; ; ) {
      long startNanos = System.nanoTime();
      try {
        if (session.profile(parcel.pid()).isPresent()) {
          purge(progress, problem);
        }
        return;
      } catch (LoginRefusedException e) {
        throw RunStop.loginRefused(e);
      } catch (IOException e) {
        boolean wasAway = gate.awaitFedora(session, Words.of(e), startNanos);
        failures += wasAway ? 0 : 1;
        if (e instanceof FedoraRefusalException refusal && failures >= policy.maxAttempts()) {
          throw refusal;
        }
        if (!wasAway) {
          stop.pause(policy.waitAfter(failures, Duration.ZERO));
        }
      }
    }
  }

  /**
   * Has Fedora write what it holds in memory. A triple that is deleted and added again before that
   * cancels out: one that the triplestore had lost would stay lost. What others have in a flush
   * that fails is on record.
   *
   * @return null if it did, or there is nothing to flush; else why not
   */
  private String flush() throws RunStop {
    if (!triples) {
      return null;
    }
    try {
      return FlushConfirmation.confirm(session, journal, policy, gate, stop);
    } catch (IOException e) {
      throw RunStop.because("The journal could not be written: " + Words.of(e), e);
    }
  }

  /** The object was purged, and is not sent again before Fedora can flush. */
  private Verdict leaveOut(Progress progress) {
    String what =
        "It was half-made and purged, and is not sent again, since Fedora cannot flush its"
            + " triples: "
            + progress.unflushed;
    stuck.add(progress.parcel.pid() + ": " + what);
    return Verdict.of(FAILED, what);
  }

  /**
   * Takes a half-made object of ours away.
   *
   * @param problem what it lacks
   * @throws IOException if Fedora was not reached, or there is no knowing what it did
   */
  private void purge(Progress progress, String problem) throws RunStop, IOException {
    String traceparent = Traceparent.random();
    long startNanos = System.nanoTime();
    FedoraAnswer answer = null;
    IOException failure = null;
    try {
      answer = session.purge(progress.parcel.pid(), traceparent);
    } catch (IOException e) {
      failure = e;
    }
    long durationNanos = System.nanoTime() - startNanos;
    boolean done = answer != null && (answer.status() == 200 || answer.status() == 204);
    recorder.recordPurge(
        new RequestEvent(
            Operation.PURGE,
            progress.index,
            progress.parcel.pid(),
            traceparent,
            worker,
            1,
            startNanos,
            startNanos,
            durationNanos,
            answer == null ? 0 : answer.status(),
            0,
            FedoraMessages.cut(
                done
                    ? "Half-made: " + problem
                    : answer == null ? Words.of(failure) : answer.describe()),
            done ? RequestEvent.Outcome.DONE : FAILED));
    if (failure != null) {
      throw failure;
    }
    if (!done) {
      throw new FedoraRefusalException("Could not purge " + progress.parcel.pid(), answer);
    }
  }

  private static Verdict theirs(String pid, ObjectProfile profile, String words) {
    return Verdict.of(
        FAILED,
        "Fedora already has an object "
            + pid
            + (profile.lastModified() == null ? "" : ", last changed " + profile.lastModified())
            + "; it was left as it is ("
            + words
            + ").");
  }

  /**
   * Of an attempt in whose time Fedora was away: it was hardly the object's fault. Once: an object
   * that ends each Fedora that it is sent to has to be given up.
   *
   * <p>Fedora 3.8.1 keeps the lock of an object that it could not look up for want of a database,
   * and a further attempt is never answered before it is started again.
   */
  private Verdict afterOutage(Progress progress, String words, Duration asked, long startNanos) {
    OutageGate.Absence absence = gate.absenceSince(startNanos);
    if (absence == OutageGate.Absence.WITHOUT_DATABASE) {
      String what =
          "It is not sent again: Fedora lost its database in the midst of it, and may keep the"
              + " object's lock until it is started again.";
      stuck.add(progress.parcel.pid() + ": " + what + " Start Fedora again, then '--resume'.");
      return Verdict.of(FAILED, words + ". " + what);
    }
    progress.failures = Math.max(0, progress.failures - (progress.excused ? 0 : 1));
    progress.excused = true;
    progress.lost |= absence == OutageGate.Absence.GONE;
    return new Verdict(RETRIED, words, asked);
  }

  /**
   * Asks Fedora whether it has the object, after an attempt that does not say.
   *
   * @param answered whether there was an answer, as against none
   */
  private Verdict settle(
      Progress progress, String words, Duration asked, long startNanos, boolean answered)
      throws RunStop {
    boolean mayBeOurs = progress.mayBeOurs;
    progress.mayBeOurs = true; // whatever is found after another attempt may come from this one
    String pid = progress.parcel.pid();
    try {
      Optional<ObjectProfile> found = session.profile(pid);
      if (found.isEmpty()) {
        if (gate.awaitFedora(session, words, startNanos)) {
          return afterOutage(progress, words, asked, startNanos);
        }
        progress.remnant = progress.lost ? (answered ? REGISTERED : LOCKED) : null;
        return new Verdict(RETRIED, words, asked);
      }
      Instant made = made(found.get(), progress.parcel);
      boolean ours = mayBeOurs && !isOlder(made, progress.firstSent);
      // A driver that lost power may have sent more than its journal says.
      if (!ours && (resumedSince == null || isOlder(made, ingestBegan(progress.firstSent)))) {
        return theirs(pid, found.get(), words);
      }
      ReadBack readBack = ReadBack.of(session, progress.parcel.object(), progress.carried);
      if (readBack.equal()) {
        return progress.completes()
            ? Verdict.of(FOUND_COMPLETE, words + ". The object is in Fedora with all its content.")
            : Verdict.of(DONE, words + ". The object is in Fedora, as yet without its content.");
      }
      if (!ours) {
        return theirs(pid, found.get(), words + ". " + readBack.problems().get(0));
      }
      purge(progress, readBack.problems().get(0));
      progress.unflushed = flush();
      if (progress.unflushed != null) {
        return leaveOut(progress);
      }
      return new Verdict(
          RETRIED,
          words
              + ". The object was in Fedora, but not complete, and was purged: "
              + readBack.problems().get(0),
          asked);
    } catch (ContentFailureException e) {
      return Verdict.of(FAILED, Words.of(e));
    } catch (LoginRefusedException e) {
      throw RunStop.loginRefused(e);
    } catch (IOException e) {
      if (gate.awaitFedora(session, words, startNanos)) {
        return afterOutage(progress, words, asked, startNanos);
      }
      progress.remnant =
          progress.lost && e instanceof FedoraRefusalException
              ? " is there in a form that Fedora itself cannot read: it was killed when it wrote it."
              : null;
      return new Verdict(
          RETRIED, words + ". Nor could Fedora be asked for the object: " + Words.of(e), asked);
    }
  }
}
