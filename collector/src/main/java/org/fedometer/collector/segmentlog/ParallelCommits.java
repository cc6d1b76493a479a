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
 * Commits runs side by side, so that the disk can put many of them down with one movement. One run
 * alone is committed on the calling thread, without a detour. For the journal's thread.
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

  /** Waits for all of them; gives those that failed, in whatever way. */
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

  /** Where the system gives no thread for it, this one has to do. */
  private Future<Throwable> submit(RunSegmentLog run) {
    FutureTask<Throwable> commit = new FutureTask<>(() -> failureOf(run));
    try {
      threads.execute(commit);
    } catch (OutOfMemoryError e) {
      // It may be in the queue all the same, but runs once.
      commit.run();
    }
    return commit;
  }

  private static Throwable failureOf(RunSegmentLog run) {
    try {
      run.commit();
      return null;
    } catch (IOException | RuntimeException | Error e) {
      // An error too: memory that one run needs and cannot have is no trouble of the others.
      return e;
    }
  }

  void close() {
    threads.shutdown();
  }
}
