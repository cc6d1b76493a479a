package org.fedometer.collector.segmentlog;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Releases runs that are to be moved, archived or deleted, once they are sealed. For the segment
 * log's thread.
 */
final class ReleaseQueue {
  private final Runs runs;
  private final Committer committer;
  private final SealScheduler sealScheduler;
  private final List<Request> requests = new ArrayList<>();

  /**
   * @param action called after the release, before any source can reopen the run
   * @param released receives the result; once completed, the request is ignored
   */
  record Request(String runName, Runnable action, CompletableFuture<Boolean> released) {}

  ReleaseQueue(Runs runs, Committer committer, SealScheduler sealScheduler) {
    this.runs = runs;
    this.committer = committer;
    this.sealScheduler = sealScheduler;
  }

  void add(Request request) {
    requests.add(request);
  }

  /** Completes requests that are ready; while stopping, no further run is released. */
  void completeReady(boolean stopping) {
    requests.removeIf(request -> tryComplete(request, stopping));
  }

  void rejectAll() {
    requests.forEach(request -> request.released().complete(false));
  }

  /** Returns false while the run is being sealed or files are being merged. */
  private boolean tryComplete(Request request, boolean stopping) {
    if (request.released().isDone()) {
      return true;
    }
    RunSegmentLog run = runs.openOrNull(request.runName());
    if (run != null) {
      if (stopping || !run.idleFor(0) || !run.notice().isEmpty()) {
        request.released().complete(false);
        return true;
      }
      if (run.hasUnsealedFrames() && !committer.rotateAndSeal(run)) {
        request.released().complete(false);
        return true;
      }
      if (!run.unsealed().isEmpty()) {
        return false;
      }
    }
    return sealScheduler.runUnlessMerging(() -> release(run, request));
  }

  private void release(RunSegmentLog run, Request request) {
    if (run != null) {
      forget(run);
    }
    try {
      request.action().run();
      request.released().complete(true);
    } catch (RuntimeException e) {
      request.released().completeExceptionally(e);
    }
  }

  /** Closes a run without remaining work. */
  void forget(RunSegmentLog run) {
    committer.forget(run);
    runs.forget(run);
  }
}
