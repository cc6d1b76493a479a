package org.fedometer.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.driver.fedora.ContentFailureException;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.Pid;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.request.CollectorRequestSink;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.Pause;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.request.RunStop;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.RequestEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmallPartsTest {

  @Test
  void waitsDoubleUpToTheLongestAndFollowFedora() {
    RetryPolicy policy =
        new RetryPolicy(5, Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ZERO);
    for (int failures = 1; failures < 100; failures++) {
      long longest = failures > 7 ? 10_000 : Math.min(10_000, 100L << (failures - 1));
      assertThat(policy.waitAfter(failures, Duration.ZERO).toMillis())
          .isBetween(longest / 2, longest);
    }
    assertThat(policy.waitAfter(1, Duration.ofSeconds(7))).isEqualTo(Duration.ofSeconds(7));
    assertThat(policy.waitAfter(1, Duration.ofHours(1))).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void whatBefellTheIngestBeforeAMixIsInTheResultOfBoth() {
    DraftResult preload = new DraftResult();
    preload.count(Count.HALF_MADE, 1);
    preload.unrecoverable = List.of("a:1 is incomplete.");
    preload.interruptions =
        new IngestResult.Interruptions(
            List.of(), List.of(new Pause(10, 20)), List.of(new LoadChange(15, 3, null)));
    DraftResult mix = new DraftResult();
    mix.count(Count.HALF_MADE, 2);
    mix.interruptions =
        new IngestResult.Interruptions(
            List.of(), List.of(new Pause(30, 40)), List.of(new LoadChange(35, 4, 2.0)));

    IngestResult both = mix.result().after(preload.result());

    assertThat(both.count(Count.HALF_MADE)).isEqualTo(3);
    assertThat(both.unrecoverable()).containsExactly("a:1 is incomplete.");
    assertThat(both.interruptions().pauses()).containsExactly(new Pause(10, 20), new Pause(30, 40));
    assertThat(both.interruptions().changes())
        .extracting(LoadChange::workers)
        .containsExactly(3, 4);
  }

  @Test
  void reportsAChangedFileWithoutAClassName() {
    UncheckedIOException changed =
        new UncheckedIOException(new IOException("7.xml is not what it was"));
    TinyDataset dataset =
        new TinyDataset() {
          @Override
          public ComposedObject object(long index) {
            throw changed;
          }
        };

    assertThat(Messages.of(changed)).isEqualTo("7.xml is not what it was");
    assertThat(new ContentFailureException(changed))
        .hasMessage("The dataset could not produce this object: 7.xml is not what it was");
    assertThatThrownBy(() -> RunStop.makeObject(dataset, 7))
        .hasMessage("The dataset tiny could not make object 7: 7.xml is not what it was");
  }

  @ParameterizedTest
  @ValueSource(strings = {"patents:WO-1", "a-b.c:d_~e", "x:%3A%2F"})
  void identifiersOfFedoraBecomePartOfAPath(String pid) {
    assertThat(Pid.inPath(pid)).isEqualTo(pid.replace("%", "%25"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nocolon", "a:b/../c", "a:b?x", "a:", "ä:b", "a:b c", "a:%zz"})
  void whatIsNoIdentifierNeverReachesAnAddress(String pid) {
    assertThatThrownBy(() -> Pid.inPath(pid))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected namespace:name");
  }

  @Test
  void aLoginKeepsItsPasswordToItself() {
    char[] password = "geheim".toCharArray();
    FedoraLogin login =
        new FedoraLogin(URI.create("http://localhost:8080/fedora/"), "admin", password);
    password[0] = 'X';

    assertThat(login.toString()).doesNotContain("geheim");
    assertThat(new String(login.password())).isEqualTo("geheim");
    assertThat(login.resolve("/objects")).hasToString("http://localhost:8080/fedora/objects");
    assertThatThrownBy(() -> new FedoraLogin(URI.create("ftp://x/y"), "a", password))
        .hasMessageContaining("must look like http://127.0.0.1:8080/fedora");
    assertThatThrownBy(() -> new FedoraLogin(login.url(), "a:b", password))
        .hasMessageContaining("colon");
  }

  @Test
  void operationNamesAreUniqueAndLowerCase() {
    assertThat(Operation.values())
        .extracting(Operation::wireName)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[a-z]+(-[a-z]+)*") && name.length() <= 64)
        .contains(RequestEncoder.INGEST);
    assertThat(Operation.INGEST.wireName()).isEqualTo(RequestEncoder.INGEST);
  }

  @Test
  void rejectsAStartBeforeTheIntendedStart() {
    assertThat(request(Operation.PURGE, 7, 7).startNanos()).isEqualTo(7);
    assertThatThrownBy(() -> request(Operation.PURGE, 8, 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 ns before");
  }

  private static RequestEvent request(Operation operation, long intendedStart, long start) {
    return new RequestEvent(
        operation,
        1,
        "a:1",
        "",
        0,
        1,
        intendedStart,
        start,
        1000,
        200,
        5,
        "",
        RequestEvent.Outcome.INGESTED);
  }

  @Test
  void aSinkTimesOutWithoutACollector() throws IOException {
    int nobodyListens;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobodyListens = socket.getLocalPort();
    }
    ClientOptions options =
        ClientOptions.builder("127.0.0.1", nobodyListens)
            .sourceKind("driver")
            .sourceName("test")
            .maxQueuedBytes(100_000)
            .build();
    try (CollectorClient collector = CollectorClient.open(options)) {
      CollectorRequestSink sink = new CollectorRequestSink(collector, Duration.ofMillis(200));
      RequestEvent event = request(Operation.INGEST, 0, 0);

      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100_000; i++) {
                  sink.record(event);
                }
              })
          .isInstanceOf(IOException.class);
    }
  }
}
