package org.fedometer.experiments.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.wire.record.LogDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FedoraLogTest {
  private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
  private static final long NOON = Instant.parse("2026-07-01T10:00:00Z").toEpochMilli();

  @TempDir Path directory;

  @Test
  void linesBecomeWhatWasLogged() throws Exception {
    assertThat(
            read(
                """
                a tail of a line whose beginning was cut off
                INFO 2026-07-01 12:00:00.000 [main] (Server) Registered server at /home [x] (y)
                ERROR 2026-07-01 12:00:01.500 [http-8080-1] (BaseRestResource) Unexpected error
                java.lang.IllegalStateException: no
                \tat org.fcrepo.server.X.y(X.java:1)

                WARN 2026-07-01 12:00:02.000 [t] (L) last
                """))
        .containsExactly(
            "0 INFO main Server: Registered server at /home [x] (y)",
            "1500 ERROR http-8080-1 BaseRestResource: Unexpected error|"
                + "java.lang.IllegalStateException: no\n\tat org.fcrepo.server.X.y(X.java:1)\n",
            "2000 WARN t L: last");
  }

  @Test
  void whatWasSentIsNotSentAgainUnderAnotherName() throws Exception {
    Path log = Files.writeString(directory.resolve("fedora.log"), "INFO first\n");
    FedoraLog.Unsent all = FedoraLog.unsent(log, null, 0);
    assertThat(all.parts()).containsExactly(new FedoraLog.Part(log, 0));
    String sent = FedoraLog.beginning(log);

    Files.writeString(log, "INFO first\nINFO second\n");
    assertThat(FedoraLog.unsent(log, sent, 11).parts())
        .containsExactly(new FedoraLog.Part(log, 11));

    Path second = Files.move(log, directory.resolve("fedora.log.2"));
    Path first = Files.writeString(directory.resolve("fedora.log.1"), "INFO third\n");
    Files.writeString(log, "INFO fourth\n");
    FedoraLog.Unsent rolled = FedoraLog.unsent(log, sent, 11);
    assertThat(rolled.parts())
        .containsExactly(
            new FedoraLog.Part(second, 11),
            new FedoraLog.Part(first, 0),
            new FedoraLog.Part(log, 0));
    assertThat(rolled.gap()).isFalse();
    assertThat(FedoraLog.unsent(log, null, 0).parts())
        .as("a run that never ended before")
        .hasSize(3);

    Files.delete(second);
    assertThat(FedoraLog.unsent(log, sent, 11).gap()).isTrue();
  }

  @Test
  void whatIsNoTimeBeginsNoLine() throws Exception {
    assertThat(
            read(
                """
                INFO 2026-07-01 12:00:00.000 [main] (A) one
                INFO 2026-17-01 12:00:00.000 [main] (B) two
                """))
        .containsExactly("0 INFO main A: one|INFO 2026-17-01 12:00:00.000 [main] (B) two");
  }

  @Test
  void aLongLogGoesInSeveralFrames() throws Exception {
    String line = "INFO 2026-07-01 12:00:00.000 [main] (A) " + "x".repeat(1000) + "\n";
    assertThat(read(line.repeat(2_000))).hasSize(2_000);
    assertThat(frames).isGreaterThan(4);
  }

  @Test
  void anEmptyLogIsNothing() throws Exception {
    assertThat(read("")).isEmpty();
    assertThat(frames).isZero();
  }

  @Test
  void whatTheRunHasAlreadyIsLeftOutUnlessTheLogIsAnotherOne() throws Exception {
    String before = "INFO 2026-11-21 12:00:00.000 [main] (Server) up\n";
    String after = "INFO 2026-11-21 12:00:01.000 [main] (Server) up again\n";

    assertThat(read(before + after, before.length())).hasSize(1).allMatch(x -> x.contains("again"));
    assertThat(read(after, 10_000)).hasSize(1);
  }

  private int frames;

  /** Milliseconds since noon in Berlin, and what was logged. */
  private List<String> read(String text) throws IOException {
    return read(text, 0);
  }

  private List<String> read(String text, long fromBytes) throws IOException {
    List<String> lines = new ArrayList<>();
    Path log = Files.writeString(directory.resolve("fedora.log"), text);
    FedoraLog.read(
        log,
        ZONE,
        fromBytes,
        NOON * 1_000_000,
        payload -> {
          frames++;
          LogDecoder.decode(
              ByteBuffer.wrap(payload),
              row ->
                  lines.add(
                      row.atNanos / 1_000_000
                          + " "
                          + row.level
                          + " "
                          + row.thread
                          + " "
                          + row.logger
                          + ": "
                          + row.message
                          + (row.thrown.isEmpty() ? "" : "|" + row.thrown)));
        });
    return lines;
  }
}
