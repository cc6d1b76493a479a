package org.fedometer.driver.object;

import static org.fedometer.driver.request.RequestEvent.Outcome.DONE;
import static org.fedometer.driver.request.RequestEvent.Outcome.FAILED;
import static org.fedometer.driver.request.RequestEvent.Outcome.FOUND_COMPLETE;
import static org.fedometer.driver.request.RequestEvent.Outcome.INGESTED;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.fedometer.datasets.CarriedContent;
import org.fedometer.datasets.PackagedObject;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.content.Parcel;
import org.fedometer.driver.fedora.ContentFailureException;
import org.fedometer.driver.fedora.FedoraMessages;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraResponse;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.ObjectProfile;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.request.Attempts;
import org.fedometer.driver.request.BackOff;
import org.fedometer.driver.request.CircuitBreaker;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.Traceparent;
import org.fedometer.driver.request.Verdict;
import org.fedometer.driver.request.Verdict.Weight;
import org.fedometer.driver.request.Worker;

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
public final class ObjectIngest {

  private static final String REGISTERED =
      " is refused as if it were there, and is not: Fedora or its database ended when it had just"
          + " been registered.";

  private static final String LOCKED =
      " is not there, and its ingest is not answered: Fedora may keep its lock, as it does when it"
          + " had no database.";

  private static final String UNREADABLE =
      " is there in a form that Fedora itself cannot read: Fedora or its disk failed when it was"
          + " written.";

  private final Worker worker;
  private final FedoraSession session;
  private final CircuitBreaker circuitBreaker;
  private final AttemptRecorder recorder;
  private final UnrecoverableObjects unrecoverable;
  private final ObjectAge age;
  private final Attempts attempts;
  private final ContentTransfer transfer;
  private final ObjectPurge purge;
  private long settledIndex = -1;
  private long storedIndex = -1;
  private long foundIndex = -1;

  /**
   * @param triples whether Fedora has a triplestore
   * @param unrecoverable gets a sentence for each object that only a repair can bring in
   */
  public ObjectIngest(
      Worker worker,
      AttemptRecorder recorder,
      boolean triples,
      Journal journal,
      UnrecoverableObjects unrecoverable) {
    this.worker = worker;
    this.session = worker.session();
    this.circuitBreaker = worker.circuitBreaker();
    this.recorder = recorder;
    this.unrecoverable = unrecoverable;
    this.age = new ObjectAge(session, journal);
    this.attempts = new Attempts(worker);
    this.transfer = new ContentTransfer(worker, this::record);
    this.purge = new ObjectPurge(worker, recorder, triples, journal);
  }

  public interface AttemptRecorder {
    void record(RequestEvent event, RepositoryObject object) throws RunStop;

    /** An object that an earlier driver has sent is there and complete. */
    void recordFound(RepositoryObject object) throws RunStop;

    /** A half-made object was purged, or could not be. */
    void recordPurge(RequestEvent event) throws RunStop;
  }

  /** Index of the latest object that was ingested or given up, as against left open by a stop. */
  public long settledIndex() {
    return settledIndex;
  }

  /** Index of the latest object that is known to be in Fedora. */
  public long storedIndex() {
    return storedIndex;
  }

  /** Index of the latest object that was found to be there, without an answer that said so. */
  public long foundIndex() {
    return foundIndex;
  }

  /**
   * Returns when the object is ingested with all its datastreams, or given up; the recorder has
   * heard of every attempt.
   *
   * @param intendedStart when the first attempt should be sent: a further one is late by what it
   *     took to get there, since nobody asked for it before
   * @param mayBeThere whether an earlier driver has sent it: Fedora is asked first
   * @throws RunStop if the run is over; the last attempt recorded is then not final
   */
  public void ingest(long index, Parcel parcel, IntendedStart intendedStart, boolean mayBeThere)
      throws RunStop {
    Creation creation = new Creation(index, parcel, intendedStart, mayBeThere);
    if (mayBeThere && creation.isComplete()) {
      settledIndex = index;
      storedIndex = index;
      foundIndex = index;
      recorder.recordFound(parcel.object());
      return;
    }
    if (creation.flushFailure != null) {
      creation.recordSkipped();
      return;
    }
    if (attempts.perform(Operation.INGEST, index, parcel.pid(), intendedStart, creation)) {
      transfer.addAll(index, parcel);
    }
  }

  private void record(RequestEvent event, Parcel parcel) throws RunStop {
    boolean complete = event.outcome() == INGESTED || event.outcome() == FOUND_COMPLETE;
    if (complete || event.outcome() == FAILED) {
      settledIndex = event.objectIndex();
      storedIndex = complete ? settledIndex : storedIndex;
      boolean found = event.outcome() == FOUND_COMPLETE && event.operation() == Operation.INGEST;
      foundIndex = found ? settledIndex : foundIndex;
    }
    recorder.record(event, parcel.object());
  }

  /**
   * Takes away an object of ours that Fedora holds in part, or has not got any more. Before it is
   * ingested again, Fedora has to flush.
   *
   * @param problem what it lacks
   * @throws FedoraRefusalException if Fedora has it and will not let it go
   * @throws IOException if there is no knowing whether Fedora has it
   */
  public void purge(long index, Parcel parcel, String problem) throws RunStop, IOException {
    purge.untilGone(index, parcel.pid(), problem);
  }

  private static Verdict foreignObject(String pid, ObjectProfile profile, String message) {
    return Verdict.of(
        FAILED,
        "Fedora already has an object "
            + pid
            + (profile.lastModified() == null ? "" : ", last changed " + profile.lastModified())
            + "; it was left as it is ("
            + message
            + ").");
  }

  /** One object, made with what its FOXML brings along; and what is known of its way so far. */
  private final class Creation implements Attempts.Request {

    private final long index;
    private final Parcel parcel;
    private final IntendedStart intendedStart;
    private final Instant firstSent;

    /** What the latest attempt brought along. */
    private List<CarriedContent> carried = List.of();

    private boolean prepared;

    /** Whether an earlier attempt may have put the object into Fedora. */
    private boolean mayBeOurs;

    /** What a Fedora that was killed or had no database has left of the object; or null. */
    private String unrecoverableCause;

    /** Why Fedora could not flush after the object was purged; or null. */
    private String flushFailure;

    /** Whether Fedora may have been killed since an attempt, or an earlier driver made one. */
    private boolean lost;

    /** Answers to it that may have been somebody else's. */
    private int ambiguousResponses;

    /** When the first of them came. */
    private long ambiguousSinceNanos;

    /** When the latest ingest was sent that Fedora had answered before the latest attempt. */
    private long lastAnsweredNanos;

    /** Whether the latest attempt was answered in Fedora's place, as all are at present. */
    private boolean replaced;

    Creation(long index, Parcel parcel, IntendedStart intendedStart, boolean mayBeThere) {
      this.index = index;
      this.parcel = parcel;
      this.intendedStart = intendedStart;
      this.firstSent = age.firstSent(mayBeThere);
      this.mayBeOurs = mayBeThere;
      this.lost = mayBeThere;
    }

    @Override
    public boolean prepare() throws RunStop {
      // Only the first upload was asked for by the schedule.
      IntendedStart uploadStart = prepared ? IntendedStart.whenSent() : intendedStart;
      prepared = true;
      Optional<List<CarriedContent>> located =
          transfer.upload(index, parcel, parcel.inFoxml(), uploadStart);
      if (located.isEmpty()) {
        return false;
      }
      carried = located.get();
      replaced = false;
      parcel.beginRequest();
      return true;
    }

    @Override
    public FedoraResponse send(String traceparent) throws IOException {
      lastAnsweredNanos = circuitBreaker.lastAnsweredNanos();
      return session.ingest(parcel.pid(), out -> parcel.writeFoxml(carried, out), traceparent);
    }

    @Override
    public long bytes() {
      return parcel.object() instanceof PackagedObject packaged
          ? packaged.contentBytes()
          : Parcel.receivedBytes(carried);
    }

    @Override
    public Verdict judge(Attempts.Response response) throws RunStop {
      if (response.mayBeFromProxy() && ambiguousResponses++ == 0) {
        ambiguousSinceNanos = System.nanoTime();
      } else if (response.fedoraResponse() != null && !response.mayBeFromProxy()) {
        circuitBreaker.recordResponse(response.startNanos());
      }
      if (response.status() == 201) {
        return accepted(response.fedoraResponse());
      }
      // An error of Fedora's own shows when it is asked for the object.
      Verdict verdict =
          response
              .withNote(parcel.fetchFailure(carried))
              .settle(response.mayBeFromProxy(), () -> isRetryable(response), this::settle);
      lost |= response.unsent() && response.wasAway() && mayBeOurs;
      return verdict;
    }

    private Verdict accepted(FedoraResponse response) {
      return response.message().equals(parcel.pid())
          ? Verdict.of(completes() ? INGESTED : DONE, "")
          : Verdict.of(
              FAILED,
              "Fedora answered 201, but with '"
                  + response.message()
                  + "' where it names the object "
                  + parcel.pid()
                  + ": what answers there may not be Fedora.");
    }

    /** Whether the object is whole with what its FOXML brings along. */
    private boolean completes() {
      return parcel.separateDatastreams().isEmpty();
    }

    private boolean isRetryable(Attempts.Response response) {
      boolean ambiguous = response.mayBeFromProxy();
      replaced =
          ambiguous
              && !response.wasAway()
              && circuitBreaker.isReplaced(ambiguousSinceNanos, lastAnsweredNanos);
      // Once more: Tomcat may have held the question until a webapp was there again.
      return RetryPolicy.isRetryable(response.status())
          || replaced
          || response.wasAway()
          || ambiguous && ambiguousResponses == 1;
    }

    private Verdict settle(Attempts.Response response) throws RunStop {
      boolean answered = response.fedoraResponse() != null;
      if (!answered) {
        mayBeOurs = true;
        lost = true;
      }
      boolean oursBefore = mayBeOurs;
      mayBeOurs = true; // whatever is found after another attempt may come from this one
      try {
        Optional<ObjectProfile> found = session.profile(parcel.pid());
        if (found.isPresent()) {
          return judgeFound(response, found.get(), oursBefore);
        }
        if (worker.awaitFedora(response.message(), response.startNanos())) {
          return afterOutage(response);
        }
        unrecoverableCause = lost ? (answered ? REGISTERED : LOCKED) : null;
        return retry(response, "");
      } catch (ContentFailureException e) {
        return Verdict.of(FAILED, Messages.of(e));
      } catch (LoginRefusedException e) {
        throw RunStop.loginRefused(e);
      } catch (IOException e) {
        if (worker.awaitFedora(response.message(), response.startNanos())) {
          return afterOutage(response);
        }
        unrecoverableCause = lost && e instanceof FedoraRefusalException ? UNREADABLE : null;
        return retry(response, ". Nor could Fedora be asked for the object: " + Messages.of(e));
      }
    }

    private Verdict judgeFound(Attempts.Response response, ObjectProfile found, boolean oursBefore)
        throws RunStop, IOException {
      String message = response.message();
      boolean ours = oursBefore && !age.isOlder(found, parcel.object(), firstSent);
      if (!ours && !age.mayBeEarlierDrivers(found, parcel.object(), firstSent)) {
        return foreignObject(parcel.pid(), found, message);
      }
      ReadBack readBack = ReadBack.of(session, parcel.object(), carried);
      if (readBack.equal()) {
        return completes()
            ? Verdict.of(
                FOUND_COMPLETE, message + ". The object is in Fedora with all its content.")
            : Verdict.of(DONE, message + ". The object is in Fedora, as yet without its content.");
      }
      String problem = readBack.problems().get(0);
      if (!ours) {
        return foreignObject(parcel.pid(), found, message + ". " + problem);
      }
      purge.once(index, parcel.pid(), problem);
      flushFailure = purge.flush();
      return flushFailure != null
          ? skip()
          : retry(
              response, ". The object was in Fedora, but not complete, and was purged: " + problem);
    }

    /** That all are answered in Fedora's place is not the object's fault. */
    private Verdict retry(Attempts.Response response, String addition) {
      return response.retried(addition, replaced ? Weight.NONE : Weight.COUNTS);
    }

    /**
     * Of an attempt in whose time Fedora was away: it was hardly the object's fault.
     *
     * <p>Fedora 3.8.1 keeps the lock of an object that it could not look up for want of a database,
     * and a further attempt is never answered before it is started again.
     */
    private Verdict afterOutage(Attempts.Response response) {
      CircuitBreaker.OutageKind kind = circuitBreaker.worstSince(response.startNanos());
      if (kind == CircuitBreaker.OutageKind.WITHOUT_DATABASE) {
        String what =
            "It is not sent again: Fedora lost its database in the midst of it, and may keep the"
                + " object's lock until it is started again.";
        unrecoverable.add(parcel.pid() + ": " + what + " Start Fedora again, then '--resume'.");
        return Verdict.of(FAILED, response.message() + ". " + what);
      }
      lost |= kind == CircuitBreaker.OutageKind.GONE;
      return response.retried("", replaced ? Weight.NONE : Weight.EXCUSED_ONCE);
    }

    /** The object was purged, and is not sent again before Fedora can flush. */
    private Verdict skip() {
      String what =
          "It was half-made and purged, and is not sent again, since Fedora cannot flush its"
              + " triples: "
              + flushFailure;
      unrecoverable.add(parcel.pid() + ": " + what);
      return Verdict.of(FAILED, what);
    }

    @Override
    public void givenUp() {
      if (unrecoverableCause != null) {
        unrecoverable.add(
            parcel.pid()
                + unrecoverableCause
                + " 'fedometer stack repair --home' repairs that while Fedora is stopped.");
      }
    }

    /** Doubts count here, too: each of them is worth a longer wait. */
    @Override
    public int backOffSteps(int failures, boolean counted) {
      return Math.max(failures, ambiguousResponses);
    }

    @Override
    public void record(RequestEvent event) throws RunStop {
      ObjectIngest.this.record(event, parcel);
    }

    /** Whether Fedora holds the object whole before anything is sent; a part of it is purged. */
    boolean isComplete() throws RunStop {
      try {
        return new BackOff(worker, 1).run(this::findOrPurge);
      } catch (IOException e) {
        return false; // the ingest will ask again
      }
    }

    private boolean findOrPurge() throws RunStop, IOException {
      try {
        Optional<ObjectProfile> found = session.profile(parcel.pid());
        if (found.isEmpty()) {
          return false;
        }
        if (age.isOlder(found.get(), parcel.object(), firstSent)) {
          return false; // somebody else's, which the ingest will find
        }
        ReadBack readBack = ReadBack.of(session, parcel.object(), parcel.contents());
        if (readBack.equal()) {
          return true;
        }
        purge.once(index, parcel.pid(), readBack.problems().get(0));
        flushFailure = purge.flush();
        return false;
      } catch (ContentFailureException e) {
        return false; // the ingest will tell
      } catch (FedoraRefusalException e) {
        return false; // an ingest is refused, too, where it is there, and asks again
      }
    }

    /** Instead of an attempt: it was purged before the first. */
    void recordSkipped() throws RunStop {
      Verdict verdict = skip();
      long nowNanos = System.nanoTime();
      record(
          new RequestEvent(
              Operation.INGEST,
              index,
              parcel.pid(),
              Traceparent.random(),
              worker.number(),
              1,
              intendedStart.intendedStartNanos(nowNanos),
              nowNanos,
              0,
              0,
              0,
              FedoraMessages.cut(verdict.message()),
              verdict.outcome()));
    }
  }
}
