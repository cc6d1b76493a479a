package org.fedometer.experiments.job;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records a job's notes; thread-safe. */
public final class RecordingListener implements JobListener {
  private final List<String> notes = new CopyOnWriteArrayList<>();

  public List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void started(Step step) {}

  @Override
  public void progress(Step step, double fraction, String text) {}

  @Override
  public void finished(Step step, String summary, Duration took) {}

  @Override
  public void note(String text) {
    notes.add(text);
  }
}
