package org.fedometer.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.fedometer.driver.DraftResult;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.request.Pause;
import org.fedometer.driver.request.Shard;
import org.fedometer.driver.verify.Verification;
import org.fedometer.driver.verify.Verifier;
import org.fedometer.experiments.host.JobClock;
import org.fedometer.experiments.job.RecordingListener;
import org.fedometer.experiments.load.EarlierLoad;
import org.fedometer.experiments.load.LoadHistory;
import org.fedometer.experiments.record.RunDocumentWriter;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.junit.jupiter.api.Test;

/** The run's document of a load, and its record for a resume. */
class ResultRecorderTest {
  private final RecordingListener listener = new RecordingListener();
  private final InMemoryLoadRecord loadRecord = new InMemoryLoadRecord();
  private final RunDocumentWriter document =
      new RunDocumentWriter(
          null,
          "night",
          RunDocument.builder("night", RunState.RUNNING.id()),
          JobClock.begins(),
          Shard.WHOLE,
          100,
          Map.of());
  private final ResultRecorder recorder = new ResultRecorder(document, listener, loadRecord, true);
  private final DraftResult result = new DraftResult();

  @Test
  void theFirstDriversLoadIsFromItsFirstObjectToItsLast() {
    recorder.countedBefore(new Verifier.Before(3, 50));
    result.startNanos = 10;
    result.endNanos = 20;
    result.count(Count.SENT, 100);
    result.count(Count.INGESTED, 100);
    result.count(Count.EXPECTED_TRIPLES, 700);

    recorder.checked(20, 24);
    recorder.loaded(result.result());
    recorder.drained(25, 30);

    assertThat(written().phases())
        .containsExactlyInAnyOrder(
            new RunDocument.Phase(RunDocument.Phase.INGEST, 10, 20),
            new RunDocument.Phase(RunDocument.Phase.CHECK, 20, 25),
            new RunDocument.Phase(RunDocument.Phase.DRAIN, 25, 30));
    assertThat(written().triples()).isEqualTo(new RunDocument.TripleCounts(50L, 700L, null));
    assertThat(loadRecord.entries())
        .containsExactly("loaded from 10 to 20", "checked from 20, drained from 25 to 30");
  }

  @Test
  void aDriverThatHadNothingToLoadLeavesTheTimesOfTheOneBefore() {
    recorder.resume(earlier(new EarlierLoad.Loaded(200, 200L, 210L, 220L)));
    result.startNanos = 900;
    result.endNanos = 901;

    recorder.loaded(result.result());
    recorder.drained(902, 903);

    assertThat(written().phases())
        .containsExactlyInAnyOrder(
            new RunDocument.Phase(RunDocument.Phase.INGEST, 100, 200),
            new RunDocument.Phase(RunDocument.Phase.CHECK, 200, 210),
            new RunDocument.Phase(RunDocument.Phase.DRAIN, 210, 220));
    assertThat(loadRecord.entries()).containsExactly("nothing sent");
  }

  @Test
  void aDriverThatGoesOnAndLoadsEndsTheLoadThatAnEarlierOneBegan() {
    recorder.resume(earlier(null));
    result.startNanos = 900;
    result.endNanos = 950;
    result.count(Count.SENT, 1);
    result.interruptions =
        new IngestResult.Interruptions(List.of(), List.of(new Pause(910, 920)), List.of());

    recorder.loaded(result.result());
    recorder.drained(960, 970);

    assertThat(written().phases())
        .containsExactlyInAnyOrder(
            new RunDocument.Phase(RunDocument.Phase.INGEST, 100, 950),
            new RunDocument.Phase(RunDocument.Phase.DRAIN, 960, 970));
    assertThat(loadRecord.entries())
        .containsExactly(
            "loaded from 900 to 950",
            "1 pauses, 0 changes",
            "checked from null, drained from 960 to 970");
  }

  @Test
  void reportsARecordFailureAndKeepsTheDocument() {
    loadRecord.failWrites();
    recorder.countedBefore(new Verifier.Before(0, 0));
    result.count(Count.INGESTED, 7);

    recorder.loaded(result.result());

    assertThat(listener.notes())
        .containsExactly("The load could not be recorded: No space left on device");
    assertThat(written().objects().ingested()).isEqualTo(7);
  }

  @Test
  void outagesOfProcessesAreAmongTheRuns() {
    RunDocument.Outage ended = new RunDocument.Outage("database", 12, 15, "It had ended.");
    recorder.countedBefore(new Verifier.Before(0, 0));
    recorder.processOutagesFrom(() -> List.of(ended));

    recorder.loaded(result.result());

    assertThat(written().outages()).containsExactly(ended);
  }

  @Test
  void recordsCountsAndProblemsOfAVerification() {
    recorder.countedBefore(new Verifier.Before(3, 50));
    result.count(Count.INGESTED, 100);

    recorder.loaded(result.result());
    recorder.verified(
        700,
        new Verification(
            103, 102L, 750, 749L, 5, 4, 1_000, List.of(), List.of("Worth knowing."), 1),
        List.of("One is missing."));

    assertThat(written().objects())
        .isEqualTo(new RunDocument.ObjectCounts(100, 100, 0, 99L, 4, 0, 0));
    assertThat(written().triples()).isEqualTo(new RunDocument.TripleCounts(50L, 700L, 699L));
    assertThat(written().verification())
        .isEqualTo(new RunDocument.Verification(false, 5, 1_000, List.of("One is missing.")));
    assertThat(written().notes()).containsExactly("Worth knowing.");
    assertThat(listener.notes()).containsExactly("Worth knowing.");
  }

  @Test
  void recordsNoTriplesWithoutATriplestore() {
    ResultRecorder withoutTriples = new ResultRecorder(document, listener, loadRecord, false);

    withoutTriples.countedBefore(new Verifier.Before(3, 0));

    assertThat(written().triples()).isNull();
  }

  private RunDocument written() {
    return document.document(RunState.DONE, null);
  }

  private static EarlierLoad earlier(EarlierLoad.Loaded loaded) {
    return new EarlierLoad(
        new Verifier.Before(3, 50),
        100,
        new LoadHistory(List.of(), List.of(), List.of()),
        new RunDocument.Outage(RunDocument.Outage.DRIVER, 300, 350, "The driver had ended."),
        loaded);
  }
}
