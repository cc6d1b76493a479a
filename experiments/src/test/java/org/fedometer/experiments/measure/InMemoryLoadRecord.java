package org.fedometer.experiments.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.experiments.load.LoadRecord;
import org.fedometer.store.RunDocument;

/** Keeps in words what becomes of a load, until its disk is full; one thread. */
final class InMemoryLoadRecord implements LoadRecord {
  private final List<String> entries = new ArrayList<>();
  private boolean full;

  List<String> entries() {
    return List.copyOf(entries);
  }

  /** From here on nothing can be kept. */
  void failWrites() {
    full = true;
  }

  private void add(String what) throws IOException {
    if (full) {
      throw new IOException("No space left on device");
    }
    entries.add(what);
  }

  @Override
  public void recordOutage(RunDocument.Outage over) throws IOException {
    add(over.who() + " was away from " + over.startNanos() + " to " + over.endNanos());
  }

  @Override
  public void changed(List<RunDocument.Pause> pauses, List<RunDocument.LoadChange> changes)
      throws IOException {
    add(pauses.size() + " pauses, " + changes.size() + " changes");
  }

  @Override
  public void checking() throws IOException {
    add("checking");
  }

  @Override
  public void loaded(long startNanos, long endNanos) throws IOException {
    add("loaded from " + startNanos + " to " + endNanos);
  }

  @Override
  public void nothingSent() throws IOException {
    add("nothing sent");
  }

  @Override
  public void drained(Long checkStartNanos, long startNanos, long endNanos) throws IOException {
    add("checked from " + checkStartNanos + ", drained from " + startNanos + " to " + endNanos);
  }
}
