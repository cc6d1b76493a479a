package org.fedometer.benchmarks.fedora;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.benchmarks.fedora.RequestLog.Request;
import org.junit.jupiter.api.Test;

class StallTest {
  private static final long MILLI = 1_000_000;

  @Test
  void gapsLongerThanAnyBeforeCountWithAllOfTheirLength() {
    Stall stall = Stall.of(endingAtMillis(0, 10, 50, 60), endingAtMillis(70, 120, 130, 170, 370));

    assertThat(stall.usualGapNanos()).isEqualTo(40 * MILLI);
    assertThat(stall.longestGapNanos()).isEqualTo(200 * MILLI);
    assertThat(stall.stalledNanos()).isEqualTo((50 + 200) * MILLI);
    assertThat(stall.beyondUsualNanos()).isEqualTo((10 + 160) * MILLI);
  }

  @Test
  void theGapInWhichTheCommandFallsCounts() {
    Stall stall = Stall.of(endingAtMillis(0, 10, 20), endingAtMillis(720, 730));

    assertThat(stall.stalledNanos()).isEqualTo(700 * MILLI);
  }

  @Test
  void usualGapsAreNoStall() {
    Stall stall = Stall.of(endingAtMillis(0, 30, 40), endingAtMillis(70, 80, 110));

    assertThat(stall.stalledNanos()).isZero();
    assertThat(stall.longestGapNanos()).isEqualTo(30 * MILLI);
  }

  @Test
  void reportsTheLongestAndTheFailedRequests() {
    List<Request> before = List.of(request(0, 12, true), request(10, 14, true));
    List<Request> since = List.of(request(20, 90, true), request(25, 5, false));

    Stall stall = Stall.of(before, since);

    assertThat(stall.usualRequestNanos()).isEqualTo(14 * MILLI);
    assertThat(stall.longestRequestNanos()).isEqualTo(90 * MILLI);
    assertThat(stall.failedRequests()).isEqualTo(1);
    assertThat(stall.describe("live attach"))
        .startsWith(
            "live attach stalled requests for 0.00 s in total, longest gap 10 ms, failed requests"
                + " 1");
  }

  @Test
  void rejectsALoadWithoutRequests() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Stall.of(endingAtMillis(0), endingAtMillis(10)))
        .withMessageContaining("two requests before");
  }

  private static List<Request> endingAtMillis(long... millis) {
    List<Request> requests = new ArrayList<>();
    for (long end : millis) {
      requests.add(request(end, 5, true));
    }
    return requests;
  }

  private static Request request(long endMillis, long durationMillis, boolean ingested) {
    return new Request(endMillis * MILLI, durationMillis * MILLI, ingested);
  }
}
