package org.fedometer.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fedometer.driver.request.Outage;
import org.fedometer.store.RunDocument;
import org.junit.jupiter.api.Test;

class KnownOutagesTest {

  @Test
  void mergesOutagesOfRequestsAndProcesses() {
    assertThat(
            KnownOutages.of(
                List.of(process(100, 200, "Fedora's process has ended.")),
                List.of(new Outage(110, 230, "connection refused"))))
        .containsExactly(process(100, 230, "Fedora's process has ended."));
  }

  @Test
  void twoThatRequestsNoticedWithinOneOfAProcessAreThatOne() {
    assertThat(
            KnownOutages.of(
                List.of(process(100, 200, "gone")),
                List.of(new Outage(90, 120, "refused"), new Outage(150, 210, "refused"))))
        .containsExactly(process(90, 210, "gone"));
  }

  @Test
  void oneThatNoProcessExplainsStaysAndAllAreByStart() {
    assertThat(
            KnownOutages.of(
                List.of(process(500, 600, "gone")), List.of(new Outage(10, 20, "no answer"))))
        .containsExactly(process(10, 20, "no answer"), process(500, 600, "gone"));
  }

  private static RunDocument.Outage process(long startNanos, long endNanos, String reason) {
    return new RunDocument.Outage(RunDocument.Outage.FEDORA, startNanos, endNanos, reason);
  }
}
