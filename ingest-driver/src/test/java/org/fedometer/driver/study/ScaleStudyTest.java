package org.fedometer.driver.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.TinyDataset;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.fedora.ScriptedOperations;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.study.ScaleStudyResult.Size;
import org.fedometer.driver.study.ScaleStudyResult.Timing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A doubling collection and its timings. */
@Timeout(60)
class ScaleStudyTest {

  private final TinyDataset dataset = new TinyDataset();
  private final List<RequestEvent> events = new ArrayList<>();
  private final AtomicBoolean finished = new AtomicBoolean();

  /** A test's action before the collection grows to a size. */
  private LongConsumer growing = size -> {};

  private ScriptedFedora fedora;
  private ScriptedOperations operations;

  @BeforeEach
  void start() throws IOException {
    fedora = new ScriptedFedora(dataset);
    operations = new ScriptedOperations(fedora);
  }

  @AfterEach
  void stop() {
    fedora.close();
  }

  @Test
  void doublesTheCollectionAndTimesEachOperation() throws IOException {
    ScaleStudyResult figures = study(450);

    assertThat(figures.sizes()).extracting(Size::objects).containsExactly(100L, 200L, 400L);
    assertThat(figures.sizes())
        .allSatisfy(
            size -> assertThat(size.timings().values()).extracting(Timing::count).containsOnly(3));
    assertThat(figures.failed()).isZero();
    assertThat(figures.ingest().complete()).isTrue();
    assertThat(figures.ingest().count(Count.INGESTED)).isEqualTo(400);
    assertThat(figures.ingest().count(Count.REQUESTED)).isEqualTo(400);
    assertThat(fedora.objects()).isEqualTo(400);
    assertThat(events.stream().filter(event -> event.operation() == Operation.RISEARCH))
        .hasSize(3 * (3 + 1)); // one round at each size does not count
    assertThat(figures.sizes().get(0).timings())
        .containsKeys("ingest", "modify-datastream", "add-datastream", "purge");
    assertThat(events.stream().filter(event -> event.operation() == Operation.PURGE))
        .extracting(RequestEvent::pid)
        .hasSize(3 * (3 + 1))
        .contains("tiny:96", "tiny:99", "tiny:399")
        .doesNotContain("tiny:95");
    assertThat(figures.ingest().count(Count.SENT)).isEqualTo(events.size());
  }

  @Test
  void whatFailsIsNoTimeAndIsCounted() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.path.startsWith("/oai?verb=ListSets")) {
            exchange.answer(404, "no such servlet");
            return true;
          }
          return false;
        };

    ScaleStudyResult figures = study(100);

    assertThat(figures.failed()).isEqualTo(3);
    assertThat(figures.sizes().get(0).timings().get("oai-list-sets").count()).isZero();
    assertThat(figures.ingest().count(Count.FAILED_REQUESTS)).isEqualTo(4);
  }

  @Test
  void aSearchThatCannotBeReadToItsEndIsNoTimeAndIsCounted() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.path.contains("&terms=")) {
            exchange.answer(
                200,
                "text/xml",
                "<result><listSession><token>on</token></listSession></result>",
                Map.of());
            return true;
          }
          if (exchange.path.contains("&sessionToken=")) {
            exchange.answer(400, "no such token");
            return true;
          }
          return false;
        };

    ScaleStudyResult figures = study(100);

    Timing searches = figures.sizes().get(0).timings().get("find-objects");
    assertThat(searches.count()).isZero();
    assertThat(searches.failed()).isEqualTo(3);
  }

  @Test
  void whatCannotBeBroughtBackIsRequestedOnceAndNotIngested() throws IOException {
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:99") && attempt == 2
                ? exchange -> {
                  exchange.readBody();
                  exchange.answer(400, "no");
                }
                : ScriptedFedora.INGEST;

    IngestResult ingest = study(100).ingest();

    assertThat(fedora.objects()).isEqualTo(99);
    assertThat(ingest.complete()).isFalse();
    assertThat(ingest.count(Count.REQUESTED)).isEqualTo(100);
    assertThat(ingest.count(Count.INGESTED)).isEqualTo(99);
    assertThat(ingest.count(Count.FAILED)).isEqualTo(1);
    assertThat(ingest.count(Count.EXPECTED_TRIPLES)).isEqualTo(99L * dataset.object(0).triples());
    assertThat(ingest.count(Count.SENT)).isEqualTo(events.size());
  }

  @Test
  void whatIsFoundToBeDoneThoughItsAnswerWasLostHasNoTime() throws IOException {
    operations.fault =
        (exchange, number) -> {
          boolean loses =
              exchange.method.equals("POST")
                  && exchange.path.startsWith("/objects/tiny:99/datastreams/");
          if (loses) {
            operations.store(exchange);
            exchange.reset();
          }
          return loses;
        };

    ScaleStudyResult figures = study(100);

    Timing additions = figures.sizes().get(0).timings().get("add-datastream");
    assertThat(figures.failed()).isZero();
    assertThat(additions.count()).isEqualTo(2);
    assertThat(additions.minMillis()).isPositive();
  }

  @Test
  void doesNotFlushWithoutATriplestore() throws IOException {
    fedora.script =
        (pid, attempt) ->
            pid.equals("tiny:5") && attempt == 1
                ? exchange -> {
                  exchange.readBody();
                  ComposedObject whole = dataset.object(5);
                  fedora.replace(
                      new ComposedObject(
                          pid,
                          whole.label(),
                          List.of(whole.content().get(0)),
                          whole.dublinCore(),
                          whole.relationships()));
                  exchange.reset();
                }
                : ScriptedFedora.INGEST;

    IngestResult ingest = study(100, false).ingest();

    assertThat(ingest.complete()).as("%s", ingest).isTrue();
    assertThat(operations.count("DELETE /objects/tiny:5")).isEqualTo(1);
    assertThat(operations.count("GET /risearch")).isZero();
  }

  @Test
  void aFedoraThatIsGoneWhenTheNextSizeBeginsLeavesWhatWasMeasured() throws IOException {
    growing =
        size -> {
          if (size == 200) {
            fedora.kill();
          }
        };

    ScaleStudyResult figures = study(400);

    assertThat(figures.sizes()).extracting(Size::objects).containsExactly(100L);
    assertThat(figures.ingest().endStatus()).isEqualTo(IngestResult.EndStatus.GAVE_UP);
    assertThat(figures.ingest().reason()).containsPattern("No connection to|Could not log in");
    assertThat(figures.ingest().count(Count.INGESTED)).isEqualTo(100);
    assertThat(figures.ingest().count(Count.SENT)).isEqualTo(events.size());
    assertThat(finished).isTrue();
  }

  @Test
  void anOutageThatEndsTheTimingIsOnRecord() throws IOException {
    operations.fault =
        (exchange, number) -> {
          boolean asksForSets = exchange.path.startsWith("/oai?verb=ListSets");
          if (asksForSets) {
            fedora.kill();
          }
          return asksForSets;
        };

    IngestResult ingest = study(100).ingest();

    assertThat(ingest.endStatus()).isEqualTo(IngestResult.EndStatus.GAVE_UP);
    assertThat(ingest.reason()).contains("out of reach");
    assertThat(ingest.interruptions().outages()).hasSize(1);
  }

  @Test
  void aLimitIsPassedFromTheSizeOnAtWhichAllAreAboveIt() {
    List<Size> sizes = new ArrayList<>();
    double[] millis = {50, 150, 80, 120, 1_500};
    for (int i = 0; i < millis.length; i++) {
      sizes.add(
          new Size(
              100L << i,
              Map.of(
                  "get-dc",
                  new Timing(5, 0, millis[i], 1, 2_000),
                  "risearch",
                  new Timing(0, 5, 0, 0, 0)),
              0));
    }
    ScaleStudyResult figures = new ScaleStudyResult(sizes, null);

    assertThat(figures.exceededFrom(100)).isEqualTo(Map.of("get-dc", 800L));
    assertThat(figures.exceededFrom(1_000)).isEqualTo(Map.of("get-dc", 1_600L));
    assertThat(figures.exceededFrom(10_000)).isEmpty();
  }

  @Test
  void aBatchIndexIsTimedOnceASizeAndASizeThatItDidNotReachHasFailed() {
    Map<String, Timing> asked = Map.of("get-dc", new Timing(5, 0, 2, 1, 3));
    ScaleStudyResult figures =
        new ScaleStudyResult(List.of(new Size(100, asked, 0), new Size(200, asked, 0)), null)
            .withBatchIndex(Map.of(100L, 1_500_000_000L));

    assertThat(figures.sizes().get(0).timings())
        .containsEntry("batch-index", new Timing(1, 0, 1_500, 1_500, 1_500))
        .containsKey("get-dc");
    assertThat(figures.sizes().get(1).timings())
        .containsEntry("batch-index", new Timing(0, 1, 0, 0, 0));
    assertThat(figures.exceededFrom(1_000)).isEqualTo(Map.of("batch-index", 100L));
  }

  @Test
  void theLargestSizeIsADoublingThatIsNotAboveTheBound() {
    assertThat(ScaleStudy.largestSize(100)).isEqualTo(100);
    assertThat(ScaleStudy.largestSize(199)).isEqualTo(100);
    assertThat(ScaleStudy.largestSize(200)).isEqualTo(200);
    assertThat(ScaleStudy.largestSize(1_638_400)).isEqualTo(1_638_400);
    assertThatThrownBy(() -> study(99)).hasMessageContaining("100 objects or more");
  }

  private ScaleStudyResult study(long upTo) throws IOException {
    return study(upTo, true);
  }

  private ScaleStudyResult study(long upTo, boolean triples) throws IOException {
    try (FedoraClient client =
        FedoraClient.open(
            new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
            FedoraClientOptions.forWorkers(3))) {
      return new ScaleStudy(
              client,
              dataset,
              new ScaleStudy.Options(
                  upTo,
                  3,
                  3,
                  RetryPolicy.standard().withOutageLimit(Duration.ofMillis(500)),
                  triples),
              new RequestSink() {
                @Override
                public void record(RequestEvent event) {
                  synchronized (events) {
                    events.add(event);
                  }
                }

                @Override
                public void finish() {
                  finished.set(true);
                }
              },
              RequestListener.NONE,
              new ScaleStudy.Sizes() {
                @Override
                public void growing(long objects, IngestDriver driver) {
                  growing.accept(objects);
                }

                @Override
                public void timing(long objects) {}
              })
          .run();
    }
  }
}
