package org.fedometer.driver.study;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.random.StableRandom;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.ObjectProfile;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.OperationRequest;
import org.fedometer.driver.fedora.Words;
import org.fedometer.driver.mix.NewestObjects;
import org.fedometer.driver.object.ObjectChanges;
import org.fedometer.driver.object.ObjectOperations;
import org.fedometer.driver.request.Due;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.Outage;
import org.fedometer.driver.request.OutageGate;
import org.fedometer.driver.request.Pause;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.Shard;
import org.fedometer.driver.request.StopSignal;
import org.fedometer.driver.request.SubjectLocks;

/**
 * At which size of the collection does each operation become too slow? The collection doubles from
 * 100 objects on; at each size each operation is timed some times by one client, while nothing else
 * is asked, after a round that does not count. Changes and purges come last, and what they took
 * away is brought back. One study an instance; {@link #run} is called by the thread that conducts
 * it, {@link #stop} by any.
 */
public final class ScaleStudy {

  /** Objects of the first size, as in Phiri and Suleman. */
  public static final long SMALLEST = 100;

  /** More would change all objects of the first size. */
  private static final int MOST_REPETITIONS = 90;

  private static final int TARGET = 5;

  /** Fedora keeps a connection for each list that is not read to its end, for 500 s. */
  private static final int MOST_OPEN_LISTS = 40;

  private static final long LIST_OPEN_NANOS = TimeUnit.SECONDS.toNanos(500);

  private final FedoraClient client;
  private final Dataset dataset;
  private final Options options;
  private final RequestSink sink;
  private final Listener listener;
  private final StopSignal stop = new StopSignal();
  private final Deque<OpenList> openLists = new ArrayDeque<>();

  /** For all but the ingests, whose drivers have their own. */
  private final OutageGate gate;

  private volatile IngestDriver growing;
  private long operationsSent;
  private long operationsFailed;

  private record OpenList(Operation operation, String token, long nanos) {}

  /**
   * What a study is to do.
   *
   * @param upTo objects of the largest size at most
   * @param repetitions how often each operation is timed at each size
   * @param workers that make the collection grow
   * @param retry how often and how long to try
   * @param triples whether there is a triplestore to be asked
   */
  public record Options(
      long upTo, int repetitions, int workers, RetryPolicy retry, boolean triples) {
    public Options {
      Objects.requireNonNull(retry, "retry");
      if (upTo < SMALLEST) {
        throw new IllegalArgumentException(
            "a scale study goes up to " + SMALLEST + " objects or more, not to " + upTo);
      }
      if (repetitions < 1 || repetitions > MOST_REPETITIONS) {
        throw new IllegalArgumentException(
            "an operation is timed 1 to " + MOST_REPETITIONS + " times, not " + repetitions);
      }
    }
  }

  /** Hears how the study goes on, on its thread. */
  public interface Listener extends RequestListener {
    /** The collection grows to a size. */
    void growing(long objects, IngestDriver driver);

    /** The collection has that size; operations are timed. */
    void timing(long objects);
  }

  /**
   * @param client with connections for all workers and one more
   * @param sink hears of every request; finished by {@link #run}
   */
  public ScaleStudy(
      FedoraClient client, Dataset dataset, Options options, RequestSink sink, Listener listener) {
    this.client = Objects.requireNonNull(client, "client");
    this.dataset = Objects.requireNonNull(dataset, "dataset");
    this.options = Objects.requireNonNull(options, "options");
    this.sink = Objects.requireNonNull(sink, "sink");
    this.listener = Objects.requireNonNull(listener, "listener");
    this.gate = new OutageGate(client, options.retry().outageLimit(), stop, listener, Shard.WHOLE);
    dataset.requireObjects(0, largest(options.upTo()));
  }

  /** Objects of the largest size that is not above the bound. */
  public static long largest(long upTo) {
    long objects = SMALLEST;
    while (objects <= upTo / 2) {
      objects *= 2;
    }
    return objects;
  }

  /** Asks the study to end; what was measured is kept. */
  public void stop() {
    stop.raise();
    IngestDriver driver = growing;
    if (driver != null) {
      driver.stop();
    }
  }

  /**
   * Grows the collection and times the operations.
   *
   * @throws IOException if Fedora cannot be reached at all: nothing was sent
   */
  public ScaleFigures run() throws IOException {
    List<ScaleFigures.Size> sizes = new ArrayList<>();
    IngestResult all = null;
    RunStop ended = null;
    try {
      for (long objects = SMALLEST; objects <= largest(options.upTo()); objects *= 2) {
        long from = objects == SMALLEST ? 0 : objects / 2;
        long single = Math.max(from, objects - options.repetitions());
        IngestResult grown = grow(objects, from, single - from, options.workers(), null);
        all = all == null ? grown : grown.after(all);
        if (!grown.complete()) {
          break;
        }
        List<Long> ingests = new ArrayList<>();
        grown = grow(objects, single, objects - single, 1, ingests);
        all = grown.after(all);
        if (!grown.complete()) {
          break;
        }
        try (FedoraSession session = client.newSession()) {
          gate.login(session);
          sizes.add(time(session, objects, ScaleFigures.Timing.of(ingests, 0)));
        }
        if (changes(objects)) {
          IngestResult again =
              grow(objects, firstChanged(objects), objects - firstChanged(objects), 1, null);
          // They count as ingested already.
          all = again.after(all.without(changed(objects)));
          if (!again.complete()) {
            break;
          }
        }
      }
    } catch (RunStop e) {
      ended = e;
    } catch (IOException e) {
      if (all == null) {
        throw e;
      }
      ended = RunStop.because(Words.of(e), e); // hours of measurements are kept
    }
    try {
      sink.finish();
    } catch (IOException e) {
      ended = ended == null ? RunStop.notRecorded(e) : ended;
    }
    return new ScaleFigures(sizes, ended == null ? withOperations(all) : ended(all, ended));
  }

  /**
   * A driver gives up where Fedora is away when it begins; between two parts of a study it is
   * waited for.
   *
   * @param timed where service times go, or null
   */
  private IngestResult grow(long size, long first, long count, int workers, List<Long> timed)
      throws IOException, RunStop {
    if (first > 0) {
      try (FedoraSession session = client.newSession()) {
        gate.login(session);
      }
    }
    IngestOptions grow =
        IngestOptions.of(count, workers)
            .startingAt(first)
            .withRetry(options.retry())
            .withTriples(options.triples(), Duration.ZERO);
    IngestDriver driver =
        new IngestDriver(client, dataset, grow, sink.unfinished(), new Timed(timed));
    growing = driver;
    if (stop.raised()) {
      driver.stop();
    }
    listener.growing(size, driver);
    return driver.run();
  }

  /** Takes the times, and tells the study's listener all. */
  private final class Timed implements RequestListener {

    private final List<Long> nanos;

    Timed(List<Long> nanos) {
      this.nanos = nanos;
    }

    @Override
    public void onRequest(RequestEvent event) {
      if (nanos != null && event.outcome() == RequestEvent.Outcome.INGESTED) {
        nanos.add(event.durationNanos());
      }
      listener.onRequest(event);
    }

    @Override
    public void onOutage(String reason) {
      listener.onOutage(reason);
    }

    @Override
    public void onAwaiting(String pid) {
      listener.onAwaiting(pid);
    }

    @Override
    public void onRecheck(long objects) {
      listener.onRecheck(objects);
    }

    @Override
    public void onChange(List<Pause> pauses, List<LoadChange> changes) {
      listener.onChange(pauses, changes);
    }

    @Override
    public void onUnended(Outage outage) {
      listener.onUnended(outage);
    }

    @Override
    public void onRecovery(Outage outage) {
      listener.onRecovery(outage);
    }
  }

  /**
   * Whether the last objects of a size can be changed, purged and brought back as they were: not
   * where others would have to be told of them again, nor where one has nothing to be modified.
   */
  private boolean changes(long objects) throws RunStop {
    for (long index = firstChanged(objects); index < objects; index++) {
      if (!dataset.additions(index).isEmpty()
          || !ObjectChanges.canModify(RunStop.makeObject(dataset, index))) {
        return false;
      }
    }
    return true;
  }

  private List<RepositoryObject> changed(long objects) {
    return LongStream.range(firstChanged(objects), objects).mapToObj(dataset::object).toList();
  }

  /** One for each round. */
  private long firstChanged(long objects) {
    return Math.max(dataset.leadingObjects(), objects - options.repetitions() - 1);
  }

  /** The operations that leave the collection as it is, in the order in which they are timed. */
  private List<Operation> operations() {
    List<Operation> operations =
        new ArrayList<>(
            List.of(
                Operation.GET_OBJECT,
                Operation.GET_DC,
                Operation.FIND_OBJECTS,
                Operation.FIND_NEWEST,
                Operation.OAI_IDENTIFY,
                Operation.OAI_LIST_METADATA_FORMATS,
                Operation.OAI_LIST_SETS,
                Operation.OAI_LIST_IDENTIFIERS,
                Operation.OAI_LIST_RECORDS,
                Operation.OAI_GET_RECORD));
    if (options.triples()) {
      operations.add(3, Operation.RISEARCH);
    }
    return operations;
  }

  private ScaleFigures.Size time(FedoraSession session, long objects, ScaleFigures.Timing ingest)
      throws RunStop, IOException {
    ObjectOperations requests =
        new ObjectOperations(
            0, session, options.retry(), gate, stop, new SubjectLocks(), this::record);
    if (options.triples()) {
      ask(requests, OperationRequest.flush(), null);
    }
    long startNanos = System.nanoTime();
    listener.timing(objects);
    Instant newest = newestSince(session, objects);
    Tally tally = new Tally();
    String domain = "";
    for (int round = 0; round <= options.repetitions(); round++) {
      for (Operation operation : operations()) {
        if (stop.raised()) {
          throw RunStop.asRequested();
        }
        RepositoryObject object = chosen(objects, round, operation);
        ObjectOperations.Result result =
            ask(requests, request(operation, object, newest, domain), object);
        if (operation == Operation.OAI_IDENTIFY && result.done()) {
          domain = result.said().domain();
        }
        boolean done = result.done();
        long took = result.serviceNanos();
        if (done && result.said() != null && !result.said().token().isEmpty()) {
          OptionalLong rest = goOn(requests, operation, object, result.said().token());
          done = rest.isPresent();
          took += rest.orElse(0);
        }
        tally.count(round, operation, done, took);
        flushIfDue();
      }
    }
    if (changes(objects)) {
      change(requests, objects, tally);
    }
    Map<Operation, ScaleFigures.Timing> timings = tally.timings();
    timings.put(Operation.INGEST, ingest);
    return new ScaleFigures.Size(objects, timings, startNanos);
  }

  /** What came of the timed requests of one size. */
  private static final class Tally {
    private final Map<Operation, List<Long>> nanos = new EnumMap<>(Operation.class);
    private final Map<Operation, Integer> failed = new EnumMap<>(Operation.class);

    /**
     * The first round does not count; nor does what was done and has no time of its own.
     *
     * @param tookNanos 0 for no time
     */
    void count(int round, Operation operation, boolean done, long tookNanos) {
      if (round == 0) {
        return;
      }
      List<Long> times = nanos.computeIfAbsent(operation, o -> new ArrayList<>());
      if (!done) {
        failed.merge(operation, 1, Integer::sum);
      } else if (tookNanos > 0) {
        times.add(tookNanos);
      }
    }

    Map<Operation, ScaleFigures.Timing> timings() {
      Map<Operation, ScaleFigures.Timing> timings = new EnumMap<>(Operation.class);
      nanos.forEach(
          (operation, times) ->
              timings.put(
                  operation, ScaleFigures.Timing.of(times, failed.getOrDefault(operation, 0))));
      return timings;
    }
  }

  /**
   * Modifies the last objects, adds a datastream to each and purges them: one a round, the others
   * are there meanwhile. They are to be ingested again, when Fedora has flushed what it is to
   * forget of them.
   */
  private void change(ObjectOperations requests, long objects, Tally tally) throws RunStop {
    for (long index = firstChanged(objects); index < objects; index++) {
      RepositoryObject object = RunStop.makeObject(dataset, index);
      Map<Operation, OperationRequest> changes = new LinkedHashMap<>();
      changes.put(
          Operation.MODIFY_DATASTREAM,
          OperationRequest.modify(object.pid(), ObjectChanges.modification(object, objects)));
      changes.put(
          Operation.ADD_DATASTREAM,
          OperationRequest.add(object.pid(), ObjectChanges.addition(object, objects)));
      changes.put(Operation.PURGE, OperationRequest.purge(object.pid()));
      int round = Math.toIntExact(index - (objects - options.repetitions() - 1));
      for (Map.Entry<Operation, OperationRequest> change : changes.entrySet()) {
        ObjectOperations.Result result =
            requests.perform(change.getValue(), index, object.pid(), Due.whenSent());
        tally.count(round, change.getKey(), result.done(), result.serviceNanos());
      }
      flushIfDue();
    }
    if (options.triples()) {
      ask(requests, OperationRequest.flush(), null);
    }
  }

  /** The creation of the twentieth from the end: what a page of the newest items begins with. */
  private Instant newestSince(FedoraSession session, long objects) throws IOException {
    String pid = dataset.object(objects - NewestObjects.ITEMS).pid();
    return session
        .profile(pid)
        .map(ObjectProfile::lastModified)
        .orElseThrow(() -> new IOException("Fedora has no object " + pid + "."));
  }

  private RepositoryObject chosen(long objects, int round, Operation operation) throws RunStop {
    StableRandom random = StableRandom.of(objects, TARGET, round * 100L + operation.ordinal());
    return RunStop.makeObject(dataset, Math.floorMod(random.nextLong(), objects));
  }

  private static OperationRequest request(
      Operation operation, RepositoryObject object, Instant newest, String domain) {
    return switch (operation) {
      case GET_OBJECT -> OperationRequest.object(object.pid());
      case GET_DC -> OperationRequest.dublinCore(object.pid());
      case FIND_OBJECTS -> OperationRequest.search(object);
      case FIND_NEWEST -> OperationRequest.newest(newest);
      case RISEARCH -> OperationRequest.triples(object.pid());
      case OAI_IDENTIFY -> OperationRequest.oaiIdentify();
      case OAI_LIST_METADATA_FORMATS -> OperationRequest.oaiFormats();
      case OAI_LIST_SETS -> OperationRequest.oaiSets();
      case OAI_LIST_IDENTIFIERS, OAI_LIST_RECORDS -> OperationRequest.oaiList(operation, null);
      case OAI_GET_RECORD -> OperationRequest.oaiRecord(domain, object.pid());
      default -> throw new IllegalArgumentException(operation + " is not timed by itself");
    };
  }

  private static ObjectOperations.Result ask(
      ObjectOperations requests, OperationRequest request, RepositoryObject object) throws RunStop {
    return requests.perform(
        request, RequestEvent.NO_OBJECT, object == null ? "" : object.pid(), Due.whenSent());
  }

  /**
   * A search is read to its end, and all of it counts; of a list by OAI-PMH the first page does,
   * and the rest is left to Fedora, unless it would keep too many.
   *
   * @return nanoseconds that count; empty if a page of a search was given up
   */
  private OptionalLong goOn(
      ObjectOperations requests, Operation operation, RepositoryObject object, String token)
      throws RunStop {
    if (operation == Operation.FIND_OBJECTS || operation == Operation.FIND_NEWEST) {
      long counted = 0;
      String next = token;
      while (!next.isEmpty()) {
        ObjectOperations.Result page =
            ask(requests, OperationRequest.searchFurther(operation, next), object);
        if (!page.done()) {
          return OptionalLong.empty();
        }
        counted += page.serviceNanos();
        next = page.said().token();
      }
      return OptionalLong.of(counted);
    }
    openLists.addLast(new OpenList(operation, token, System.nanoTime()));
    while (openLists.size() > MOST_OPEN_LISTS) {
      OpenList oldest = openLists.removeFirst();
      if (System.nanoTime() - oldest.nanos() < LIST_OPEN_NANOS) {
        readToItsEnd(requests, oldest);
      }
    }
    return OptionalLong.of(0);
  }

  private static void readToItsEnd(ObjectOperations requests, OpenList list) throws RunStop {
    String next = list.token();
    while (!next.isEmpty()) {
      ObjectOperations.Result page =
          ask(requests, OperationRequest.oaiList(list.operation(), next), null);
      next = page.done() ? page.said().token() : "";
    }
  }

  private void record(RequestEvent event) throws RunStop {
    operationsSent++;
    operationsFailed += event.outcome() == RequestEvent.Outcome.DONE ? 0 : 1;
    try {
      sink.record(event);
    } catch (IOException e) {
      throw RunStop.notRecorded(e);
    }
    listener.onRequest(event);
  }

  private void flushIfDue() throws RunStop {
    try {
      sink.flushIfDue();
    } catch (IOException e) {
      throw RunStop.notRecorded(e);
    }
  }

  private IngestResult ended(IngestResult all, RunStop reason) {
    IngestResult.Ending ending =
        reason.requested() ? IngestResult.Ending.STOPPED : IngestResult.Ending.GAVE_UP;
    return withOperations(all).ended(ending, reason.getMessage());
  }

  private IngestResult withOperations(IngestResult all) {
    return all.withRequests(operationsSent, operationsFailed, gate.outages(), System.nanoTime());
  }
}
