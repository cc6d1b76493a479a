package org.fedometer.driver.mix;

import static org.assertj.core.api.Assertions.assertThat;

import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps of a mix about one object, one of which is not sent any more. */
@Timeout(30)
class TargetTurnsTest {

  private final TargetTurns turns = new TargetTurns(0, new StopSignal());

  @Test
  void whatWaitsForAStepThatIsNotSentAnyMoreIsNotSentEither() throws RunStop {
    TargetTurns.Turn ingest = turns.take(0, Operation.INGEST, 5);
    TargetTurns.Turn change = turns.take(1, Operation.MODIFY_DATASTREAM, 5);
    TargetTurns.Turn purge = turns.take(2, Operation.PURGE, 5);

    ingest.release();

    assertThat(change.await()).isFalse();
    change.release();
    assertThat(purge.await()).isFalse();
  }

  @Test
  void whatWaitsForNoSuchStepGoesOn() throws RunStop {
    TargetTurns.Turn elsewhere = turns.take(0, Operation.INGEST, 4);
    TargetTurns.Turn ingest = turns.take(1, Operation.INGEST, 5);
    TargetTurns.Turn change = turns.take(2, Operation.MODIFY_DATASTREAM, 5);

    elsewhere.release();
    ingest.end();

    assertThat(change.await()).isTrue();
  }
}
