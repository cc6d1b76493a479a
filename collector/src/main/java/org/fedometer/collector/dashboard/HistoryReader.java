package org.fedometer.collector.dashboard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.fedometer.collector.threads.DaemonThreads;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.QueryLimits;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.disk.PrivateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads boards from the store, one at a time on a dedicated thread, within limits of memory and
 * time. Caches the latest. Any thread.
 */
final class HistoryReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryReader.class);
  private static final long MAX_MEMORY_BYTES = 256L << 20;
  private static final long MAX_SPILL_BYTES = 1L << 30;
  private static final int MAX_QUEUED_READS = 16;
  private static final int MAX_CACHED = 8;
  private static final long TIMEOUT_NANOS = Duration.ofSeconds(60).toNanos();

  private final Path spill;
  private final QueryLimits limits;
  private final Clock clock;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_QUEUED_READS),
          DaemonThreads.daemons("fedometer-dashboard-history"));

  /** In order of last use, newest last. On the reader's thread. */
  private final Map<String, CachedJson> cache =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CachedJson> eldest) {
          return size() > MAX_CACHED;
        }
      };

  private final Object queryLock = new Object();
  private Query query;
  private long sinceNanos;
  private boolean closed;

  private record CachedJson(State state, long atNanos, byte[] json) {}

  /**
   * Key of a cached board: a run may be reopened or archived while its document stays unchanged.
   *
   * @param sealed when the newest file of rollups appeared, or null
   */
  private record State(RunEntry.Stamp stamp, boolean open, FileTime sealed) {}

  interface Tables {
    Query query(QueryLimits limits) throws IOException, QueryException;
  }

  /**
   * Creates a reader; the caller holds the store's lock.
   *
   * @param store gets a spill folder, since the folder for temporary files is often in memory
   */
  HistoryReader(Path store, Clock clock) throws IOException {
    this.spill = store.resolve("dashboard.tmp");
    this.limits = new QueryLimits(MAX_MEMORY_BYTES, 1, spill, MAX_SPILL_BYTES);
    this.clock = clock;
    RunDeletion.delete(spill);
    PrivateFiles.createFolder(spill);
  }

  /**
   * Returns a future that fails with a {@link RejectedExecutionException} if too many reads wait.
   */
  CompletableFuture<RunBoard> read(RunEntry run, Tables tables) {
    return later(() -> readNow(run, tables));
  }

  /**
   * Returns a run's board as JSON, from the cache if that is recent enough.
   *
   * @param fresh maximum age of the result
   */
  CompletableFuture<byte[]> json(
      RunEntry run, boolean open, Duration fresh, Function<RunBoard, byte[]> writer) {
    return later(
        () -> {
          State state = new State(run.stamp(), open, sealed(run.run()));
          CachedJson last = cache.get(run.run().name());
          if (last != null
              && last.state().equals(state)
              && System.nanoTime() - last.atNanos() < fresh.toNanos()) {
            return last.json();
          }
          byte[] json = writer.apply(readNow(run, run.run()::query));
          cache.put(run.run().name(), new CachedJson(state, System.nanoTime(), json));
          return json;
        });
  }

  private static FileTime sealed(RunFolder run) {
    try {
      return Files.getLastModifiedTime(run.tableDirectory(Table.ROLLUPS));
    } catch (IOException e) {
      return null;
    }
  }

  private interface Work<T> {
    T run() throws IOException, QueryException;
  }

  private <T> CompletableFuture<T> later(Work<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      thread.execute(
          () -> {
            try {
              result.complete(work.run());
            } catch (Exception | Error e) {
              result.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  private RunBoard readNow(RunEntry run, Tables tables) throws IOException, QueryException {
    try (Query opened = tables.query(limits)) {
      begin(opened);
      return History.read(opened, run.document(), clock);
    } finally {
      begin(null);
    }
  }

  private void begin(Query opened) throws QueryException {
    synchronized (queryLock) {
      query = opened;
      sinceNanos = System.nanoTime();
      if (opened != null && closed) {
        throw new QueryException("The collector is stopping", null);
      }
    }
  }

  /** Cancels a query that exceeds its timeout; call periodically. */
  void cancelTimedOut() {
    synchronized (queryLock) {
      if (query != null && (closed || System.nanoTime() - sinceNanos >= TIMEOUT_NANOS)) {
        query.cancel();
      }
    }
  }

  @Override
  public void close() {
    synchronized (queryLock) {
      closed = true;
    }
    thread.shutdownNow();
    try {
      for (int i = 0; i < 100 && !thread.awaitTermination(100, TimeUnit.MILLISECONDS); i++) {
        cancelTimedOut();
      }
      RunDeletion.delete(spill);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("Cannot delete {}: {}", spill, FailureText.of(e));
    }
  }
}
