package org.fedometer.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.Outage;
import org.fedometer.driver.request.Pause;
import org.fedometer.experiments.job.RecordingListener;
import org.junit.jupiter.api.Test;

/** Notes and records during a load. */
class LoadEventsTest {
  private static final Outage OUTAGE = new Outage(10, 20, "Connection refused");

  private final RecordingListener notes = new RecordingListener();
  private final InMemoryLoadRecord loadRecord = new InMemoryLoadRecord();
  private final DurabilityCheck check = new DurabilityCheck();
  private final LoadEvents events = new LoadEvents(notes, loadRecord, check);

  @Test
  void reportsAnOutageAndRecordsItAtItsEnd() {
    events.onOutage("Connection refused");

    assertThat(loadRecord.entries()).isEmpty();

    events.onRecovery(OUTAGE);

    assertThat(loadRecord.entries()).containsExactly("fedora was away from 10 to 20");
    assertThat(notes.notes())
        .containsExactly(
            "Fedora is unreachable, waiting for it: Connection refused", "Fedora is back.");
  }

  @Test
  void recordsAnOpenOutageWithoutReportingRecovery() {
    events.onOutageAtEnd(OUTAGE);

    assertThat(loadRecord.entries()).containsExactly("fedora was away from 10 to 20");
    assertThat(notes.notes()).isEmpty();
  }

  @Test
  void reportsARecordFailureAndContinues() {
    loadRecord.failWrites();

    events.onRecovery(OUTAGE);
    events.onChange(List.of(new Pause(30, 40)), List.of(new LoadChange(35, 8, null)));
    events.onRecheck(1);

    assertThat(notes.notes())
        .containsExactly(
            "Fedora is back.",
            "The outage could not be recorded: No space left on device",
            "The change of the load could not be recorded: No space left on device",
            "The end of the load could not be recorded: No space left on device",
            "Checking that Fedora has kept 1 object with all triples ...");
  }

  @Test
  void reportsTheDurabilityCheckAndCountsEachObject() {
    events.onRecheck(1766);
    events.onRechecked();

    assertThat(notes.notes())
        .containsExactly("Checking that Fedora has kept 1,766 objects with all triples ...");
    assertThat(check.progress().line()).contains(": 1 of 1,766, ");
    assertThat(loadRecord.entries()).containsExactly("checking");
  }

  @Test
  void reportsReingestsAndRecordsTheLoadEndOnce() {
    events.onRecheck(9);
    events.onReingest(2);
    events.onRecheck(2);

    assertThat(notes.notes())
        .contains("Ingesting 2 of them again, which Fedora has lost at least in part ...");
    assertThat(loadRecord.entries()).containsExactly("checking");
  }
}
