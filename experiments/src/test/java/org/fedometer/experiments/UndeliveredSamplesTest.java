package org.fedometer.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.fedometer.attach.AgentSurvey.SurveyResult;
import org.fedometer.attach.FedoraEvidence;
import org.fedometer.attach.Jvm;
import org.fedometer.experiments.job.Interruption;
import org.fedometer.wire.session.AgentReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UndeliveredSamplesTest {
  private static final Map<String, String> NOTHING_PENDING = facts(true, 0);
  private static final Map<String, String> SOME_PENDING = facts(true, 1_234_567);

  /** Stands for no answer. */
  private static final Map<String, String> NO_REPLY = Map.of();

  /** Successive reports of a process's agent; the last one repeats. */
  private final Map<Long, Deque<Map<String, String>>> replies = new HashMap<>();

  private final List<Long> queried = new ArrayList<>();

  @Test
  void queriesADrainedAgentOnce() throws Exception {
    replies.put(7L, new ArrayDeque<>(List.of(NOTHING_PENDING)));

    assertThat(missingWithin(Duration.ofMinutes(1))).isEmpty();
    assertThat(queried).containsExactly(7L);
  }

  @Test
  void waitsOnlyForAgentsThatStillDeliver() throws Exception {
    replies.put(7L, new ArrayDeque<>(List.of(SOME_PENDING, facts(false, 100), NOTHING_PENDING)));
    replies.put(8L, new ArrayDeque<>(List.of(NOTHING_PENDING)));

    assertThat(missingWithin(Duration.ofMinutes(1))).isEmpty();
    assertThat(queried).containsExactlyInAnyOrder(7L, 8L, 7L, 7L);
  }

  @Test
  void reportsUndeliveredBytesAndTheConnectionError() throws Exception {
    Map<String, String> leftBehind = facts(false, 1_000_000);
    leftBehind.put(AgentReport.FRAMES_DROPPED, "12");
    leftBehind.put(AgentReport.CONNECTION_ERROR, "Connection refused");
    replies.put(7L, new ArrayDeque<>(List.of(leftBehind)));

    assertThat(missingWithin(Duration.ofMillis(20)))
        .containsExactly(
            "The agent in Fedora's process 7 holds 1,000,000 bytes that 127.0.0.1:4711 has"
                + " not acknowledged, and is not connected to it (Connection refused); it dropped"
                + " 12 frames: samples of this load are missing. It delivers them when a"
                + " collector of that store listens there again; 'fedometer attach 7' makes it"
                + " send to another collector, without them.");
  }

  @Test
  void whatIsOnDiskTooIsCountedOnceAndMayBeOfAnEarlierLoad() throws Exception {
    Map<String, String> spooled = facts(true, 1_000_000);
    spooled.put(AgentReport.SPOOLED_BYTES, "1234567");
    spooled.put(
        AgentReport.SPOOL_ERROR, "the collector refuses the spooled frames of f0: unknown run");
    replies.put(7L, new ArrayDeque<>(List.of(spooled)));

    assertThat(missingWithin(Duration.ofMillis(20)))
        .containsExactly(
            "The agent in Fedora's process 7 holds 1,234,567 bytes that 127.0.0.1:4711 has not"
                + " acknowledged; its spool fails: the collector refuses the spooled frames of f0:"
                + " unknown run: samples of this load or an earlier one may be missing.");
  }

  @Test
  void anAgentThatHeldSomethingAndAnswersNoMoreHasNotDeliveredIt() throws Exception {
    replies.put(7L, new ArrayDeque<>(List.of(facts(true, 5_000), NO_REPLY)));

    assertThat(missingWithin(Duration.ofMillis(20)))
        .containsExactly(
            "The agent in Fedora's process 7 held 5,000 bytes that 127.0.0.1:4711 had not"
                + " acknowledged; the next query failed: it is another user's: samples of this"
                + " load may be missing.");
  }

  @Test
  void anAgentThatAnswersAgainIsBelieved() throws Exception {
    replies.put(7L, new ArrayDeque<>(List.of(SOME_PENDING, NO_REPLY, NOTHING_PENDING)));

    assertThat(missingWithin(Duration.ofMinutes(1))).isEmpty();
    assertThat(queried).containsExactly(7L, 7L, 7L);
  }

  @Test
  void aStopRequestEndsAHangingQuery() throws Exception {
    Interruption interruption = new Interruption(Duration.ofMillis(1));
    interruption.conductedBy(Thread.currentThread());
    interruption.cleanUp();
    UndeliveredSamples hanging =
        new UndeliveredSamples(
            List.of(jvm(7)),
            jvms -> {
              interruption.raise();
              new CountDownLatch(1).await();
              return List.of();
            },
            Duration.ofHours(1),
            Duration.ofMillis(1));

    assertThat(UndeliveredSamples.notes(interruption, () -> hanging))
        .containsExactly(
            "It is unknown whether Fedora's agents have undelivered samples: the query was"
                + " ended on request");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void aFailedQueryDoesNotFailTheRun() {
    replies.put(7L, new ArrayDeque<>(List.of(NOTHING_PENDING)));

    assertThat(
            UndeliveredSamples.notes(
                new Interruption(),
                () -> {
                  throw new IllegalStateException("no such provider");
                }))
        .containsExactly(
            "It is unknown whether Fedora's agents have undelivered samples: no such provider");
  }

  @Test
  void queriesNoAgentAfterAStopRequest() {
    replies.put(7L, new ArrayDeque<>(List.of(SOME_PENDING)));
    Interruption interruption = new Interruption();
    interruption.raise();

    assertThat(UndeliveredSamples.notes(interruption, () -> waitingFor(Duration.ofHours(1))))
        .isEmpty();
    assertThat(queried).isEmpty();
  }

  @Test
  void reportsATimeout() throws Exception {
    replies.put(7L, new ArrayDeque<>(List.of(SOME_PENDING)));

    assertThat(missingWithin(Duration.ofMillis(20)))
        .containsExactly(
            "The agent in Fedora's process 7 holds 1,234,567 bytes that 127.0.0.1:4711 has not"
                + " acknowledged: samples of this load may be missing.");
  }

  @Test
  void aRequestToEndEndsTheWaiting() throws Exception {
    replies.put(7L, new ArrayDeque<>(List.of(SOME_PENDING)));

    assertThat(waitingFor(Duration.ofHours(1)).await(() -> false)).hasSize(1);
    assertThat(queried).containsExactly(7L);
  }

  @Test
  void skipsAnAgentWithoutAUsableReport() throws Exception {
    Map<String, String> odd = facts(true, 0);
    odd.put(AgentReport.QUEUED_BYTES, "much");
    replies.put(7L, new ArrayDeque<>(List.of(odd)));
    replies.put(8L, new ArrayDeque<>());

    assertThat(missingWithin(Duration.ofHours(1))).isEmpty();
  }

  @Test
  void queriesNoAgentOnAnotherHost() throws Exception {
    assertThat(
            UndeliveredSamples.inFedoraAt(URI.create("http://192.0.2.1:8080/fedora"))
                .await(() -> true))
        .isEmpty();
  }

  private List<String> missingWithin(Duration timeout) throws InterruptedException {
    return waitingFor(timeout).await(() -> true);
  }

  private UndeliveredSamples waitingFor(Duration timeout) {
    List<Jvm> jvms = replies.keySet().stream().sorted().map(UndeliveredSamplesTest::jvm).toList();
    return new UndeliveredSamples(jvms, this::answers, timeout, Duration.ofMillis(1));
  }

  private List<SurveyResult> answers(List<Jvm> jvms) {
    return jvms.stream().map(this::answer).toList();
  }

  private SurveyResult answer(Jvm jvm) {
    queried.add(jvm.pid());
    Deque<Map<String, String>> pendingBytes = replies.get(jvm.pid());
    Map<String, String> now =
        pendingBytes.isEmpty()
            ? NO_REPLY
            : pendingBytes.size() > 1 ? pendingBytes.remove() : pendingBytes.peek();
    if (now == NO_REPLY) {
      return new SurveyResult(jvm, Optional.empty(), "it is another user's");
    }
    AgentReport report =
        new AgentReport("nonce", AgentReport.State.DONE, "", now, List.of(), List.of());
    return new SurveyResult(jvm, Optional.of(report), "");
  }

  private static Map<String, String> facts(boolean connected, long queuedBytes) {
    Map<String, String> facts = new HashMap<>();
    facts.put(AgentReport.COLLECTOR, "127.0.0.1:4711");
    facts.put(AgentReport.CONNECTED, String.valueOf(connected));
    facts.put(AgentReport.QUEUED_BYTES, String.valueOf(queuedBytes));
    return facts;
  }

  private static Jvm jvm(long pid) {
    return new Jvm(
        pid,
        "fedora",
        Jvm.Kind.HOTSPOT,
        "17.0.15",
        Optional.empty(),
        List.of("java"),
        Map.of(),
        new FedoraEvidence(FedoraEvidence.Certainty.CERTAIN, "/fedora", "fedora.home"),
        Optional.of(Path.of("/agent/fedometer-agent.jar")),
        true);
  }
}
