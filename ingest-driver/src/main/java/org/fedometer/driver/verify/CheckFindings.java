package org.fedometer.driver.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * Findings of a repository check, and its stop flag. Used by the conducting thread and its readers;
 * compound updates require the monitor.
 */
final class CheckFindings {

  private final RepositoryCheck.Listener listener;

  /** Confined to the conducting thread. */
  private final List<String> notes = new ArrayList<>();

  private long problems;
  private volatile boolean stopped;

  CheckFindings(RepositoryCheck.Listener listener) {
    this.listener = listener;
  }

  /** Ends the check; caught at its beginning. */
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

  /** Adds a remark that is no problem. */
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
