package org.fedometer.driver.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * What a check of a repository has found so far, and whether it is to go on. Used by the thread
 * that conducts the check and by its readers; a reader that does more than one thing at once holds
 * the monitor meanwhile.
 */
final class CheckFindings {

  private final RepositoryCheck.Listener listener;

  /** The conductor's. */
  private final List<String> notes = new ArrayList<>();

  private long problems;
  private volatile boolean stopped;

  CheckFindings(RepositoryCheck.Listener listener) {
    this.listener = listener;
  }

  /** Ends what is being done; caught where it was begun. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  void stop() {
    stopped = true;
  }

  boolean stopped() {
    return stopped;
  }

  void requireNotStopped() {
    if (stopped) {
      throw new Stopped();
    }
  }

  synchronized void report(List<Problem> found) {
    problems += found.size();
    found.forEach(listener::onProblem);
  }

  void reportRepositoryProblem(String text) {
    report(List.of(new Problem(Problem.Kind.WHOLE, "", text)));
  }

  /** What is no problem and one should know. */
  void note(String text) {
    notes.add(text);
  }

  List<String> notes() {
    return notes;
  }

  synchronized long problems() {
    return problems;
  }

  synchronized void progress(String what, long done, long all) {
    listener.onProgress(what, done, all);
  }
}
