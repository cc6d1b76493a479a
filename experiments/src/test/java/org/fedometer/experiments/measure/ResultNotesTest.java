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
import org.fedometer.experiments.job.HeardNotes;
import org.fedometer.experiments.load.EarlierLoad;
import org.fedometer.experiments.load.LoadHistory;
import org.fedometer.experiments.record.RunDocumentWriter;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.junit.jupiter.api.Test;

/** What the run's document says of a load, and what whoever goes on with it is told. */
class ResultNotesTest {
  private final HeardNotes heard = new HeardNotes();
  private final KeptLoad kept = new KeptLoad();
  private final RunDocumentWriter document =
      new RunDocumentWriter(
          null,
          "night",
          RunDocument.builder("night", RunState.RUNNING.id()),
          JobClock.begins(),
          Shard.WHOLE,
          100,
          Map.of());
  private final ResultNotes notes = new ResultNotes(document, heard, kept, true);
  private final DraftResult result = new DraftResult();

  @Test
  void theFirstDriversLoadIsFromItsFirstObjectToItsLast() {
    notes.countedBefore(new Verifier.Before(3, 50));
    result.startNanos = 10;
    result.endNanos = 20;
    result.count(Count.SENT, 100);
    result.count(Count.INGESTED, 100);
    result.count(Count.EXPECTED_TRIPLES, 700);

    notes.checked(20, 24);
    notes.loaded(result.result());
    notes.drained(25, 30);

    assertThat(written().phases())
        .containsExactlyInAnyOrder(
            new RunDocument.Phase(RunDocument.Phase.INGEST, 10, 20),
            new RunDocument.Phase(RunDocument.Phase.CHECK, 20, 25),
            new RunDocument.Phase(RunDocument.Phase.DRAIN, 25, 30));
    assertThat(written().triples()).isEqualTo(new RunDocument.TripleCounts(50L, 700L, null));
    assertThat(kept.words())
        .containsExactly("loaded from 10 to 20", "checked from 20, drained from 25 to 30");
  }

  @Test
  void aDriverThatHadNothingToLoadLeavesTheTimesOfTheOneBefore() {
    notes.goesOnWith(earlier(new EarlierLoad.Loaded(200, 200L, 210L, 220L)));
    result.startNanos = 900;
    result.endNanos = 901;

    notes.loaded(result.result());
    notes.drained(902, 903);

    assertThat(written().phases())
        .containsExactlyInAnyOrder(
            new RunDocument.Phase(RunDocument.Phase.INGEST, 100, 200),
            new RunDocument.Phase(RunDocument.Phase.CHECK, 200, 210),
            new RunDocument.Phase(RunDocument.Phase.DRAIN, 210, 220));
    assertThat(kept.words()).containsExactly("nothing sent");
  }

  @Test
  void aDriverThatGoesOnAndLoadsEndsTheLoadThatAnEarlierOneBegan() {
    notes.goesOnWith(earlier(null));
    result.startNanos = 900;
    result.endNanos = 950;
    result.count(Count.SENT, 1);
    result.interruptions =
        new IngestResult.Interruptions(List.of(), List.of(new Pause(910, 920)), List.of());

    notes.loaded(result.result());
    notes.drained(960, 970);

    assertThat(written().phases())
        .containsExactlyInAnyOrder(
            new RunDocument.Phase(RunDocument.Phase.INGEST, 100, 950),
            new RunDocument.Phase(RunDocument.Phase.DRAIN, 960, 970));
    assertThat(kept.words())
        .containsExactly(
            "loaded from 900 to 950",
            "1 pauses, 0 changes",
            "checked from null, drained from 960 to 970");
  }

  @Test
  void whatCannotBeKeptIsToldAndInTheRunsDocumentAllTheSame() {
    kept.fill();
    notes.countedBefore(new Verifier.Before(0, 0));
    result.count(Count.INGESTED, 7);

    notes.loaded(result.result());

    assertThat(heard.notes())
        .containsExactly("The load could not be put on record: No space left on device");
    assertThat(written().objects().ingested()).isEqualTo(7);
  }

  @Test
  void outagesOfProcessesAreAmongTheRuns() {
    RunDocument.Outage ended = new RunDocument.Outage("database", 12, 15, "It had ended.");
    notes.countedBefore(new Verifier.Before(0, 0));
    notes.processOutagesFrom(() -> List.of(ended));

    notes.loaded(result.result());

    assertThat(written().outages()).containsExactly(ended);
  }

  @Test
  void aVerificationCountsWhatTheLoadHasBroughtAndSaysWhatDoesNotHold() {
    notes.countedBefore(new Verifier.Before(3, 50));
    result.count(Count.INGESTED, 100);

    notes.loaded(result.result());
    notes.verified(
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
    assertThat(heard.notes()).containsExactly("Worth knowing.");
  }

  @Test
  void nothingIsSaidOfTriplesWhereThereIsNoTriplestore() {
    ResultNotes withoutTriples = new ResultNotes(document, heard, kept, false);

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
