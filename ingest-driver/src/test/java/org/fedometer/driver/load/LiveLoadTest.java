package org.fedometer.driver.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.fedometer.driver.Controllable.Change;
import org.fedometer.driver.EndConditions;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestProgress;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.TinyDataset;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.load.LoadStep.Outcome;
import org.fedometer.driver.request.LoadChange;
import org.fedometer.driver.request.Pause;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.wire.TestDelay;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A load that is changed, paused and ended while it runs, and one of several steps. */
@Tag("slow")
@Timeout(120)
class LiveLoadTest {

  private static final long ENDLESS = Long.MAX_VALUE;

  private final TinyDataset dataset = new TinyDataset();
  private final List<RequestEvent> events = Collections.synchronizedList(new ArrayList<>());
  private ScriptedFedora fedora;
  private FedoraClient client;

  @BeforeEach
  void start() throws IOException {
    fedora = new ScriptedFedora(dataset);
    client =
        FedoraClient.open(
            new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
            FedoraClientOptions.forWorkers(8));
  }

  @AfterEach
  void stop() {
    client.close();
    fedora.close();
  }

  @Test
  void aLoadThatIsGivenATimeEndsWellWithTheObjectsItHadBegun() throws IOException {
    IngestResult result =
        driver(
                options(ENDLESS, 2, new Load.ClosedModel())
                    .withEndConditions(after(Duration.ofSeconds(1))))
            .run();

    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.FINISHED);
    assertThat(result.reason()).contains("--duration", "1 s");
    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.REQUESTED)).isPositive().isEqualTo(fedora.objects());
    assertThat(result.endNanos() - result.startNanos()).isGreaterThanOrEqualTo(1_000_000_000L);
  }

  @Test
  void sendsExactlyTheObjectsScheduledWithinTheTime() throws IOException {
    IngestResult result =
        driver(
                options(ENDLESS, 8, new Load.ArrivalRate(20))
                    .withEndConditions(after(Duration.ofMillis(1_010))))
            .run();

    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.REQUESTED)).isEqualTo(21);
    assertThat(result.count(Count.ABANDONED)).isZero();
  }

  @Test
  void theLastObjectEndsItBeforeItsTime() throws IOException {
    IngestResult result =
        driver(options(10, 2, new Load.ClosedModel()).withEndConditions(after(Duration.ofDays(3))))
            .run();

    assertThat(result.complete()).isTrue();
    assertThat(result.reason()).isNull();
    assertThat(result.count(Count.REQUESTED)).isEqualTo(10);
  }

  @Test
  void aDiskThatFillsUpEndsIt() throws IOException {
    AtomicLong left = new AtomicLong(1_000);
    fedora.script =
        (pid, attempt) -> {
          left.decrementAndGet();
          return ScriptedFedora.INGEST;
        };
    IngestOptions options =
        options(ENDLESS, 2, new Load.ClosedModel())
            .withEndConditions(EndConditions.AT_THE_LAST_OBJECT.withMinFreeDisk(left::get, 900));

    IngestResult result = driver(options).run();

    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.FINISHED);
    assertThat(result.reason()).contains("disk");
    assertThat(left.get()).isLessThan(900);
  }

  @Test
  void aPausedLoadSendsNothingAndNothingIsLate() throws Exception {
    IngestDriver driver = driver(options(200, 4, new Load.ArrivalRate(100)));
    CompletableFuture<IngestResult> ended = inBackground(driver);
    until(() -> driver.progress().objects().ingested() >= 5);

    driver.pause();
    TestDelay.sleep(Duration.ofMillis(2_500));
    assertThat(driver.progress().load().paused()).isTrue();
    driver.resume();
    until(() -> driver.progress().objects().ingested() >= 150);
    IngestProgress after = driver.progress();
    assertThat(after.rates().recentObjectsPerSecond())
        .as("of the last seconds, the pause not among them")
        .isGreaterThan(0.6 * after.rates().objectsPerSecond());

    IngestResult result = ended.get(60, TimeUnit.SECONDS);
    assertThat(result.complete()).isTrue();
    assertThat(result.interruptions().pauses()).hasSize(1);
    Pause pause = result.interruptions().pauses().get(0);
    assertThat(pause.endNanos() - pause.startNanos()).isGreaterThanOrEqualTo(2_500_000_000L);
    assertThat(events)
        .as("sent in the pause, but for what was under way")
        .noneMatch(
            event ->
                event.startNanos() - pause.startNanos() > 1_000_000_000L
                    && event.startNanos() - pause.endNanos() < 0);
    long worst =
        events.stream()
            .mapToLong(event -> event.startNanos() - event.intendedStartNanos())
            .max()
            .orElseThrow();
    assertThat(worst)
        .as("late, in ns: less than who waited in the pause")
        .isLessThan(pause.endNanos() - pause.startNanos());
    assertThat(result.endNanos() - result.startNanos())
        .isGreaterThanOrEqualTo(1_990_000_000L + pause.endNanos() - pause.startNanos());
  }

  @Test
  void aPausedLoadThatIsStoppedEnds() throws Exception {
    IngestDriver driver = driver(options(ENDLESS, 4, new Load.ClosedModel()));
    CompletableFuture<IngestResult> ended = inBackground(driver);
    until(() -> driver.progress().objects().ingested() > 0);

    driver.pause();
    driver.stop();

    IngestResult result = ended.get(60, TimeUnit.SECONDS);
    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.STOPPED);
    assertThat(result.count(Count.INGESTED) + result.count(Count.ABANDONED))
        .isEqualTo(result.count(Count.REQUESTED));
    assertThat(result.count(Count.INGESTED)).isEqualTo(fedora.objects());
  }

  @Test
  void reportsEachPauseAndChangeToTheListener() throws Exception {
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    RequestListener listener =
        new RequestListener() {
          @Override
          public void onRequest(RequestEvent event) {}

          @Override
          public void onChange(List<Pause> pauses, List<LoadChange> changes) {
            heard.add(pauses.size() + " pauses, " + changes.size() + " changes");
          }
        };
    IngestDriver driver =
        new IngestDriver(
            client,
            dataset,
            options(ENDLESS, 4, new Load.ClosedModel()),
            RequestSink.NONE,
            listener);
    CompletableFuture<IngestResult> ended = inBackground(driver);
    until(() -> driver.progress().objects().ingested() > 0);

    driver.pause();
    driver.pause();
    driver.change(toWorkers(2));
    driver.resume();
    driver.stop();

    ended.get(60, TimeUnit.SECONDS);
    assertThat(heard)
        .containsExactly("1 pauses, 0 changes", "1 pauses, 1 changes", "1 pauses, 1 changes");
  }

  @Test
  void moreWorkersSendMoreAtOnceAndLogInOneAfterTheOther() throws Exception {
    BlockedRequests crowd = new BlockedRequests();
    IngestDriver driver = driver(options(ENDLESS, 1, new Load.ClosedModel()));
    CompletableFuture<IngestResult> ended = inBackground(driver);
    until(() -> crowd.now.get() == 1);

    driver.change(toWorkers(12)); // more than the client was made for
    until(() -> crowd.now.get() == 12);

    assertThat(driver.progress().load().workers()).isEqualTo(12);
    assertThat(fedora.maxConcurrentLogins.get()).isEqualTo(1);
    assertThat(fedora.logins.get()).isEqualTo(12);

    driver.change(toWorkers(2));
    crowd.open();
    until(() -> fedora.objects() > 100); // those that were too many have ended
    crowd.shut();
    until(() -> crowd.now.get() == 2);
    driver.stop();
    crowd.open();
    IngestResult result = ended.get(60, TimeUnit.SECONDS);
    assertThat(result.interruptions().changes())
        .extracting(LoadChange::workers)
        .containsExactly(12, 2);
    assertThat(result.count(Count.ABANDONED)).isZero();
  }

  @Test
  void whatIsNoLoadIsRefusedInASentence() throws Exception {
    IngestDriver driver = driver(options(ENDLESS, 1, new Load.ClosedModel()));
    assertThatThrownBy(() -> driver.change(toRate(5)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not running");
    assertThatThrownBy(driver::pause).hasMessageContaining("is not running");
    CompletableFuture<IngestResult> ended = inBackground(driver);
    until(() -> driver.progress().objects().ingested() > 0);
    assertThatThrownBy(() -> toWorkers(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> toWorkers(1001)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> toRate(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Change(null, 5.0, true))
        .isInstanceOf(IllegalArgumentException.class);
    driver.stop();
    ended.get(60, TimeUnit.SECONDS);
  }

  @Test
  void aRampEndsAtTheFirstStepWithAFailedRequest() throws IOException {
    AtomicInteger sent = new AtomicInteger();
    fedora.script =
        (pid, attempt) ->
            sent.incrementAndGet() == 10 + 20 + 40 + 30
                ? exchange -> {
                  exchange.readBody();
                  exchange.answer(503, "");
                }
                : ScriptedFedora.INGEST;
    Load ramp = new Load.Ramp(20, 20, Duration.ofSeconds(1), 10);

    IngestResult result = driver(options(ENDLESS, 8, ramp)).run();

    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.FINISHED);
    assertThat(result.reason()).contains("requests failed");
    assertThat(result.complete()).as("a further attempt ingested it").isTrue();
    assertThat(result.steps())
        .extracting(LoadStep::outcome)
        .containsExactly(Outcome.WARM_UP, Outcome.CLEAN, Outcome.CLEAN, Outcome.ERRORS);
    assertThat(result.steps())
        .extracting(LoadStep::ratePerSecond)
        .containsExactly(null, 20.0, 40.0, 60.0);
    assertThat(result.highestCleanRate()).isEqualTo(40);
    LoadStep second = result.steps().get(2);
    assertThat(second.seconds()).isEqualTo(1);
    assertThat(second.responseTimes().count()).isEqualTo(40);
    assertThat(second.objectsPerSecond()).isBetween(35.0, 45.0);
    assertThat(result.steps().get(0).ratePerSecond()).isNull();
  }

  @Test
  void aRampWithoutMoreObjectsReachesNoLimit() throws IOException {
    IngestResult result =
        driver(options(20, 8, new Load.Ramp(5, 5, Duration.ofSeconds(3), 2))).run();

    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.FINISHED);
    assertThat(result.complete()).isTrue();
    assertThat(result.reason()).contains("ran out of objects before it reached a limit");
    assertThat(result.steps())
        .extracting(LoadStep::outcome)
        .containsExactly(Outcome.WARM_UP, Outcome.CLEAN, Outcome.CUT);
    assertThat(result.highestCleanRate()).isEqualTo(5);
  }

  @Test
  void aRampEndsAtARateThatIsNotHeld() throws IOException {
    // One worker, 10 ms an object: never more than 100 a second.
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              TestDelay.sleep(Duration.ofMillis(10));
              ScriptedFedora.INGEST.serve(exchange);
            };
    // Begun late by a tenth of a step, one object of the first is enough: the first of all, for
    // which there is a login and many a class to be loaded, is none of it.
    Load ramp = new Load.Ramp(20, 180, Duration.ofSeconds(3), 10);

    IngestResult result = driver(options(ENDLESS, 1, ramp)).run();

    assertThat(result.steps())
        .extracting(LoadStep::outcome)
        .containsExactly(Outcome.WARM_UP, Outcome.CLEAN, Outcome.NOT_HELD);
    assertThat(result.reason()).contains("no longer held");
    assertThat(result.highestCleanRate()).isEqualTo(20);
    LoadStep last = result.steps().get(2);
    assertThat(last.objectsPerSecond()).isLessThanOrEqualTo(105);
    assertThat(last.late()).isPositive();
    assertThat(result.complete()).isTrue();
    assertThat(result.count(Count.REQUESTED))
        .as("what was due and not begun is not asked for")
        .isEqualTo(fedora.objects());
  }

  @Test
  void aSweepHasTheWorkersOfEachStepAndNoMore() throws IOException {
    // Answers come when as many are there as the step has workers.
    CountDownLatch three = new CountDownLatch(3);
    CountDownLatch ten = new CountDownLatch(10);
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              long index = Long.parseLong(pid.substring(pid.indexOf(':') + 1));
              if (index >= 80) {
                CountDownLatch all = index < 140 ? three : ten;
                all.countDown();
                awaitQuietly(all);
              }
              ScriptedFedora.INGEST.serve(exchange);
            };
    Load sweep = new Load.Sweep(List.of(1, 3, 10), null, 60, 20);

    IngestResult result = driver(options(ENDLESS, 1, sweep)).run();

    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.FINISHED);
    assertThat(result.steps())
        .extracting(LoadStep::outcome)
        .containsExactly(Outcome.WARM_UP, Outcome.CLEAN, Outcome.CLEAN, Outcome.CLEAN);
    assertThat(result.steps()).extracting(LoadStep::workers).containsExactly(4, 1, 3, 10);
    assertThat(result.count(Count.REQUESTED)).isEqualTo(200).isEqualTo(fedora.objects());
    assertThat(maxConcurrent(20, 80)).isEqualTo(1);
    assertThat(maxConcurrent(80, 140)).isEqualTo(3);
    assertThat(maxConcurrent(140, 200)).isEqualTo(10);
    assertThat(result.steps().get(2).serviceTimes().count()).isEqualTo(60);
    assertThat(fedora.maxConcurrentLogins.get()).isEqualTo(1);
    assertThat(result.highestCleanRate()).isNull();
  }

  @Test
  void aSweepByTimeGivesEachStepItsTime() throws IOException {
    Load sweep = new Load.Sweep(List.of(1, 4), Duration.ofSeconds(1), 0, 0);

    IngestResult result = driver(options(ENDLESS, 1, sweep)).run();

    assertThat(result.steps()).hasSize(2);
    assertThat(result.steps()).allSatisfy(step -> assertThat(step.seconds()).isEqualTo(1));
    assertThat(result.complete()).isTrue();
  }

  @Test
  void stepsAreNotChangedByHand() throws Exception {
    IngestDriver driver = driver(options(ENDLESS, 1, new Load.Ramp(5, 5, Duration.ofHours(1), 0)));
    CompletableFuture<IngestResult> ended = inBackground(driver);
    until(() -> driver.progress().objects().ingested() > 0);

    assertThatThrownBy(() -> driver.change(toWorkers(3)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has steps");
    driver.stop();

    IngestResult result = ended.get(60, TimeUnit.SECONDS);
    assertThat(result.steps()).extracting(LoadStep::outcome).containsExactly(Outcome.CUT);
    assertThat(result.endStatus()).isEqualTo(IngestResult.EndStatus.STOPPED);
  }

  /** Holds ingests back, and knows how many there are. */
  private final class BlockedRequests {
    private final AtomicInteger now = new AtomicInteger();
    private final Semaphore gate = new Semaphore(0);

    private BlockedRequests() {
      fedora.script =
          (pid, attempt) ->
              exchange -> {
                now.incrementAndGet();
                gate.acquireUninterruptibly();
                gate.release();
                now.decrementAndGet();
                ScriptedFedora.INGEST.serve(exchange);
              };
    }

    void open() {
      gate.release();
    }

    void shut() {
      gate.acquireUninterruptibly();
    }
  }

  /** Requests under way at once, of these objects. */
  private int maxConcurrent(long from, long to) {
    List<RequestEvent> ofStep =
        events.stream()
            .filter(event -> event.objectIndex() >= from && event.objectIndex() < to)
            .sorted(Comparator.comparing(RequestEvent::startNanos))
            .toList();
    int most = 0;
    for (RequestEvent one : ofStep) {
      int together = 0;
      for (RequestEvent other : ofStep) {
        if (other.startNanos() <= one.startNanos()
            && other.startNanos() + other.durationNanos() > one.startNanos()) {
          together++;
        }
      }
      most = Math.max(most, together);
    }
    return most;
  }

  private static Change toWorkers(int workers) {
    return new Change(workers, null, false);
  }

  private static Change toRate(double perSecond) {
    return new Change(null, perSecond, false);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("patience").isNegative();
      Thread.onSpinWait();
    }
  }

  private static EndConditions after(Duration time) {
    return EndConditions.AT_THE_LAST_OBJECT.withMaxDuration(time);
  }

  private static IngestOptions options(long objects, int workers, Load load) {
    RetryPolicy quick =
        new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofSeconds(20));
    return IngestOptions.of(objects, workers).withRetry(quick).withLoad(load);
  }

  private IngestDriver driver(IngestOptions options) {
    return new IngestDriver(client, dataset, options, RequestSink.NONE, events::add);
  }

  private static CompletableFuture<IngestResult> inBackground(IngestDriver driver) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return driver.run();
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
