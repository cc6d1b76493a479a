package org.fedometer.driver.mix;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.ObjectProfile;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.OperationRequest;
import org.fedometer.driver.load.IngestTally;
import org.fedometer.driver.load.Work;
import org.fedometer.driver.object.ObjectChanges;
import org.fedometer.driver.object.ObjectIngest;
import org.fedometer.driver.object.ObjectOperations;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;

/** Performs the mix's step of each number. */
public final class MixWork implements Work {

  private final Shared shared;
  private final MixOrder order;
  private final Work ingests;
  private final ObjectIngest ingest;
  private final ObjectOperations operations;
  private final FedoraSession session;

  public static final class Shared {
    private final Dataset dataset;
    private final MixOptions options;
    private final MixTally tally;
    private final IngestTally ingestTally;
    private final TargetTurns turns;
    private final NewestObjects newest = new NewestObjects();
    private final Harvests records;
    private final Harvests identifiers;

    /** Held while one worker fetches the domain below; all others wait. */
    private final Object oaiDomainLock = new Object();

    /** The repository's name in OAI identifiers; null until known. */
    private String oaiDomain;

    /**
     * @param tally counts the steps that do not ingest
     * @param ingestTally counts those that do
     */
    public Shared(
        Dataset dataset,
        MixOptions options,
        MixTally tally,
        IngestTally ingestTally,
        StopSignal stop) {
      this.dataset = dataset;
      this.options = options;
      this.tally = tally;
      this.ingestTally = ingestTally;
      this.turns = new TargetTurns(0, stop);
      this.records = new Harvests(stop);
      this.identifiers = new Harvests(stop);
    }

    /**
     * Fetches the age of the newest objects, before the first step, by a request outside the load.
     */
    public void learn(FedoraSession session) throws IOException {
      Instant since = Instant.ofEpochMilli(session.fedoraMillis());
      if (options.mix().weight(Operation.FIND_NEWEST) > 0 && options.preload() > 0) {
        long index = Math.max(0, options.preload() - NewestObjects.ITEMS);
        Optional<ObjectProfile> profile = session.profile(dataset.object(index).pid());
        since = profile.map(ObjectProfile::lastModified).orElse(since);
      }
      newest.begin(since);
    }
  }

  /**
   * @param ingests performs the ingesting steps, by {@code ingest}
   */
  public MixWork(
      Shared shared,
      Work ingests,
      ObjectIngest ingest,
      ObjectOperations operations,
      FedoraSession session) {
    this.shared = shared;
    this.order = new MixOrder(shared.options, shared.dataset.leadingObjects());
    this.ingests = ingests;
    this.ingest = ingest;
    this.operations = operations;
    this.session = session;
  }

  @Override
  public Step prepare(long number) throws RunStop {
    MixOrder.MixStep step = order.step(number);
    TargetTurns.Turn turn;
    try {
      turn = shared.turns.take(number, step.operation(), step.target());
    } catch (RunStop e) {
      abandon(step);
      throw e;
    }
    return step.operation() == Operation.INGEST
        ? new IngestStep(step, turn, ingests.prepare(step.target()))
        : new OperationStep(step, turn, object(step));
  }

  private void abandon(MixOrder.MixStep step) {
    if (step.operation() == Operation.INGEST) {
      shared.ingestTally.abandon(step.target());
    } else {
      shared.tally.abandoned(step.operation(), step.target());
    }
  }

  private RepositoryObject object(MixOrder.MixStep step) throws RunStop {
    if (step.target() < 0) {
      return null;
    }
    try {
      return RunStop.makeObject(shared.dataset, step.target());
    } catch (RunStop e) {
      abandon(step);
      throw e;
    }
  }

  /** Counts an acknowledged write; if a flush is due, this worker requests it. */
  private void flushIfDue() throws RunStop {
    long every = shared.options.flushEvery();
    if (every > 0 && shared.tally.countWrite() % every == 0) {
      ObjectOperations.Result flushed =
          operations.perform(
              OperationRequest.flush(), RequestEvent.NO_OBJECT, "", IntendedStart.whenSent());
      if (!flushed.done()) {
        shared.tally.flushFailed();
      }
    }
  }

  private final class IngestStep implements Step {

    private final MixOrder.MixStep step;
    private final TargetTurns.Turn turn;
    private final Step ingested;

    IngestStep(MixOrder.MixStep step, TargetTurns.Turn turn, Step ingested) {
      this.step = step;
      this.turn = turn;
      this.ingested = ingested;
    }

    @Override
    public void perform(IntendedStart intendedStart) throws RunStop {
      long sentMillis = session.fedoraMillis();
      try {
        ingested.perform(intendedStart);
      } finally {
        turn.end();
      }
      if (ingest.storedIndex() == step.target()) {
        shared.newest.ingested(sentMillis);
        flushIfDue();
      }
    }

    @Override
    public void release() {
      turn.release();
      ingested.release();
    }

    @Override
    public void abandon() {
      ingested.abandon();
    }
  }

  private final class OperationStep implements Step {

    private final MixOrder.MixStep step;
    private final TargetTurns.Turn turn;
    private final RepositoryObject object;

    OperationStep(MixOrder.MixStep step, TargetTurns.Turn turn, RepositoryObject object) {
      this.step = step;
      this.turn = turn;
      this.object = object;
    }

    @Override
    public void perform(IntendedStart intendedStart) throws RunStop {
      boolean done;
      try {
        if (!turn.await()) {
          release();
          abandon();
          return;
        }
        done = send(intendedStart);
        // Before the turn ends: a waiting purge subtracts what an addition has counted.
        count(done);
      } catch (RunStop | RuntimeException | Error e) {
        abandon();
        throw e;
      } finally {
        turn.end();
      }
      if (done && MixTally.CHANGES.contains(step.operation())) {
        flushIfDue();
      }
    }

    private void count(boolean done) {
      if (!done) {
        shared.tally.failed(step.operation(), step.target());
        return;
      }
      shared.tally.done(step.operation());
      if (step.operation() == Operation.ADD_DATASTREAM) {
        shared.tally.added(step.target());
      } else if (step.operation() == Operation.PURGE) {
        shared.tally.purged(step.target(), object);
      }
    }

    @Override
    public void release() {
      turn.release();
    }

    @Override
    public void abandon() {
      MixWork.this.abandon(step);
    }

    private boolean send(IntendedStart intendedStart) throws RunStop {
      return switch (step.operation()) {
        case GET_OBJECT -> once(OperationRequest.object(object.pid()), intendedStart);
        case GET_DC -> once(OperationRequest.dublinCore(object.pid()), intendedStart);
        case GET_DATASTREAM ->
            once(OperationRequest.datastream(object.pid(), chosen()), intendedStart);
        case RISEARCH -> once(OperationRequest.triples(object.pid()), intendedStart);
        case MODIFY_DATASTREAM ->
            once(OperationRequest.modify(object.pid(), modification()), intendedStart);
        case ADD_DATASTREAM ->
            once(
                OperationRequest.add(object.pid(), ObjectChanges.addition(object, step.number())),
                intendedStart);
        case PURGE -> once(OperationRequest.purge(object.pid()), intendedStart);
        case OAI_IDENTIFY -> once(OperationRequest.oaiIdentify(), intendedStart);
        case OAI_LIST_METADATA_FORMATS -> once(OperationRequest.oaiFormats(), intendedStart);
        case OAI_LIST_SETS -> once(OperationRequest.oaiSets(), intendedStart);
        case OAI_GET_RECORD ->
            once(OperationRequest.oaiRecord(oaiDomain(), object.pid()), intendedStart);
        case OAI_LIST_RECORDS -> page(shared.records, intendedStart);
        case OAI_LIST_IDENTIFIERS -> page(shared.identifiers, intendedStart);
        case FIND_OBJECTS -> search(OperationRequest.search(object), intendedStart);
        case FIND_NEWEST -> search(OperationRequest.newest(shared.newest.since()), intendedStart);
        case INGEST, UPLOAD, ADD_RELATIONSHIP, FLUSH_TRIPLES ->
            throw new IllegalStateException(step.operation() + " is no step of this kind");
      };
    }

    private boolean once(OperationRequest request, IntendedStart intendedStart) throws RunStop {
      return perform(request, intendedStart).done();
    }

    private ObjectOperations.Result perform(OperationRequest request, IntendedStart intendedStart)
        throws RunStop {
      return perform(request, request, intendedStart);
    }

    /**
     * @param retryRequest request of further attempts
     */
    private ObjectOperations.Result perform(
        OperationRequest first, OperationRequest retryRequest, IntendedStart intendedStart)
        throws RunStop {
      return object == null
          ? operations.perform(first, retryRequest, RequestEvent.NO_OBJECT, "", intendedStart)
          : operations.perform(first, retryRequest, step.target(), object.pid(), intendedStart);
    }

    private String chosen() {
      int streams = object.content().size();
      return streams == 0 ? "DC" : object.content().get(Math.floorMod(step.number(), streams)).id();
    }

    private ContentStream modification() throws RunStop {
      try {
        return ObjectChanges.modification(object, step.number());
      } catch (IllegalArgumentException e) {
        throw RunStop.because(e.getMessage() + "; leave modify-datastream out of the mix.", e);
      }
    }

    /**
     * Reads a search to its end, page by page, since Fedora keeps a connection for it until then.
     */
    private boolean search(OperationRequest first, IntendedStart intendedStart) throws RunStop {
      ObjectOperations.Result page = perform(first, intendedStart);
      while (page.done() && !page.listInfo().token().isEmpty()) {
        page =
            perform(
                OperationRequest.nextPage(first.operation(), page.listInfo().token()),
                first,
                IntendedStart.whenSent());
      }
      return page.done();
    }

    private boolean page(Harvests harvests, IntendedStart intendedStart) throws RunStop {
      String token = harvests.take();
      String next = "";
      try {
        ObjectOperations.Result page =
            perform(
                OperationRequest.oaiList(step.operation(), token),
                OperationRequest.oaiList(step.operation(), null),
                intendedStart);
        next = page.done() ? page.listInfo().token() : "";
        return page.done();
      } finally {
        harvests.put(next);
      }
    }

    /**
     * Returns the OAI domain. Requested once per run, as by a harvester, and counted like any
     * request. Empty on failure.
     */
    private String oaiDomain() throws RunStop {
      synchronized (shared.oaiDomainLock) {
        if (shared.oaiDomain == null) {
          ObjectOperations.Result identified =
              operations.perform(
                  OperationRequest.oaiIdentify(),
                  RequestEvent.NO_OBJECT,
                  "",
                  IntendedStart.whenSent());
          if (!identified.done()) {
            return ""; // the next step retries
          }
          shared.oaiDomain = identified.listInfo().domain();
        }
        return shared.oaiDomain;
      }
    }
  }
}
