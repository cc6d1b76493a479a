package org.fedometer.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.Golden;
import org.fedometer.analysis.SampleLoad;
import org.fedometer.analysis.SampleRun;
import org.fedometer.analysis.TestRun;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.Failure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JsonReportTest {

  private TestRun run;

  @BeforeEach
  void open() throws Exception {
    run = new TestRun();
  }

  @AfterEach
  void close() throws Exception {
    run.close();
  }

  @Test
  void aStepOfReadsHasItsOperationsByKind() throws Exception {
    SampleRun.fill(run);
    run.load = SampleLoad.readSweep();

    JsonNode step = json(run.report()).at("/load/steps/0");

    assertThat(step.at("/ingested").asLong()).isZero();
    assertThat(step.at("/operations").asLong()).isEqualTo(720);
    assertThat(step.at("/operationsPerSecond").asDouble()).isEqualTo(144);
    assertThat(step.at("/byOperation/1/operation").asText()).isEqualTo("get-datastream");
    assertThat(step.at("/byOperation/1/done").asLong()).isEqualTo(540);
    assertThat(step.at("/byOperation/1/perSecond").asDouble()).isEqualTo(108);
    assertThat(step.at("/byOperation/1/serviceTime/p99Millis").asDouble()).isEqualTo(240.5);
  }

  @Test
  void hasEveryPromisedField() throws Exception {
    SampleRun.fill(run);

    JsonNode report = json(run.report());

    assertThat(report.at("/run").asText()).isEqualTo("calm-heron");
    assertThat(report.at("/profile").asText()).isEqualTo("mptstore-postgresql");
    assertThat(report.at("/dataset").asText()).isEqualTo("patents");
    assertThat(report.at("/objects/requested").asLong()).isEqualTo(300);
    assertThat(report.at("/objects/ingested").asLong()).isEqualTo(300);
    assertThat(report.at("/objects/failed").asLong()).isZero();
    assertThat(report.at("/objects/verified").asLong()).isEqualTo(50);
    assertThat(report.at("/triples/expected").asLong()).isEqualTo(11_100);
    assertThat(report.at("/triples/counted").asLong()).isEqualTo(11_100);
    assertThat(report.at("/samples/dropped").asLong()).isZero();
    for (String number :
        List.of(
            "/throughput/objectsPerSecond",
            "/throughput/growth/toObjects",
            "/throughput/growth/toMillis",
            "/throughput/growth/high",
            "/latency/p50Millis",
            "/latency/p95Millis",
            "/latency/p99Millis",
            "/latency/maxMillis",
            "/samples/received",
            "/stages/0/count",
            "/stages/0/totalMillis",
            "/stages/0/selfMillis",
            "/stages/0/p50Micros",
            "/stages/0/p99Micros",
            "/stages/0/maxMicros")) {
      assertThat(report.at(number).isNumber()).as(number).isTrue();
      assertThat(report.at(number).asDouble()).as(number).isPositive();
    }
    assertThat(report.at("/stages/0/name").isTextual()).isTrue();
  }

  @Test
  void keepsItsShape() throws Exception {
    SampleRun.fill(run);
    Golden.assertSame("done.json", JsonReport.of(run.report()) + "\n");
  }

  @Test
  void hasEachOperationWithServiceAndResponseTimes() throws Exception {
    SampleRun.fill(run);
    assertThat(json(run.report()).at("/latency/model").asText()).isEqualTo("closed");
    run.operation("purge", 1, 1, 1_000_000, 3_000_000, 4_000_000, 204, "");
    run.operation("purge", 1, 1, 9_000_000, 9_000_000, 1, 500, "no");

    JsonNode report = json(run.report());

    assertThat(report.at("/operations")).hasSize(2);
    assertThat(report.at("/operations/0/name").asText()).isEqualTo("ingest");
    assertThat(report.at("/operations/0/serviceTime")).isEqualTo(withoutParts(report));
    assertThat(report.at("/operations/1"))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"name": "purge", "count": 2, "failed": 1, "givenUp": 1, "late": 1,
                     "serviceTime": {"count": 1, "meanMillis": 4, "p50Millis": 4, "p95Millis": 4,
                       "p99Millis": 4, "maxMillis": 4},
                     "responseTime": {"count": 1, "meanMillis": 6, "p50Millis": 6, "p95Millis": 6,
                       "p99Millis": 6, "maxMillis": 6}}"""));
    assertThat(report.at("/requests/failures/0/operation").asText()).isEqualTo("purge");
    assertThat(report.at("/latency/model").asText()).isEqualTo("open");
  }

  @Test
  void hasWhatBecameOfTheLoad() throws Exception {
    SampleRun.fill(run);
    run.load = SampleLoad.ramp();
    JsonNode ramp = json(run.report());

    assertThat(ramp.at("/load/highestCleanRate").asDouble()).isEqualTo(40);
    assertThat(ramp.at("/load/steps")).hasSize(4);
    assertThat(ramp.at("/load/steps/3"))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"outcome": "not-held", "workers": 64, "ratePerSecond": 60.0, "seconds": 200,
                     "ingested": 9422, "objectsPerSecond": 47.11, "operations": 9422,
                     "operationsPerSecond": 47.11, "failedRequests": 0, "late": 2315,
                     "serviceTime": {"p50Millis": 80.1, "p95Millis": 120, "p99Millis": 240.5,
                       "maxMillis": 400},
                     "responseTime": {"p50Millis": 4880, "p95Millis": 6000, "p99Millis": 7140,
                       "maxMillis": 8460}, "byOperation": []}"""));

    long start = 101_000_000_000L;
    run.phases = List.of(new RunDocument.Phase("ingest", start, 2 * start));
    run.load = SampleLoad.paused(start + 1_000_000_000L, start + 3_500_000_000L);
    assertThat(json(run.report()).at("/load").toString())
        .contains("\"pauses\":[{\"afterSeconds\":1,\"seconds\":2.5}]")
        .contains("\"changes\":[{\"afterSeconds\":3.5,\"workers\":8,\"ratePerSecond\":20.0}]");
  }

  /** The times of all ingests as {@code latency} has them. */
  private static JsonNode withoutParts(JsonNode report) {
    ObjectNode latency = report.get("latency").deepCopy();
    return latency.remove(List.of("kind", "model", "scope", "cold", "warm"));
  }

  @Test
  void hasTheSameFieldsForAFailedAndAMonitoringRun() throws Exception {
    SampleRun.fill(run);
    List<String> fields = names(json(run.report()));
    run.sql("DELETE FROM requests");
    run.sql("DELETE FROM samples");
    run.phases = List.of();
    run.state = "failed";
    run.failure = new Failure("start", "no", null);
    run.objects = null;

    JsonNode failed = json(run.report());

    assertThat(names(failed)).isEqualTo(fields);
    assertThat(failed.at("/endedWell").asBoolean()).isFalse();
    assertThat(failed.at("/failure/step").asText()).isEqualTo("start");
    assertThat(failed.at("/throughput/objectsPerSecond").isNull()).isTrue();
    assertThat(failed.at("/latency/p50Millis").isNull()).isTrue();
    assertThat(names(json(run.monitoringReport()))).isEqualTo(fields);
    assertThat(json(run.monitoringReport()).at("/objects/requested").isNull()).isTrue();
  }

  private static JsonNode json(RunReport report) throws Exception {
    String text = JsonReport.of(report);
    assertThat(text).doesNotContain("NaN");
    return new ObjectMapper().readTree(text);
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
