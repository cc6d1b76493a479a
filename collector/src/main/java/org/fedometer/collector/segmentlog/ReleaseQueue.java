package org.fedometer.collector.segmentlog;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Lets go of runs: of those that somebody wants to move, archive or delete, when what they hold is
 * sealed. For the journal's thread.
 */
final class ReleaseQueue {
  private final Runs runs;
  private final Committer committer;
  private final SealScheduler sealScheduler;
  private final List<Request> requests = new ArrayList<>();

  /**
   * @param action called when the run has been let go, and before any source can open it again
   * @param released gets the answer; nothing is done any more once it is done
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

  /** Answers those that can be answered by now; while stopping, no run is let go any more. */
  void completeReady(boolean stopping) {
    requests.removeIf(request -> tryComplete(request, stopping));
  }

  void rejectAll() {
    requests.forEach(request -> request.released().complete(false));
  }

  /** False while the run is being sealed, or files are being merged. */
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

  /** Puts a run away that has nothing left to do. */
  void forget(RunSegmentLog run) {
    committer.forget(run);
    runs.forget(run);
  }
}
