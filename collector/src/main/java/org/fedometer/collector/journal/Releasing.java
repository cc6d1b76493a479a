package org.fedometer.collector.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Lets go of runs: of those that somebody wants to move, archive or delete, when what they hold is
 * sealed. For the journal's thread.
 */
final class Releasing {
  private final Runs runs;
  private final Committing committing;
  private final Sealing sealing;
  private final List<Request> requests = new ArrayList<>();

  /**
   * @param then called when the run has been let go, and before any source can open it again
   * @param released gets the answer; nothing is done any more once it is done
   */
  record Request(String runName, Runnable then, CompletableFuture<Boolean> released) {}

  Releasing(Runs runs, Committing committing, Sealing sealing) {
    this.runs = runs;
    this.committing = committing;
    this.sealing = sealing;
  }

  void take(Request request) {
    requests.add(request);
  }

  /** Answers those that can be answered by now; while stopping, no run is let go any more. */
  void answer(boolean stopping) {
    requests.removeIf(request -> answered(request, stopping));
  }

  void refuseAll() {
    requests.forEach(request -> request.released().complete(false));
  }

  /** False while the run is being sealed, or files are being merged. */
  private boolean answered(Request request, boolean stopping) {
    if (request.released().isDone()) {
      return true;
    }
    RunJournal run = runs.openOrNull(request.runName());
    if (run != null) {
      if (stopping || !run.idleFor(0) || !run.notice().isEmpty()) {
        request.released().complete(false);
        return true;
      }
      if (run.hasUnsealedFrames() && !committing.rotateAndSeal(run)) {
        request.released().complete(false);
        return true;
      }
      if (!run.unsealed().isEmpty()) {
        return false;
      }
    }
    return sealing.whileNothingIsMerged(() -> letGo(run, request));
  }

  private void letGo(RunJournal run, Request request) {
    if (run != null) {
      forget(run);
    }
    try {
      request.then().run();
      request.released().complete(true);
    } catch (RuntimeException e) {
      request.released().completeExceptionally(e);
    }
  }

  /** Puts a run away that has nothing left to do. */
  void forget(RunJournal run) {
    committing.forget(run);
    runs.forget(run);
  }
}
