package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Log messages about refused peers. */
class RefusalLogTest {
  private final List<String> lines = new ArrayList<>();
  private long nowNanos;
  private final Refusals refusals = new Refusals();
  private RefusalLog log;

  @BeforeEach
  void open() {
    log = new RefusalLog(refusals, 3, lines::add, () -> nowNanos);
  }

  @Test
  void labelsAreThoseOfThePage() throws Exception {
    assertThat(refusals.counts())
        .containsOnlyKeys(
            "not-welcome",
            "silent",
            "malformed",
            "plain",
            "tls",
            "stalled",
            "full",
            "not-reading",
            "logs",
            "segment-log");
    String row =
        Files.readString(Path.of("../docs/collector.md"))
            .lines()
            .filter(line -> line.contains("`fedometer_connections_refused_total{reason}`"))
            .findFirst()
            .orElseThrow();
    assertThat(refusals.counts().keySet()).allMatch(label -> row.contains("`" + label + "`"));
  }

  @Test
  void limitsLinesPerMinuteAndCountsTheRest() {
    for (int i = 0; i < 100_000; i++) {
      log.logRefusal(
          Refusals.Reason.NOT_WELCOME, "/192.0.2.7:" + i, "the token is missing or wrong");
    }
    assertThat(lines).hasSize(3).allMatch(line -> line.startsWith("Refused /192.0.2.7:"));

    nowNanos += Duration.ofSeconds(61).toNanos();
    log.tick();
    assertThat(lines).hasSize(4);
    assertThat(lines.get(3))
        .isEqualTo(
            "99,997 more lines like that in a minute; the last: Refused /192.0.2.7:99999:"
                + " the token is missing or wrong");

    log.tick();
    log.logRefusal(Refusals.Reason.NOT_WELCOME, "/192.0.2.8:1", "again");
    assertThat(lines).hasSize(5).last().isEqualTo("Refused /192.0.2.8:1: again");
  }

  @Test
  void logsTheFirstRefusalOfEachHost() {
    for (int i = 0; i < 4_000; i++) {
      log.logRefusal(Refusals.Reason.LOGS, "/192.0.2.7:" + i, "its log events: none are read");
    }
    log.logRefusal(Refusals.Reason.LOGS, "/192.0.2.8:1", "its log events: another reason");
    log.logRefusal(Refusals.Reason.MALFORMED, "/192.0.2.7:1", "no frame");

    assertThat(lines).hasSize(5);
    assertThat(lines.get(3)).contains("another reason");
    assertThat(lines.get(4)).contains("no frame");
  }

  @Test
  void escapesAndTruncatesForeignText() {
    log.logRefusal(
        Refusals.Reason.NOT_WELCOME,
        "/192.0.2.7:1",
        "it is called \u001b[2J\r\n2026 INFO all is well\u202e" + "x".repeat(9_999));
    assertThat(lines.get(0))
        .startsWith(
            "Refused /192.0.2.7:1: it is called \\u001b[2J\\r\\n2026 INFO all is well\\u202ex")
        .hasSizeLessThan(500);
  }
}
