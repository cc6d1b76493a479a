package org.fedometer.collector.segmentlog;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.threads.DaemonThreads;

/**
 * Commits runs in parallel, so that the disk can combine them. A single run is committed on the
 * calling thread. For the segment log's thread.
 */
final class ParallelCommits {
  private static final int THREADS = 8;
  private static final int IDLE_SECONDS = 30;

  private final ThreadPoolExecutor threads;

  ParallelCommits() {
    this(DaemonThreads.daemons("fedometer-sync"));
  }

  ParallelCommits(ThreadFactory factory) {
    threads =
        new ThreadPoolExecutor(
            THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    threads.allowCoreThreadTimeOut(true);
  }

  /** Waits for all; returns every failure by run. */
  Map<RunSegmentLog, Throwable> commit(List<RunSegmentLog> runs) throws InterruptedException {
    Map<RunSegmentLog, Throwable> failures = new LinkedHashMap<>();
    if (runs.size() == 1) {
      Throwable failure = failureOf(runs.get(0));
      if (failure != null) {
        failures.put(runs.get(0), failure);
      }
      return failures;
    }
    List<Future<Throwable>> commits = new ArrayList<>();
    for (RunSegmentLog run : runs) {
      commits.add(submit(run));
    }
    for (int i = 0; i < commits.size(); i++) {
      try {
        Throwable failure = commits.get(i).get();
        if (failure != null) {
          failures.put(runs.get(i), failure);
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("Cannot commit " + runs.get(i).folder(), e.getCause());
      }
    }
    return failures;
  }

  /** Submits a commit; runs it on this thread if the system provides no other. */
  private Future<Throwable> submit(RunSegmentLog run) {
    FutureTask<Throwable> commit = new FutureTask<>(() -> failureOf(run));
    try {
      threads.execute(commit);
    } catch (OutOfMemoryError e) {
      // It may be queued nevertheless, but runs once.
      commit.run();
    }
    return commit;
  }

  private static Throwable failureOf(RunSegmentLog run) {
    try {
      run.commit();
      return null;
    } catch (IOException | RuntimeException | Error e) {
      // Errors too: one run's lack of memory must not affect the others.
      return e;
    }
  }

  void close() {
    threads.shutdown();
  }
}
