package org.fedometer.experiments.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.experiments.load.LoadRecord;
import org.fedometer.store.RunDocument;

/** Keeps in words what becomes of a load, until its disk is full; one thread. */
final class KeptLoad implements LoadRecord {
  private final List<String> words = new ArrayList<>();
  private boolean full;

  List<String> words() {
    return List.copyOf(words);
  }

  /** From here on nothing can be kept. */
  void fill() {
    full = true;
  }

  private void keep(String what) throws IOException {
    if (full) {
      throw new IOException("No space left on device");
    }
    words.add(what);
  }

  @Override
  public void note(RunDocument.Outage over) throws IOException {
    keep(over.who() + " was away from " + over.startNanos() + " to " + over.endNanos());
  }

  @Override
  public void changed(List<RunDocument.Pause> pauses, List<RunDocument.LoadChange> changes)
      throws IOException {
    keep(pauses.size() + " pauses, " + changes.size() + " changes");
  }

  @Override
  public void checking() throws IOException {
    keep("checking");
  }

  @Override
  public void loaded(long startNanos, long endNanos) throws IOException {
    keep("loaded from " + startNanos + " to " + endNanos);
  }

  @Override
  public void nothingSent() throws IOException {
    keep("nothing sent");
  }

  @Override
  public void drained(Long checkStartNanos, long startNanos, long endNanos) throws IOException {
    keep("checked from " + checkStartNanos + ", drained from " + startNanos + " to " + endNanos);
  }
}
