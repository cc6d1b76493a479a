package org.fedometer.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.fedometer.driver.IngestProgress;
import org.fedometer.driver.IngestProgress.LoadState;
import org.fedometer.driver.IngestProgress.ObjectCounts;
import org.fedometer.driver.IngestProgress.Rates;
import org.fedometer.driver.IngestProgress.Trend;
import org.fedometer.driver.request.Latency;
import org.fedometer.experiments.host.DiskMonitor;
import org.junit.jupiter.api.Test;

/** The progress texts of a load. */
class ProgressPanelTest {
  private static final Latency ALL = new Latency(421_337, 80, 240, 395, 9_000);
  private static final Latency LATELY = new Latency(2_400, 82.4, 250, 410.2, 4_000);
  private static final Trend YOUNG = new Trend(5, 12.3, null, 0);

  @Test
  void aLoadOfDaysShowsItsTrendAndWhenItEnds() {
    IngestProgress now =
        new IngestProgress(
            new ObjectCounts("object", 1_000_000, 421_340, 421_337, 3, 1),
            15,
            2,
            null,
            new Rates(10.6, 9.87, new Trend(3_600, 9.5, 10.0, 1e-7)),
            ALL,
            LATELY,
            new LoadState(false, false, 4, null, 0),
            hours(11),
            61_000);

    assertThat(
            String.join(
                "\n",
                ProgressPanel.lines(now, new DiskMonitor.Forecast(120_400_000_000L, 183_600))))
        .isEqualTo(
            """
            421,340/1,000,000 objects, 3 failed
            objects/s  now 9.87, last hour 9.50, the hour before 10.0: 5 % slower
            times      last minute p50 82 ms, p99 410 ms; in all p50 80 ms, p99 395 ms
            errors     15, outages 2
            load       4 workers, closed model
            left       16 h 56 min if it keeps slowing down; disk 120 GB, full in about 2 d 3 h""");
    assertThat(ProgressPanel.line(now, new DiskMonitor.Forecast(120_400_000_000L, 183_600)))
        .isEqualTo(
            "421,340/1,000,000 objects, 9.87/s, p50 80 ms, p99 395 ms, 15 errors, 16 h 56 min left,"
                + " 5 % slower");
    assertThat(ProgressPanel.line(now, new DiskMonitor.Forecast(1_000_000_000L, 3_600)))
        .as("a disk that is full before the end")
        .endsWith(", the disk is full in about 1 h 0 min");
  }

  @Test
  void showsPauseAndOutageOfALoadByTime() {
    IngestProgress now =
        new IngestProgress(
            new ObjectCounts("object", Long.MAX_VALUE, 50, 50, 0, 1),
            0,
            1,
            "connection refused",
            new Rates(10, 12.34, YOUNG),
            ALL,
            null,
            new LoadState(true, false, 64, 20.0, 7),
            5_000_000_000L,
            15);

    assertThat(String.join("\n", ProgressPanel.lines(now, null)))
        .isEqualTo(
            """
            50 objects   PAUSED
            objects/s  now 12.3
            times      in all p50 80 ms, p99 395 ms
            errors     0, outages 1, waiting for Fedora: connection refused
            load       64 workers, 20.0 objects/s due, 7 behind schedule
            left       15 s""");
    assertThat(ProgressPanel.line(now, null))
        .isEqualTo(
            "paused, 50 objects, 12.3/s, p50 80 ms, p99 395 ms, 0 errors, 15 s left, 7 behind"
                + " schedule, waiting for Fedora: connection refused");
    assertThat(ProgressPanel.fraction(now)).isEqualTo(0.25);
  }

  @Test
  void showsAnUnknownEnd() {
    IngestProgress now =
        new IngestProgress(
            new ObjectCounts("object", Long.MAX_VALUE, 1, 1, 0, 1),
            0,
            0,
            null,
            new Rates(1, 1, YOUNG),
            ALL,
            null,
            new LoadState(false, true, 1, null, 0),
            1,
            -1);

    assertThat(ProgressPanel.fraction(now)).isNaN();
    assertThat(ProgressPanel.line(now, null))
        .startsWith("ending, 1 object,")
        .contains("end unknown");
  }

  @Test
  void aDiskIsExpectedToFillUpAsInTheLastHour() {
    long[] left = {1_000_000};
    DiskMonitor disk = new DiskMonitor(() -> left[0]);
    long second = 1_000_000_000L;
    for (int i = 0; i <= 600; i++) {
      assertThat(disk.forecast(i * second).fullInSeconds()).isEqualTo(i < 120 ? -1 : left[0] / 100);
      left[0] -= 100;
    }
    left[0] = 5_000_000;
    assertThat(disk.forecast(1_000 * second)).isEqualTo(new DiskMonitor.Forecast(5_000_000, -1));
  }

  private static long hours(int hours) {
    return Duration.ofHours(hours).toNanos();
  }
}
