package org.fedometer.driver.study;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.random.StableRandom;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.ObjectProfile;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.OperationRequest;
import org.fedometer.driver.mix.NewestObjects;
import org.fedometer.driver.object.ObjectChanges;
import org.fedometer.driver.object.ObjectOperations;
import org.fedometer.driver.request.CircuitBreaker;
import org.fedometer.driver.request.IntendedStart;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;
import org.fedometer.driver.request.SubjectLocks;
import org.fedometer.driver.request.Worker;

/**
 * Times each operation at one size of the collection, by one client without other load. One
 * instance per study, confined to its thread: lists left open at one size stay open at the next.
 */
final class TimedOperations {

  private static final int TARGET = 5;

  /** Fedora keeps a connection for each unfinished list, for 500 s. */
  private static final int MAX_OPEN_LISTS = 40;

  private static final long LIST_OPEN_NANOS = TimeUnit.SECONDS.toNanos(500);

  private final Dataset dataset;
  private final ScaleStudy.Options options;
  private final CircuitBreaker circuitBreaker;
  private final StopSignal stop;
  private final RequestSink sink;
  private final RequestListener listener;
  private final ScaleStudy.Sizes sizes;
  private final Deque<OpenList> openLists = new ArrayDeque<>();
  private long sent;
  private long failed;

  private record OpenList(Operation operation, String token, long nanos) {}

  private static final class Tally {
    private final Map<Operation, List<Long>> nanos = new EnumMap<>(Operation.class);
    private final Map<Operation, Integer> failed = new EnumMap<>(Operation.class);

    /**
     * Counts an operation, except in the first round. Without a time, counts failures only.
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

    Map<String, ScaleStudyResult.Timing> timings(ScaleStudyResult.Timing ingest) {
      Map<Operation, ScaleStudyResult.Timing> timings = new EnumMap<>(Operation.class);
      nanos.forEach(
          (operation, times) ->
              timings.put(
                  operation, ScaleStudyResult.Timing.of(times, failed.getOrDefault(operation, 0))));
      timings.put(Operation.INGEST, ingest);
      Map<String, ScaleStudyResult.Timing> byName = new LinkedHashMap<>();
      timings.forEach((operation, timing) -> byName.put(operation.wireName(), timing));
      return byName;
    }
  }

  TimedOperations(
      Dataset dataset,
      ScaleStudy.Options options,
      CircuitBreaker circuitBreaker,
      StopSignal stop,
      RequestSink sink,
      RequestListener listener,
      ScaleStudy.Sizes sizes) {
    this.dataset = dataset;
    this.options = options;
    this.circuitBreaker = circuitBreaker;
    this.stop = stop;
    this.sink = sink;
    this.listener = listener;
    this.sizes = sizes;
  }

  /**
   * Times all operations at one size, changes last.
   *
   * @param ingest timing of the last ingests up to that size
   */
  ScaleStudyResult.Size measure(FedoraSession session, long objects, ScaleStudyResult.Timing ingest)
      throws RunStop, IOException {
    ObjectOperations requests =
        new ObjectOperations(
            new Worker(0, session, options.retry(), circuitBreaker, stop),
            new SubjectLocks(),
            this::record);
    if (options.triples()) {
      perform(requests, OperationRequest.flush(), null);
    }
    long startNanos = System.nanoTime();
    sizes.timing(objects);
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
            perform(requests, request(operation, object, newest, domain), object);
        if (operation == Operation.OAI_IDENTIFY && result.done()) {
          domain = result.listInfo().domain();
        }
        boolean done = result.done();
        long took = result.serviceNanos();
        if (done && result.listInfo() != null && !result.listInfo().token().isEmpty()) {
          OptionalLong rest = readFurther(requests, operation, object, result.listInfo().token());
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
    return new ScaleStudyResult.Size(objects, tally.timings(ingest), startNanos);
  }

  /** Returns the read operations in the order of their timing. */
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

  /**
   * Returns whether the last objects of a size can be changed, purged and restored. False if one
   * adds statements to others or has nothing to modify.
   */
  boolean changes(long objects) throws RunStop {
    for (long index = firstChanged(objects); index < objects; index++) {
      if (!dataset.additions(index).isEmpty()
          || !ObjectChanges.canModify(RunStop.makeObject(dataset, index))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the last objects of a size, which are changed, purged, and to be ingested again. */
  List<RepositoryObject> changed(long objects) {
    return LongStream.range(firstChanged(objects), objects).mapToObj(dataset::object).toList();
  }

  /** Returns the index of the first of these: one per round. */
  long firstChanged(long objects) {
    return Math.max(dataset.leadingObjects(), objects - options.repetitions() - 1);
  }

  /**
   * Modifies each of the last objects, adds a datastream and purges it, one per round while the
   * others exist. Flushes, so that they can be ingested again.
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
            requests.perform(change.getValue(), index, object.pid(), IntendedStart.whenSent());
        tally.count(round, change.getKey(), result.done(), result.serviceNanos());
      }
      flushIfDue();
    }
    if (options.triples()) {
      perform(requests, OperationRequest.flush(), null);
    }
  }

  /**
   * Returns the date of the twentieth object from the end, at which a page of the newest items
   * begins.
   */
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

  private static ObjectOperations.Result perform(
      ObjectOperations requests, OperationRequest request, RepositoryObject object) throws RunStop {
    return requests.perform(
        request,
        RequestEvent.NO_OBJECT,
        object == null ? "" : object.pid(),
        IntendedStart.whenSent());
  }

  /**
   * Reads a search to its end, and counts all of it. Of an OAI-PMH list, only the first page
   * counts; the list is left open unless Fedora would keep too many.
   *
   * @return nanoseconds that count; empty if a page of a search failed
   */
  private OptionalLong readFurther(
      ObjectOperations requests, Operation operation, RepositoryObject object, String token)
      throws RunStop {
    if (operation == Operation.FIND_OBJECTS || operation == Operation.FIND_NEWEST) {
      long counted = 0;
      String next = token;
      while (!next.isEmpty()) {
        ObjectOperations.Result page =
            perform(requests, OperationRequest.nextPage(operation, next), object);
        if (!page.done()) {
          return OptionalLong.empty();
        }
        counted += page.serviceNanos();
        next = page.listInfo().token();
      }
      return OptionalLong.of(counted);
    }
    openLists.addLast(new OpenList(operation, token, System.nanoTime()));
    while (openLists.size() > MAX_OPEN_LISTS) {
      OpenList oldest = openLists.removeFirst();
      if (System.nanoTime() - oldest.nanos() < LIST_OPEN_NANOS) {
        drain(requests, oldest);
      }
    }
    return OptionalLong.of(0);
  }

  private static void drain(ObjectOperations requests, OpenList list) throws RunStop {
    String next = list.token();
    while (!next.isEmpty()) {
      ObjectOperations.Result page =
          perform(requests, OperationRequest.oaiList(list.operation(), next), null);
      next = page.done() ? page.listInfo().token() : "";
    }
  }

  private void record(RequestEvent event) throws RunStop {
    sent++;
    failed += event.outcome() == RequestEvent.Outcome.DONE ? 0 : 1;
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

  /** Returns the attempts of all sizes. */
  long sent() {
    return sent;
  }

  /** Returns those that did not succeed. */
  long failed() {
    return failed;
  }
}
