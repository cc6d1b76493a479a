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
 * Ingests one object, with retries by the policy, and never twice. One per worker, confined to its
 * thread.
 *
 * <p>An error of Fedora itself (500) or a lost response does not show what Fedora did. 3.8.1 gives
 * no message with any such error, even for a duplicate identifier. Before a retry, Fedora is
 * therefore queried for the object. An existing object that no attempt can have made is a duplicate
 * and fails at once. One that may be from this ingest is read back and compared.
 */
public final class ObjectIngest {

  private static final String REGISTERED =
      " does not exist, but Fedora refuses it as existing: Fedora or its database"
          + " ended just after registering it.";

  private static final String LOCKED =
      " does not exist, and Fedora does not answer its ingest: Fedora may keep its"
          + " lock after an outage of its database.";

  private static final String UNREADABLE =
      " exists, but Fedora itself cannot read it: Fedora or its disk failed while writing it.";

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
   * @param triples true if Fedora has a triplestore
   * @param unrecoverable gets a sentence for each object that needs a repair
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

    /** Records an object of an earlier driver that is complete. */
    void recordFound(RepositoryObject object) throws RunStop;

    /** Records the purge, or failed purge, of an incomplete object. */
    void recordPurge(RequestEvent event) throws RunStop;
  }

  /**
   * Returns the index of the latest object that was ingested or failed, rather than left open by a
   * stop.
   */
  public long settledIndex() {
    return settledIndex;
  }

  /** Returns the index of the latest object known to be in Fedora. */
  public long storedIndex() {
    return storedIndex;
  }

  /** Returns the index of the latest object found in Fedora without an acknowledgement. */
  public long foundIndex() {
    return foundIndex;
  }

  /**
   * Ingests an object with all its datastreams. Returns on success or failure; every attempt has
   * been recorded.
   *
   * @param intendedStart intended start of the first attempt; later attempts keep it, and are late
   *     by the time of the earlier ones
   * @param mayBeThere true if an earlier driver has sent it: Fedora is queried first
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
   * Purges an object of this ingest that Fedora has lost in whole or part. Fedora has to flush
   * before it is ingested again.
   *
   * @param problem the missing part
   * @throws FedoraRefusalException if Fedora has it and does not purge it
   * @throws IOException if it is unknown whether Fedora has it
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
            + "; it was left unchanged ("
            + message
            + ").");
  }

  /** The request that creates one object from its FOXML, with its state across attempts. */
  private final class Creation implements Attempts.Request {

    private final long index;
    private final Parcel parcel;
    private final IntendedStart intendedStart;
    private final Instant firstSent;

    /** Content of the latest attempt. */
    private List<CarriedContent> carried = List.of();

    private boolean prepared;

    /** True if an earlier attempt may have created the object. */
    private boolean mayBeOurs;

    /** Remains of the object after Fedora was killed or lost its database; or null. */
    private String unrecoverableCause;

    /** Why Fedora could not flush after the object was purged; or null. */
    private String flushFailure;

    /** True if Fedora may have been killed since an attempt, or an earlier driver made one. */
    private boolean lost;

    /** Number of responses that may be another server's. */
    private int ambiguousResponses;

    /** When the first of them came. */
    private long ambiguousSinceNanos;

    /** When the latest ingest was sent that Fedora had answered before the latest attempt. */
    private long lastAnsweredNanos;

    /** True if another server answered the latest attempt, as all at present. */
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
      // Only the first upload has an intended start.
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
      // A query for the object reveals an error of Fedora itself.
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
                  + "' instead of the name of the object "
                  + parcel.pid()
                  + ": another server may have answered.");
    }

    /** Returns whether the object is complete with its FOXML. */
    private boolean completes() {
      return parcel.separateDatastreams().isEmpty();
    }

    private boolean isRetryable(Attempts.Response response) {
      boolean ambiguous = response.mayBeFromProxy();
      replaced =
          ambiguous
              && !response.wasAway()
              && circuitBreaker.isReplaced(ambiguousSinceNanos, lastAnsweredNanos);
      // One retry, since Tomcat may have held the request until a webapp was back.
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
      mayBeOurs = true; // an object found after another attempt may come from this one
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
        return retry(response, ". Fedora could not be queried for the object: " + Messages.of(e));
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
            : Verdict.of(DONE, message + ". The object is in Fedora, still without its content.");
      }
      String problem = readBack.problems().get(0);
      if (!ours) {
        return foreignObject(parcel.pid(), found, message + ". " + problem);
      }
      purge.once(index, parcel.pid(), problem);
      flushFailure = purge.flush();
      return flushFailure != null
          ? skip()
          : retry(response, ". The object in Fedora was incomplete and was purged: " + problem);
    }

    /** Returns a retry, which does not count if another server answers all requests. */
    private Verdict retry(Attempts.Response response, String addition) {
      return response.retried(addition, replaced ? Weight.NONE : Weight.COUNTS);
    }

    /**
     * Judges an attempt during an outage, which hardly is the object's fault.
     *
     * <p>Fedora 3.8.1 keeps the lock of an object that it could not look up without a database. It
     * answers further attempts only after a restart.
     */
    private Verdict afterOutage(Attempts.Response response) {
      CircuitBreaker.OutageKind kind = circuitBreaker.worstSince(response.startNanos());
      if (kind == CircuitBreaker.OutageKind.WITHOUT_DATABASE) {
        String what =
            "It is not sent again: Fedora lost its database during the ingest, and may keep"
                + " the object's lock until a restart.";
        unrecoverable.add(
            parcel.pid() + ": " + what + " Restart Fedora, then resume the load with --resume.");
        return Verdict.of(FAILED, response.message() + ". " + what);
      }
      lost |= kind == CircuitBreaker.OutageKind.GONE;
      return response.retried("", replaced ? Weight.NONE : Weight.EXCUSED_ONCE);
    }

    /** Fails an object that was purged, since Fedora cannot flush before another attempt. */
    private Verdict skip() {
      String what =
          "It was incomplete and purged, and is not sent again: Fedora cannot flush its triples: "
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
                + " Stop Fedora and run 'fedometer stack repair --home DIR'.");
      }
    }

    /** Ambiguous responses count, too: each is worth a longer wait. */
    @Override
    public int backOffSteps(int failures, boolean counted) {
      return Math.max(failures, ambiguousResponses);
    }

    @Override
    public void record(RequestEvent event) throws RunStop {
      ObjectIngest.this.record(event, parcel);
    }

    /**
     * Returns whether Fedora has the complete object before anything is sent; purges a part of it.
     */
    boolean isComplete() throws RunStop {
      try {
        return new BackOff(worker, 1).run(this::findOrPurge);
      } catch (IOException e) {
        return false; // the ingest will query again
      }
    }

    private boolean findOrPurge() throws RunStop, IOException {
      try {
        Optional<ObjectProfile> found = session.profile(parcel.pid());
        if (found.isEmpty()) {
          return false;
        }
        if (age.isOlder(found.get(), parcel.object(), firstSent)) {
          return false; // foreign, as the ingest will find
        }
        ReadBack readBack = ReadBack.of(session, parcel.object(), parcel.contents());
        if (readBack.equal()) {
          return true;
        }
        purge.once(index, parcel.pid(), readBack.problems().get(0));
        flushFailure = purge.flush();
        return false;
      } catch (ContentFailureException e) {
        return false; // the ingest will report it
      } catch (FedoraRefusalException e) {
        return false; // an ingest of an existing object fails, too, and queries again
      }
    }

    /** Records a failure instead of an attempt, after a purge before the first. */
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
