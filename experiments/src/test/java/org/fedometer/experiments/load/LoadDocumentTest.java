package org.fedometer.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.fedometer.driver.DraftResult;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.IngestResult.EndStatus;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.Failures;
import org.fedometer.driver.load.LoadStep;
import org.fedometer.driver.request.Latency;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.Outage;
import org.fedometer.driver.request.Pause;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.Test;

/** The run's document of a load. */
class LoadDocumentTest {
  private static final RunDocument.Outage ABSENCE =
      new RunDocument.Outage(RunDocument.Outage.DRIVER, 300, 350, "The driver had ended.");

  private final DraftResult result = new DraftResult();

  @Test
  void recordsNothingForALoadThatWentAsRequested() {
    assertThat(LoadDocument.load(result.result(), null)).isNull();
    assertThat(LoadDocument.statements(result.result())).isEmpty();
    assertThat(LoadDocument.outages(result.result(), null, List.of())).isEmpty();
  }

  @Test
  void stepsKeepTheirNumbersAndOmitEmptyPercentiles() {
    Latency none = new Latency(0, 0, 0, 0, 0);
    Latency some = new Latency(7, 50, 95, 99, 100);
    result.steps =
        List.of(
            new LoadStep(
                LoadStep.Outcome.WARM_UP, 4, 5.0, 0, 10, 1.5, 8, 1, 0, none, none, List.of()),
            new LoadStep(
                LoadStep.Outcome.CLEAN,
                4,
                10.0,
                10,
                20,
                1,
                9,
                0,
                0,
                some,
                some,
                List.of(new LoadStep.Kind(Operation.GET_OBJECT, 7, 2, some, none))),
            new LoadStep(
                LoadStep.Outcome.NOT_HELD, 4, 20.0, 20, 30, 1, 9, 0, 3, some, none, List.of()));

    RunDocument.Load load = LoadDocument.load(result.result(), null);

    RunDocument.Percentiles percentiles = new RunDocument.Percentiles(50, 95, 99, 100);
    assertThat(load)
        .isEqualTo(
            new RunDocument.Load(
                null,
                10.0,
                List.of(
                    new RunDocument.LoadStep("warm-up", 4, 5.0, 0, 10, 1.5, 8, 1, 0, null, null),
                    new RunDocument.LoadStep(
                        "clean",
                        4,
                        10.0,
                        10,
                        20,
                        1,
                        9,
                        0,
                        0,
                        percentiles,
                        percentiles,
                        List.of(
                            new RunDocument.StepOperation("get-object", 7, 2, percentiles, null))),
                    new RunDocument.LoadStep(
                        "not-held", 4, 20.0, 20, 30, 1, 9, 0, 3, percentiles, null)),
                List.of(),
                List.of()));
  }

  @Test
  void whatEarlierDriversPausedAndChangedComesFirst() {
    result.interruptions =
        new IngestResult.Interruptions(
            List.of(), List.of(new Pause(500, 600)), List.of(new LoadChange(550, 8, null)));

    RunDocument.Load load = LoadDocument.load(result.result(), earlier(null));

    assertThat(load.pauses())
        .containsExactly(new RunDocument.Pause(10, 20), new RunDocument.Pause(500, 600));
    assertThat(load.changes())
        .containsExactly(
            new RunDocument.LoadChange(15, 2, 7.5), new RunDocument.LoadChange(550, 8, null));
  }

  @Test
  void aLoadEndedByTimeRequestedOnlyWhatItBegan() {
    result.reason = "The time is over.";
    result.count(Count.REQUESTED, 70);

    assertThat(LoadDocument.load(result.result(), null).endedBy()).isEqualTo("The time is over.");
    assertThat(LoadDocument.objects(result.result(), 100).requested()).isEqualTo(70);
  }

  @Test
  void aStoppedLoadStillRequestedAllObjects() {
    result.endStatus = EndStatus.STOPPED;
    result.reason = "Stopped on request.";
    result.count(Count.REQUESTED, 100);
    result.count(Count.INGESTED, 60);
    result.count(Count.FAILED, 2);
    result.count(Count.CONTENT_BYTES, 1_000);

    assertThat(LoadDocument.load(result.result(), null)).isNull();
    assertThat(LoadDocument.objects(result.result(), 100))
        .isEqualTo(new RunDocument.ObjectCounts(100, 60, 2, null, 0, 1_000, 0));
    assertThat(LoadDocument.objects(result.result(), 0).requested())
        .as("of a load without a last object")
        .isEqualTo(100);
  }

  @Test
  void countsFailuresAndReportsTheFirst() {
    result.count(Count.SENT, 12);
    result.count(Count.RETRIED, 2);
    result.count(Count.FAILED_REQUESTS, 3);
    result.count(Count.FAILED_ADDITIONS, 1);
    result.failures =
        new Failures(
            List.of(),
            List.of(
                new RequestEvent(
                    Operation.INGEST,
                    7,
                    "demo:7",
                    "",
                    0,
                    2,
                    40,
                    40,
                    5,
                    500,
                    1,
                    "no space left",
                    RequestEvent.Outcome.FAILED)),
            Set.of());

    assertThat(LoadDocument.requests(result.result()))
        .isEqualTo(
            new RunDocument.RequestCounts(
                12,
                2,
                3,
                List.of(
                    new RunDocument.FailedRequest("ingest", "demo:7", 2, 500, "no space left"))));
    assertThat(LoadDocument.statements(result.result()))
        .contains(new RunDocument.StatementCounts(0, 1));
  }

  @Test
  void theTimeInWhichNoDriverLoadedIsAnOutageUnlessAllWasIn() {
    result.startNanos = 400;
    result.interruptions =
        new IngestResult.Interruptions(
            List.of(new Outage(450, 460, "no answer")), List.of(), List.of());
    RunDocument.Outage before = new RunDocument.Outage(RunDocument.Outage.FEDORA, 5, 9, "gone");
    RunDocument.Outage noticed =
        new RunDocument.Outage(RunDocument.Outage.FEDORA, 450, 460, "no answer");
    EarlierLoad loaded = earlier(new EarlierLoad.Loaded(300, null, 300, 310));

    assertThat(LoadDocument.outages(result.result(), earlier(null), List.of()))
        .containsExactly(
            before,
            new RunDocument.Outage(RunDocument.Outage.DRIVER, 300, 400, ABSENCE.reason()),
            noticed);
    assertThat(LoadDocument.outages(result.result(), loaded, List.of()))
        .containsExactly(before, noticed);
    result.count(Count.SENT, 1);
    assertThat(LoadDocument.outages(result.result(), loaded, List.of()))
        .as("that sent something after all")
        .hasSize(3);
  }

  private static EarlierLoad earlier(EarlierLoad.Loaded loaded) {
    return new EarlierLoad(
        null,
        1,
        new LoadHistory(
            List.of(new RunDocument.Outage(RunDocument.Outage.FEDORA, 5, 9, "gone")),
            List.of(new RunDocument.Pause(10, 20)),
            List.of(new RunDocument.LoadChange(15, 2, 7.5))),
        ABSENCE,
        loaded);
  }
}
