package org.fedometer.driver.study;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.Counts;
import org.fedometer.driver.request.CircuitBreaker;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.Shard;
import org.fedometer.driver.request.StopSignal;

/**
 * Study of the collection size at which each operation becomes too slow. The collection doubles
 * from 100 objects on. At each size, one client times each operation repeatedly without other load,
 * after an uncounted round. Changes and purges come last, and the purged objects are ingested
 * again.
 *
 * <p>One instance runs one study. {@link #run} blocks the conducting thread; {@link #stop} is
 * thread-safe.
 */
public final class ScaleStudy {

  /** Objects of the first size, as in Phiri and Suleman. */
  public static final long FIRST_SIZE = 100;

  /** More would change all objects of the first size. */
  private static final int MAX_REPETITIONS = 90;

  private final FedoraClient client;
  private final Dataset dataset;
  private final Options options;
  private final RequestSink sink;
  private final RequestListener listener;
  private final Sizes sizes;
  private final StopSignal stop = new StopSignal();

  /** For all requests but the ingests, whose drivers have their own. */
  private final CircuitBreaker circuitBreaker;

  private final TimedOperations operations;
  private volatile IngestDriver growing;

  /**
   * @param upTo maximum size in objects
   * @param repetitions timings of each operation at each size
   * @param workers workers of the ingests
   * @param triples true if there is a triplestore
   */
  public record Options(
      long upTo, int repetitions, int workers, RetryPolicy retry, boolean triples) {
    public Options {
      Objects.requireNonNull(retry, "retry");
      if (upTo < FIRST_SIZE) {
        throw new IllegalArgumentException(
            "a scale study goes up to " + FIRST_SIZE + " objects or more, not to " + upTo);
      }
      if (repetitions < 1 || repetitions > MAX_REPETITIONS) {
        throw new IllegalArgumentException(
            "an operation is timed 1 to " + MAX_REPETITIONS + " times, not " + repetitions);
      }
    }
  }

  /** Listener for the progress of the study, called on its thread. */
  public interface Sizes {
    /** Reports that the collection grows to a size. */
    void growing(long objects, IngestDriver driver);

    /** Reports that operations are timed at a size. */
    void timing(long objects);
  }

  /**
   * @param client client with a connection for each worker and one more
   * @param sink gets every request; {@link #run} finishes it
   */
  public ScaleStudy(
      FedoraClient client,
      Dataset dataset,
      Options options,
      RequestSink sink,
      RequestListener listener,
      Sizes sizes) {
    this.client = Objects.requireNonNull(client, "client");
    this.dataset = Objects.requireNonNull(dataset, "dataset");
    this.options = Objects.requireNonNull(options, "options");
    this.sink = Objects.requireNonNull(sink, "sink");
    this.listener = Objects.requireNonNull(listener, "listener");
    this.sizes = Objects.requireNonNull(sizes, "sizes");
    this.circuitBreaker =
        new CircuitBreaker(client, options.retry().outageLimit(), stop, listener, Shard.WHOLE);
    this.operations =
        new TimedOperations(dataset, options, circuitBreaker, stop, sink, listener, sizes);
    dataset.requireObjects(0, largestSize(options.upTo()));
  }

  /** Returns the largest size within the bound. */
  public static long largestSize(long upTo) {
    long objects = FIRST_SIZE;
    while (objects <= upTo / 2) {
      objects *= 2;
    }
    return objects;
  }

  /** Requests the end of the study; measurements are kept. */
  public void stop() {
    stop.raise();
    IngestDriver driver = growing;
    if (driver != null) {
      driver.stop();
    }
  }

  /**
   * @throws IOException if Fedora cannot be reached at all: nothing was sent
   */
  public ScaleStudyResult run() throws IOException {
    List<ScaleStudyResult.Size> measured = new ArrayList<>();
    IngestResult all = null;
    RunStop ended = null;
    try {
      for (long objects = FIRST_SIZE; objects <= largestSize(options.upTo()); objects *= 2) {
        long from = objects == FIRST_SIZE ? 0 : objects / 2;
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
          circuitBreaker.login(session);
          measured.add(
              operations.measure(session, objects, ScaleStudyResult.Timing.of(ingests, 0)));
        }
        if (operations.changes(objects)) {
          long first = operations.firstChanged(objects);
          IngestResult again = grow(objects, first, objects - first, 1, null);
          all = again.after(all).with(countedTwice(objects), List.of(), again.endNanos());
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
      ended = RunStop.because(Messages.of(e), e); // hours of measurements are kept
    }
    try {
      sink.finish();
    } catch (IOException e) {
      ended = ended == null ? RunStop.notRecorded(e) : ended;
    }
    IngestResult result = withOperations(all);
    return new ScaleStudyResult(measured, ended == null ? result : result.ended(ended));
  }

  /**
   * Ingests objects. Waits for Fedora first, since a driver fails if Fedora is away at its start.
   *
   * @param timed receives service times, or null
   */
  private IngestResult grow(long size, long first, long count, int workers, List<Long> timed)
      throws IOException, RunStop {
    if (first > 0) {
      try (FedoraSession session = client.newSession()) {
        circuitBreaker.login(session);
      }
    }
    IngestOptions grow =
        IngestOptions.of(count, workers)
            .startingAt(first)
            .withRetry(options.retry())
            .withTriples(options.triples(), Duration.ZERO);
    RequestSink timing =
        sink.withoutFinish(
            event -> {
              if (timed != null && event.outcome() == RequestEvent.Outcome.INGESTED) {
                timed.add(event.durationNanos());
              }
            });
    IngestDriver driver = new IngestDriver(client, dataset, grow, timing, listener);
    growing = driver;
    if (stop.raised()) {
      driver.stop();
    }
    sizes.growing(size, driver);
    return driver.run();
  }

  private IngestResult withOperations(IngestResult all) {
    Counts requests =
        Counts.NONE
            .plus(Count.SENT, operations.sent())
            .plus(Count.FAILED_REQUESTS, operations.failed());
    return all.with(requests, circuitBreaker.outages(), System.nanoTime());
  }

  /**
   * Returns negative counts of the objects that were purged and ingested again, which already
   * count.
   */
  private Counts countedTwice(long objects) {
    Counts twice = Counts.NONE;
    for (RepositoryObject object : operations.changed(objects)) {
      twice =
          twice
              .plus(Count.REQUESTED, -1)
              .plus(Count.INGESTED, -1)
              .plus(Count.CONTENT_BYTES, -object.contentBytes())
              .plus(Count.EXPECTED_TRIPLES, -object.triples());
    }
    return twice;
  }
}
