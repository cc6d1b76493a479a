package org.fedometer.collector.query;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.fedometer.collector.log.FailureTracker;
import org.fedometer.collector.segmentlog.ReopenWatch;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.collector.threads.DaemonThreads;
import org.fedometer.store.JsonFault;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.query.QueryException;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.disk.PrivateFiles;
import org.fedometer.wire.session.QueryRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes readers' queries on dedicated threads, a few concurrently, with limits of memory and
 * time. Statements run in separate processes, kept for a minute. Network threads submit; any thread
 * starts and closes it.
 */
public final class QueryService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueryService.class);
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MAX_QUEUED_QUERIES = 200;
  private static final int PIECE_BYTES = 64 * 1024;

  /** The reader then requests the next part; other queries run in between. */
  private static final long FILE_PART_BYTES = 32L << 20;

  private static final long TICK_MILLIS = 500;
  private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long CLOSE_TIMEOUT_SECONDS = 60;

  /** A report sends many consecutive queries. */
  private static final long IDLE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final RunStore store;
  private final SegmentLog segmentLog;
  private final QueryServiceLimits limits;
  private final Path spill;
  private final ThreadPoolExecutor workers;
  private final ScheduledExecutorService clock =
      Executors.newScheduledThreadPool(2, DaemonThreads.daemons("fedometer-query-clock"));
  private final Deque<QueryProcess> idle = new ConcurrentLinkedDeque<>();
  private final Set<PendingQuery> pending = ConcurrentHashMap.newKeySet();

  private final FailureTracker tickFailures = new FailureTracker();

  private QueryService(RunStore store, SegmentLog segmentLog, QueryServiceLimits limits) {
    this.store = store;
    this.segmentLog = segmentLog;
    this.limits = limits;
    this.spill = store.directory().resolve("queries.tmp");
    this.workers =
        new ThreadPoolExecutor(
            limits.maxConcurrent(),
            limits.maxConcurrent(),
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_QUEUED_QUERIES),
            DaemonThreads.daemons("fedometer-query"));
  }

  /**
   * Starts the service; the caller holds the store's lock, and the segment log writes that store.
   */
  public static QueryService start(RunStore store, SegmentLog segmentLog) throws IOException {
    return start(store, segmentLog, QueryServiceLimits.defaults());
  }

  static QueryService start(RunStore store, SegmentLog segmentLog, QueryServiceLimits limits)
      throws IOException {
    QueryService queryService = new QueryService(store, segmentLog, limits);
    RunDeletion.delete(queryService.spill);
    PrivateFiles.createFolder(queryService.spill);
    queryService.clock.scheduleWithFixedDelay(
        queryService::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    // Separately scheduled, since closing a process may block.
    queryService.clock.scheduleWithFixedDelay(
        () -> queryService.closeIdle(IDLE_LIMIT_NANOS),
        TICK_MILLIS,
        TICK_MILLIS,
        TimeUnit.MILLISECONDS);
    return queryService;
  }

  private void tick() {
    long stallNanos =
        workers.getQueue().isEmpty() ? Long.MAX_VALUE : limits.stallTimeout().toNanos();
    boolean failed = false;
    for (PendingQuery query : pending) {
      try {
        query.tick(KEEP_ALIVE_NANOS, stallNanos);
      } catch (RuntimeException | Error e) {
        // It would end the schedule, and with it all time limits.
        failed = true;
        if (tickFailures.recordFailure(FailureText.of(e), System.nanoTime())) {
          LOG.error("The time limit of a query of {} cannot be enforced", query.peer(), e);
        }
      }
    }
    if (!failed) {
      tickFailures.recordSuccess();
    }
  }

  private void closeIdle(long afterNanos) {
    try {
      for (QueryProcess process : idle) {
        if (process.idleNanos() >= afterNanos && idle.remove(process)) {
          process.close();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // It would end the schedule, and idle processes would stay forever.
      LOG.error("A query process cannot be stopped", e);
    }
  }

  public PendingQuery submit(ReaderConnection reader, QueryRequest request) {
    PendingQuery query = new PendingQuery(reader, request);
    pending.add(query);
    try {
      workers.execute(() -> execute(query));
    } catch (RejectedExecutionException e) {
      pending.remove(query);
      query.fail("The collector has too many queries waiting; try again later");
    } catch (OutOfMemoryError e) {
      // No thread: the pool has dropped the query, which would never be answered.
      pending.remove(query);
      query.fail("The collector has no memory or thread for the query (" + e.getMessage() + ")");
    }
    return query;
  }

  /** Cancels running queries and waits for them. */
  @Override
  public void close() {
    workers.shutdownNow();
    try {
      for (int i = 0; i < CLOSE_TIMEOUT_SECONDS && !workers.isTerminated(); i++) {
        pending.forEach(PendingQuery::disconnect);
        workers.awaitTermination(1, TimeUnit.SECONDS);
      }
      clock.shutdown();
      clock.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
      closeIdle(0);
      RunDeletion.delete(spill);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("Cannot delete {}: {}", spill, FailureText.of(e));
    }
    clock.shutdownNow();
  }

  private void execute(PendingQuery query) {
    try {
      if (query.start(limits.timeLimit().toNanos())) {
        execute(query, parse(query.text()));
        query.complete();
      }
    } catch (QueryException | NoSuchRunException | IOException e) {
      query.fail(
          query.expiryReason() != null ? query.expiryReason() : String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      query.fail("The collector is stopping");
    } catch (RuntimeException | Error e) {
      // Errors too, for example if DuckDB's library cannot be loaded.
      LOG.error("A query of {} failed: {}", query.peer(), query.text(), e);
      query.fail("The collector failed to run the query: " + FailureText.of(e));
    } finally {
      pending.remove(query);
    }
  }

  private static JsonNode parse(String text) throws QueryException {
    try {
      JsonNode json = JSON.readTree(text);
      if (json != null && json.isObject()) {
        return json;
      }
    } catch (JacksonException e) {
      throw new QueryException("The query cannot be read: " + JsonFault.of(e), e);
    }
    throw new QueryException("The query is not a JSON object");
  }

  private void execute(PendingQuery query, JsonNode request)
      throws QueryException, NoSuchRunException, IOException, InterruptedException {
    String kind = request.path("request").asText();
    switch (kind) {
      case "runs" -> send(query, JSON.writeValueAsBytes(store.summaries()));
      case "query" -> query(query, request);
      case "files" -> send(query, JSON.writeValueAsBytes(run(request).files()));
      case "file" -> file(query, run(request), request);
      case "release" -> release(query, run(request), () -> {});
      case "remove" -> remove(query, run(request), request.path("fingerprint").asText());
      default ->
          throw new QueryException(
              "The collector does not know the request \"%s\"; it knows runs, query, files, file,"
                      .formatted(kind)
                  + " release, remove");
    }
  }

  private RunFolder run(JsonNode request) throws NoSuchRunException, IOException {
    return store.named(request.path("run").asText());
  }

  private void query(PendingQuery query, JsonNode request)
      throws QueryException, IOException, InterruptedException {
    String line = JSON.writeValueAsString(request);
    QueryProcess idleProcess = pollIdle();
    if (idleProcess != null) {
      try {
        execute(query, idleProcess, line);
        return;
      } catch (IOException e) {
        LOG.info("The query is retried in another process: {}", e.getMessage());
      }
    }
    execute(query, QueryProcess.start(store.directory(), spill, limits), line);
  }

  /** Returns null if no live process is idle. */
  private QueryProcess pollIdle() throws InterruptedException {
    QueryProcess process = idle.pollFirst();
    while (process != null && !process.isAlive()) {
      process.close();
      process = idle.pollFirst();
    }
    return process;
  }

  private void execute(PendingQuery query, QueryProcess process, String line)
      throws QueryException, IOException, InterruptedException {
    boolean reusable = false;
    query.onCancel(process::kill);
    try {
      if (!query.isAbandoned()) {
        process.execute(line, query::send);
        reusable = true;
      }
    } finally {
      query.onCancel(() -> {});
      // The cancellation is recorded before the kill.
      if (reusable && !query.isAbandoned()) {
        idle.addFirst(process);
      } else {
        process.close();
      }
    }
  }

  private static void file(PendingQuery query, RunFolder run, JsonNode request)
      throws QueryException, IOException, InterruptedException {
    long position = request.path("offset").asLong();
    String path = request.path("path").asText();
    Path file = run.readable(path);
    if (position < 0 || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new QueryException("The run " + run.name() + " has no file " + path);
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long end = Math.min(channel.size(), position + FILE_PART_BYTES);
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      while (position < end) {
        piece.clear().limit((int) Math.min(PIECE_BYTES, end - position));
        int count = channel.read(piece, position);
        if (count < 0) {
          break;
        }
        position += count;
        send(query, Arrays.copyOf(piece.array(), count));
      }
    }
  }

  private void remove(PendingQuery query, RunFolder run, String fingerprint)
      throws QueryException, IOException, InterruptedException {
    Path hidden =
        fingerprint.isEmpty()
            ? hide(query, run, () -> true)
            : hideAsArchived(query, run, fingerprint);
    LOG.info("Run {} is deleted on request of {}", run.name(), query.peer());
    RunDeletion.delete(hidden);
  }

  /**
   * Hides an archived run. Checks the folder on this thread, since the segment log's thread must
   * not block sources.
   */
  private Path hideAsArchived(PendingQuery query, RunFolder run, String fingerprint)
      throws QueryException, IOException, InterruptedException {
    release(query, run, () -> {});
    try (ReopenWatch watch = segmentLog.watchReopening(run.name())) {
      RunDeletion.requireUnchanged(run, fingerprint);
      Path hidden = hide(query, run, watch::isUnopened);
      if (hidden == null) {
        throw RunDeletion.changedException(run);
      }
      return hidden;
    }
  }

  /** Returns null if not allowed, which is checked while no source can open the run. */
  private Path hide(PendingQuery query, RunFolder run, BooleanSupplier allowed)
      throws QueryException, IOException, InterruptedException {
    AtomicReference<Path> hidden = new AtomicReference<>();
    release(
        query,
        run,
        () -> {
          try {
            if (allowed.getAsBoolean()) {
              hidden.set(RunDeletion.hide(run));
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return hidden.get();
  }

  private void release(PendingQuery query, RunFolder run, Runnable action)
      throws QueryException, IOException, InterruptedException {
    CompletableFuture<Boolean> released = segmentLog.releaseAsync(run.name(), action);
    try {
      while (!query.isAbandoned()) {
        try {
          if (released.get(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
            return;
          }
          throw new QueryException(
              "The run "
                  + run.name()
                  + " is in progress: a sender is connected, or its segments cannot"
                  + " be sealed (see the collector's log)");
        } catch (TimeoutException e) {
          // The rest is still being sealed.
        }
      }
      throw new QueryException("the query was abandoned");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UncheckedIOException failed) {
        throw failed.getCause();
      }
      throw new IOException("The run " + run.name() + ": " + e.getCause().getMessage(), e);
    } finally {
      released.cancel(false);
    }
  }

  private static void send(PendingQuery query, byte[] content)
      throws QueryException, InterruptedException {
    for (int at = 0; at < content.length; at += PIECE_BYTES) {
      query.send(Arrays.copyOfRange(content, at, Math.min(content.length, at + PIECE_BYTES)));
    }
  }
}
