package org.fedometer.driver.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.fedometer.driver.request.RequestEvent.Outcome.ABANDONED;
import static org.fedometer.driver.request.RequestEvent.Outcome.DONE;
import static org.fedometer.driver.request.RequestEvent.Outcome.FAILED;
import static org.fedometer.driver.request.RequestEvent.Outcome.RETRIED;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.driver.TinyDataset;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraResponse;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.request.Verdict.Weight;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The common rules of all requests; a Fedora exists and accepts logins. */
@Timeout(30)
class AttemptsTest {

  /** In the place of a status: the answer is lost. */
  private static final int LOST = 0;

  /** In the place of a status: it cannot be sent. */
  private static final int IMPOSSIBLE = -1;

  private final List<RequestEvent> events = new ArrayList<>();
  private final StopSignal stop = new StopSignal();
  private SubjectLocks locks;
  private ScriptedFedora fedora;
  private FedoraClient client;

  @BeforeEach
  void start() throws IOException {
    fedora = new ScriptedFedora(new TinyDataset());
    client =
        FedoraClient.open(
            new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
            FedoraClientOptions.forWorkers(1));
  }

  @AfterEach
  void end() {
    client.close();
    fedora.close();
  }

  @Test
  void whatFailsAsOftenAsItMayIsGivenUp() throws RunStop {
    Scripted request = new Scripted(Weight.COUNTS, 500, LOST, 503);

    assertThat(perform(request, 3)).isFalse();

    assertThat(events).extracting(RequestEvent::outcome).containsExactly(RETRIED, RETRIED, FAILED);
    assertThat(events).extracting(RequestEvent::attempt).containsExactly(1, 2, 3);
    assertThat(events.get(1).message()).startsWith("No answer: ");
    assertThat(events.get(2).message()).endsWith(" (given up after 3 attempts)");
    assertThat(request.givenUp).isEqualTo(1);
  }

  @Test
  void aSingleAttemptMentionsNoOthers() throws RunStop {
    assertThat(perform(new Scripted(Weight.COUNTS, 500), 1)).isFalse();

    assertThat(events.get(0).message()).isEqualTo("500 without a message; see Fedora's log");
  }

  @Test
  void anOutageIsExcusedOnce() throws RunStop {
    assertThat(perform(new Scripted(Weight.EXCUSED_ONCE, 500, 500, 500, 500), 3)).isFalse();

    assertThat(events)
        .extracting(RequestEvent::outcome)
        .containsExactly(RETRIED, RETRIED, RETRIED, FAILED);
  }

  @Test
  void whatNeverCameToFedoraCountsForNothing() throws RunStop {
    Scripted request = new Scripted(Weight.NONE, 500, 500, 500, 500, 500, 200);

    assertThat(perform(request, 3)).isTrue();

    assertThat(events).hasSize(6).last().extracting(RequestEvent::outcome).isEqualTo(DONE);
  }

  @Test
  void whatIsRefusedTwiceThoughTheLoginIsAcceptedIsGivenUp() throws RunStop {
    assertThat(perform(new Scripted(Weight.COUNTS, 401, 401), 5)).isFalse();

    assertThat(events).extracting(RequestEvent::outcome).containsExactly(RETRIED, FAILED);
    assertThat(events.get(1).message()).contains("The login itself is accepted");
  }

  @Test
  void whatCannotBeSentIsGivenUpAtOnce() throws RunStop {
    assertThat(perform(new Scripted(Weight.COUNTS, IMPOSSIBLE), 5)).isFalse();

    assertThat(events).extracting(RequestEvent::message).containsExactly("no identifier");
  }

  @Test
  void whatFailsAfterAStopIsLeftOpen() {
    Scripted request = new Scripted(Weight.COUNTS, 500);
    request.stops = true;

    assertThatThrownBy(() -> perform(request, 5))
        .isInstanceOfSatisfying(RunStop.class, e -> assertThat(e.requested()).isTrue());

    assertThat(events).extracting(RequestEvent::outcome).containsExactly(ABANDONED);
  }

  @Test
  void aStopKeepsBackOnlyWhatIsAboutObjectsOfOthersToo() throws RunStop {
    stop.raise();
    locks = new SubjectLocks();
    assertThatThrownBy(() -> perform(new Scripted(Weight.COUNTS, 200), 5))
        .isInstanceOf(RunStop.class);
    assertThat(events).isEmpty();
    locks = null;
    assertThat(perform(new Scripted(Weight.COUNTS, 200), 5)).isTrue();
    assertThat(events).extracting(RequestEvent::outcome).containsExactly(DONE);
  }

  private boolean perform(Scripted request, int maxAttempts) throws RunStop {
    RetryPolicy policy =
        new RetryPolicy(
            maxAttempts, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofSeconds(20));
    try (FedoraSession session = client.newSession()) {
      CircuitBreaker gate =
          new CircuitBreaker(client, policy.outageLimit(), stop, RequestListener.NONE, Shard.WHOLE);
      return new Attempts(new Worker(0, session, policy, gate, stop), locks)
          .perform(Operation.GET_OBJECT, 7, "tiny:7", IntendedStart.whenSent(), request);
    }
  }

  /** A request with scripted responses, repeated after each inconclusive one. */
  private final class Scripted implements Attempts.Request {

    private final Weight weight;
    private final int[] statuses;
    private int sent;
    private int givenUp;
    private boolean stops;

    Scripted(Weight weight, int... statuses) {
      this.weight = weight;
      this.statuses = statuses;
    }

    @Override
    public FedoraResponse send(String traceparent) throws IOException {
      int status = statuses[sent++];
      if (stops) {
        stop.raise();
      }
      if (status == LOST) {
        throw new IOException("the connection broke");
      }
      if (status == IMPOSSIBLE) {
        throw new IllegalArgumentException("no identifier");
      }
      return new FedoraResponse(status, "", true, Duration.ZERO);
    }

    @Override
    public Verdict judge(Attempts.Response answer) throws RunStop {
      return answer.status() == 200
          ? Verdict.of(DONE, "")
          : answer.settle(
              false,
              () -> RetryPolicy.isRetryable(answer.status()),
              doubt -> doubt.retried("", weight));
    }

    @Override
    public void givenUp() {
      givenUp++;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void record(RequestEvent event) {
      events.add(event);
    }
  }
}
