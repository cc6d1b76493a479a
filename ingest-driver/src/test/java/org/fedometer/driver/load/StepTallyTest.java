package org.fedometer.driver.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestEvent.Outcome;
import org.junit.jupiter.api.Test;

class StepTallyTest {

  private final StepTally tally = new StepTally(false, 1, null, 0, 0, 0, 1_000_000);

  @Test
  void aRequestCountsWithItsTimesOrNotAtAll() {
    tally.add(event(Operation.INGEST, Outcome.INGESTED));
    tally.freeze();
    tally.add(event(Operation.INGEST, Outcome.INGESTED));
    tally.add(event(Operation.PURGE, Outcome.DONE));
    tally.end(LoadStep.Outcome.CLEAN, 1, 1, 1, 0);

    LoadStep step = tally.result();

    assertThat(step.serviceTimes().count()).isEqualTo(1);
    assertThat(step.operations())
        .singleElement()
        .satisfies(
            kind -> {
              assertThat(kind.operation()).isEqualTo(Operation.INGEST);
              assertThat(kind.done()).isEqualTo(1);
              assertThat(kind.serviceTimes().count()).isEqualTo(1);
            });
  }

  @Test
  void aKindOfAbandonedRequestsAloneIsNotListed() {
    tally.add(event(Operation.PURGE, Outcome.ABANDONED));
    tally.add(event(Operation.INGEST, Outcome.FAILED));
    tally.end(LoadStep.Outcome.CLEAN, 1, 1, 0, 0);

    assertThat(tally.result().operations())
        .extracting(LoadStep.Kind::operation)
        .containsExactly(Operation.INGEST);
  }

  private static RequestEvent event(Operation operation, Outcome outcome) {
    return new RequestEvent(operation, 0, "a:1", "", 0, 1, 0, 0, 2_000_000, 201, 0, "", outcome);
  }
}
