package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.fedometer.analysis.OtherDigits;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.Resampling;
import org.fedometer.analysis.statistics.Scope;
import org.fedometer.analysis.statistics.Verdict;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.LoadChange;
import org.fedometer.store.RunDocument.Profile;
import org.fedometer.store.RunStore;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileComparisonTest {

  @TempDir private Path folder;

  private StoredRun run(String name) {
    return new StoredRun(folder, name);
  }

  @TempDir private static Path experimentsFolder;

  private static ProfileComparison experiment;

  /** Three runs each, in turns; the second profile indexes in half the time. */
  @BeforeAll
  static void runAnExperiment() throws Exception {
    for (int repetition = 1; repetition <= 3; repetition++) {
      new StoredRun(experimentsFolder, "e." + repetition + ".first")
          .of("slow")
          .in("e", "first", repetition, repetition)
          .write();
      StoredRun faster =
          new StoredRun(experimentsFolder, "e." + repetition + ".second")
              .of("fast")
              .in("e", "second", repetition, repetition);
      faster.indexMillis = 5;
      faster.memoryBytes = 2_000_000_000;
      faster.write();
    }
    experiment =
        ProfileComparison.of(
            Lineup.of(RunStore.at(experimentsFolder), List.of("e"), null), Choices.DEFAULT);
  }

  private ProfileComparison compared(String... arguments) throws Exception {
    return compared(Choices.DEFAULT, arguments);
  }

  private ProfileComparison compared(Choices choices, String... arguments) throws Exception {
    return ProfileComparison.of(Lineup.of(RunStore.at(folder), List.of(arguments), null), choices);
  }

  private static RatioEstimate only(ProfileComparison comparison, Metric metric) {
    assertThat(comparison.contenders()).hasSize(1);
    return comparison.contenders().get(0).service(metric).orElseThrow();
  }

  private static JsonNode json(ProfileComparison comparison) throws Exception {
    return new ObjectMapper().readTree(JsonProfileComparison.of(comparison, List.of()));
  }

  private static String text(ProfileComparison comparison) {
    return TextProfileComparison.of(comparison, new TextStyle(80, true, false));
  }

  @Test
  void reportsWhichProfileIsBetterByHowMuchAndWhy() throws Exception {
    ProfileComparison comparison = experiment;

    RatioEstimate throughput = only(comparison, Metric.THROUGHPUT);
    assertThat(throughput.scope()).isEqualTo(Scope.BETWEEN_RUNS);
    assertThat(throughput.verdict()).isEqualTo(Verdict.BETTER);
    assertThat(throughput.ratio()).isCloseTo(21.0 / 16, within(0.03));
    assertThat(throughput.ratio()).isBetween(throughput.low(), throughput.high());
    assertThat(comparison.contenders().get(0).sides().paired()).isTrue();
    StageDifference first = comparison.contenders().get(0).stages().get(0);
    assertThat(first.stage()).isEqualTo("index.fields");
    assertThat(first.differenceNanos()).isCloseTo(-5e6, within(0.1e6));
    assertThat(first.bounds().high()).isLessThan(-4.8e6);
    assertThat(first.scope()).isEqualTo(Scope.BETWEEN_RUNS);
    assertThat(first.baselineShare()).isCloseTo(10.0 / 21, within(0.01));
    assertThat(ComparisonSummary.of(comparison.contenders().get(0), comparison.choices()))
        .matches(
            "B ingests 1\\.3\\d times as many objects as A \\(1\\.\\d\\d to 1\\.\\d\\d\\)\\. Most of"
                + " the difference is in index\\.fields: from (10\\.0|9\\.9\\d|10\\.1) ms to"
                + " (5\\.0\\d|4\\.9\\d) ms per object \\(48 to 31 % of the time\\)\\. Of service"
                + " times, mean, p50, p95 and p99 are better\\. All runs were steady from object"
                + " \\d+\\.");
  }

  @Test
  void theJsonHasWhatGatesAndProgramsNeed() throws Exception {
    JsonNode json = json(experiment);

    assertThat(json.at("/schema").asInt()).isEqualTo(1);
    assertThat(json.at("/experiment").asText()).isEqualTo("e");
    assertThat(json.at("/comparisons/0/baseline").asText()).isEqualTo("first");
    assertThat(json.at("/comparisons/0/contender").asText()).isEqualTo("second");
    assertThat(json.at("/comparisons/0/sentence").asText())
        .startsWith("second ingests 1.3")
        .contains("times as many objects as first");
    for (String metric : List.of("throughput", "mean", "p50", "p95", "p99")) {
      JsonNode node = json.at("/comparisons/0").get(metric);
      assertThat(node.get("ratio").asDouble())
          .isBetween(node.get("low").asDouble(), node.get("high").asDouble());
      assertThat(node.get("verdict").asText()).isEqualTo("better");
      assertThat(node.get("scope").asText()).isEqualTo("between-runs");
    }
    assertThat(json.at("/comparisons/0/mean/ratio").asDouble())
        .as("in the metric's own unit")
        .isLessThan(1);
    assertThat(json.at("/comparisons/0/response").isNull()).isTrue();
    assertThat(json.at("/runs")).hasSize(6);
    assertThat(json.at("/runs/0/steadyState/state").asText()).isEqualTo("steady");
    assertThat(json.at("/runs/0/resources/gcShare").asDouble()).isCloseTo(0.02, within(0.006));
    assertThat(json.at("/runs/0/resources/fedoraCpuMillisPerObject").asDouble())
        .isCloseTo(8, within(0.4));
    assertThat(json.at("/runs/0/resources/diskWrittenBytesPerObject").asDouble())
        .isCloseTo(40_000, within(2_000.0));
    assertThat(json.at("/runs/0/limit/resource").asText()).isEqualTo("processors");
  }

  @Test
  void theTableFitsATerminalOfEightyColumns() throws Exception {
    String text = text(experiment);

    assertThat(text.lines()).allMatch(line -> line.length() <= 80);
    assertThat(text)
        .contains(
            """
            Experiment e
            A  first, the baseline: 3 runs
            B  second: 3 runs
            """)
        .contains("B against A: second")
        .contains("B/A", "95 % interval", "verdict", "objects/s", "service time p99")
        .contains("3 runs of A, 3 runs of B. Between runs, in pairs")
        .contains("service times of a closed model; users would wait longer")
        .contains("for throughput: second (")
        .contains("it has 2.00 times the memory of first");
  }

  @Test
  void aProfileAgainstItselfIsNotCalledBetter() throws Exception {
    for (int i = 1; i <= 3; i++) {
      run("e." + i + ".first").in("e", "first", i, i).write();
      run("e." + i + ".second").in("e", "second", i, i).write();
    }

    ProfileComparison comparison = compared("e");

    assertThat(comparison.contenders().get(0).service())
        .extracting(RatioEstimate::verdict)
        .hasSize(5)
        .contains(Verdict.SAME)
        .doesNotContain(Verdict.BETTER, Verdict.WORSE);
  }

  @Test
  void comparesSingleRunsWithinRunsAndSaysSo() throws Exception {
    run("one").of("slow").write();
    StoredRun faster = run("two").of("fast");
    faster.indexMillis = 5;
    faster.write();

    ProfileComparison comparison = compared("one", "two");

    assertThat(only(comparison, Metric.THROUGHPUT).scope()).isEqualTo(Scope.WITHIN_RUN);
    assertThat(only(comparison, Metric.THROUGHPUT).verdict()).isEqualTo(Verdict.BETTER);
    StageDifference stage = comparison.contenders().get(0).stages().get(0);
    assertThat(stage.stage()).isEqualTo("index.fields");
    assertThat(stage.scope()).isEqualTo(Scope.WITHIN_RUN);
    assertThat(stage.isClear()).isTrue();
    assertThat(text(comparison)).contains("Within-run: does not cover run-to-run variation");
    JsonNode json = json(comparison);
    assertThat(json.at("/comparisons/0/mean/coversRunToRunVariation").asBoolean(true)).isFalse();
  }

  private StoredRun ofMillis(String name, long millis) {
    StoredRun run = run(name).of(name);
    run.durationNanos = new long[200];
    Arrays.fill(run.durationNanos, millis * StoredRun.MILLI);
    run.imported = new RunDocument.Imported("durations", name, "00", 1, "ms", null, 200, null);
    run.telemetry = false;
    return run;
  }

  @Test
  void reportsNothingBelowTheResolution() throws Exception {
    ofMillis("zeros", 0).write();
    ofMillis("ones", 1).write();
    ofMillis("twos", 2).write();

    ProfileComparison comparison = compared("zeros", "ones", "twos");

    assertThat(text(comparison))
        .contains("It is unknown whether ")
        .doesNotContain("Infinity")
        .doesNotContain("NaN");
    assertThat(comparison.remarks())
        .contains(
            "The runs zeros, ones, twos have a resolution of 1.00 ms: smaller differences are not"
                + " visible, and no interval is narrower.");
    assertThat(comparison.recommendations())
        .extracting(Recommendation::goal)
        .doesNotContain(Recommendation.Goal.P99);
    assertThat(comparison.recommendations())
        .extracting(Recommendation::best)
        .doesNotContain("zeros");
    JsonNode p50 = json(comparison).at("/comparisons/0/p50");
    assertThat(p50.get("ratio").isNull()).isTrue();
    assertThat(p50.get("verdict").asText()).isEqualTo("inconclusive");
    assertThat(json(comparison).at("/runs/0/resolutionMillis").asDouble()).isEqualTo(1);
    assertThat(CsvProfileComparison.of(comparison)).doesNotContain("Infinity", "NaN");
    assertThat(Gate.results(List.of(Gate.parse("p50 > 2")), comparison))
        .allMatch(Gate.Result::failed);
  }

  private String sentence(StoredRun before, StoredRun after) throws Exception {
    before.of("before").write();
    after.of("after").write();
    ProfileComparison comparison = compared("before", "after");
    return ComparisonSummary.of(comparison.contenders().get(0), comparison.choices());
  }

  /**
   * As with {@code triplestore.syncUpdates}: each request now writes data that a thread wrote later
   * before.
   */
  @Test
  void aStageThatMovesIntoTheRequestsIsTheCause() throws Exception {
    StoredRun before = run("before");
    before.moreMillis = Map.of("triples.insert", 0.5);
    before.outsideMillis = Map.of("triples.insert", 12.0);
    StoredRun after = run("after");
    after.moreMillis = Map.of("triples.insert", 20.0);

    assertThat(sentence(before, after))
        .containsPattern(
            "Most of the difference is in triples\\.insert in requests: from (49\\d|50\\d) µs to (20\\.\\d|19\\.\\d)"
                + " ms per object \\(2 to 49 % of the time\\)");
    List<StageDifference> both =
        compared("before", "after").contenders().get(0).stages().stream()
            .filter(stage -> stage.stage().equals("triples.insert"))
            .toList();
    assertThat(both).extracting(StageDifference::outside).containsExactly(false, true);
    assertThat(both.get(1).differenceNanos()).isCloseTo(-12e6, within(0.2e6));
    assertThat(both.get(1).contenderNanos()).isZero();
    assertThat(both).allMatch(StageDifference::isClear);
  }

  @Test
  void namesValidationAsTheCauseIfItIsSlower() throws Exception {
    StoredRun after = run("after");
    after.validateMillis = 25;

    assertThat(sentence(run("before"), after))
        .containsPattern(
            "Most of the difference is in ingest\\.validate: from (10|9)\\.\\d+ ms to 2[45]\\.\\d ms per object");
  }

  @Test
  void aCustomStageThatSleepsIsTheCause() throws Exception {
    StoredRun after = run("after");
    after.moreMillis = Map.of("custom.sleep", 15.0);

    assertThat(sentence(run("before"), after))
        .containsPattern(
            "Most of the difference is in custom\\.sleep: from 0 ns to 1[45]\\.\\d ms per object");
  }

  @Test
  void workOutsideRequestsIsNoCause() throws Exception {
    StoredRun after = run("after");
    after.validateMillis = 12;
    after.outsideMillis = Map.of("triples.insert", 50.0);

    assertThat(sentence(run("before"), after)).doesNotContain("triples.insert");
  }

  @Test
  void theWarmUpOfAnExperimentCountsAsItsFileSaysAndRunsWithoutAPairAreLeftOut() throws Exception {
    for (int block = 1; block <= 3; block++) {
      for (String label : List.of("first", "second")) {
        if (block < 3 || label.equals("first")) {
          StoredRun run = run("e." + block + "." + label);
          run.objects = 200;
          run.samples = false;
          run.telemetry = false;
          run.warmObjects = 80L;
          run.pace = object -> object < 80 ? 3 : 1;
          run.in("e", label, block, block).write();
        }
      }
    }

    ProfileComparison comparison = compared("e");

    assertThat(comparison.profiles())
        .flatExtracting(MeasuredProfile::runs)
        .extracting(run -> run.part().from(), run -> run.part().objects())
        .containsOnly(tuple(80L, 120L));
    assertThat(RunReport.of(RunStore.at(folder).run("e.1.first")).speed().warmUp())
        .isEqualTo(new WarmUp(WarmUp.Verdict.GIVEN, 80));
    assertThat(comparison.profiles().get(0).runs().get(0).part().service().statistics().meanNanos())
        .isCloseTo(21e6, within(1e6));
    assertThat(comparison.contenders().get(0).sides().baseline()).hasSize(2);
    assertThat(comparison.remarks())
        .contains(
            "The run e.3.first has no partner in its block: the ratios of second to first leave it"
                + " out.");
  }

  @Test
  void manyProfilesAreHeldAgainstOneBaseline() throws Exception {
    List<String> names = new ArrayList<>();
    for (int profile = 0; profile < 3; profile++) {
      for (int i = 0; i < 2; i++) {
        StoredRun run = run("p" + profile + "-" + i).of("profile-" + profile);
        run.indexMillis = 10 + 5 * profile;
        run.write();
        names.add("p" + profile + "-" + i);
      }
    }

    ProfileComparison comparison = compared(names.toArray(String[]::new));

    assertThat(comparison.contenders())
        .extracting(contender -> contender.profile().label())
        .containsExactly("profile-1", "profile-2");
    assertThat(comparison.contenders())
        .allMatch(c -> c.service(Metric.THROUGHPUT).orElseThrow().verdict() == Verdict.WORSE)
        .noneMatch(c -> c.sides().paired());
    assertThat(text(comparison).lines()).allMatch(line -> line.length() <= 80);
    assertThat(CsvProfileComparison.of(comparison).split("\r\n"))
        .hasSize(1 + 2 * 5)
        .anyMatch(line -> line.startsWith("profile-0,profile-2,service,p99,ms,"));
  }

  @Test
  void runsWithoutSamplesAndTelemetryAreComparedByTheirRequests() throws Exception {
    for (String name : List.of("one", "two")) {
      StoredRun run = run(name);
      run.profile = null;
      run.samples = false;
      run.telemetry = false;
      run.write();
    }

    ProfileComparison comparison = compared("one", "two");

    assertThat(only(comparison, Metric.MEAN).ratio()).isCloseTo(1, within(0.05));
    assertThat(comparison.contenders().get(0).stages()).isEmpty();
    assertThat(comparison.remarks())
        .contains(
            "The runs one, two have no samples of Fedora's stages: the comparison cannot show where the"
                + " time went.");
    JsonNode json = json(comparison);
    assertThat(json.at("/runs/0/resources/gcShare").isNull()).isTrue();
    assertThat(json.at("/runs/0/limit/resource").asText()).isEqualTo("unknown");
    assertThat(text(comparison)).contains("Nothing is on record.");
  }

  @Test
  void aRunThatIngestedNothingIsReportedAndFailsAGate() throws Exception {
    run("one").write();
    StoredRun failed = run("two").of("broken");
    failed.objects = 0;
    failed.samples = false;
    failed.state = "failed";
    failed.write();

    ProfileComparison comparison = compared("one", "two");

    assertThat(comparison.contenders().get(0).service()).isEmpty();
    assertThat(comparison.remarks())
        .anyMatch(remark -> remark.contains("two is not complete (failed)"))
        .anyMatch(remark -> remark.contains("two has no acknowledged ingest"));
    assertThat(text(comparison)).contains("B cannot be compared with A");
    assertThat(json(comparison).at("/comparisons/0/throughput").isNull()).isTrue();
    assertThat(Gate.results(List.of(Gate.parse("mean worse")), comparison))
        .allMatch(Gate.Result::failed);
  }

  @Test
  void namesFromOutsideSteerNeitherTheTerminalNorASpreadsheet() throws Exception {
    run("one").of("=cmd()\u001b[31m\u202e\n\"x\"").write();
    run("two").of("-2+3").write();

    ProfileComparison comparison = compared("one", "two");

    assertThat(text(comparison)).doesNotContain("\u001b");
    assertThat(text(comparison).lines()).allMatch(line -> line.length() <= 80);
    String csv = CsvProfileComparison.of(comparison);
    assertThat(csv).contains("\"'=cmd()\\u001b[31m\\u202e\\n\"\"x\"\"\",'-2+3,service,throughput");
    assertThat(json(comparison).at("/comparisons/0/contender").asText()).isEqualTo("-2+3");
  }

  @Test
  void aGateFailsForAProfileOfWhichNoRunCounts() throws Exception {
    StoredRun.experimentInWhichFails("third", folder);

    List<Gate.Result> results =
        Gate.results(List.of(Gate.parse("throughput < 0.1")), compared("e"));
    assertThat(results).extracting(Gate.Result::contender).containsExactly("second", "third");
    assertThat(results).extracting(Gate.Result::failed).containsExactly(false, true);
  }

  @Test
  void aRunThatHasSamplesAndNoneOfAWaitCountsAsOneThatDidNotWait() throws Exception {
    for (String name : List.of("a2", "b1", "b2")) {
      run(name).of(name.substring(0, 1)).write();
    }
    StoredRun waits = run("a1").of("a");
    waits.poolMillis = 10;
    waits.write();

    Contender contender = compared("a1", "a2", "b1", "b2").contenders().get(0);
    ResourceComparison.Line pool =
        ResourceComparison.of(contender).stream()
            .filter(line -> line.name().equals("waiting in pool.acquire, per object"))
            .findFirst()
            .orElseThrow();
    assertThat(pool.baseline()).isCloseTo(5e6, within(0.3e6));
    assertThat(pool.contender()).isZero();
  }

  @Test
  void aRunWithTooFewObjectsLeavesTheOtherToWithinRunVariation() throws Exception {
    for (String name : List.of("a1", "b1", "b2")) {
      run(name).of(name.substring(0, 1)).write();
    }
    StoredRun small = run("a2").of("a");
    small.objects = 5;
    small.write();

    RatioEstimate throughput = only(compared("a1", "a2", "b1", "b2"), Metric.THROUGHPUT);
    assertThat(throughput.scope()).isEqualTo(Scope.WITHIN_RUN);
  }

  @Test
  void aDatabaseServerThatIsNotOnRecordDoesNotCountAsNothing() throws Exception {
    for (String name : List.of("one", "two")) {
      StoredRun run = run(name).of(name);
      run.profile =
          new Profile(name, Map.of("database", "postgresql", "triplestore", name), Map.of());
      run.databaseTelemetry = name.equals("one");
      run.write();
    }

    ProfileComparison comparison = compared("one", "two");

    ResourceUse unknown = comparison.profiles().get(1).runs().get(0).resources();
    assertThat(comparison.profiles().get(0).runs().get(0).resources().memoryBytes()).isNotNull();
    assertThat(unknown.memoryBytes()).isNull();
    assertThat(unknown.diskWrittenBytes()).isNull();
    assertThat(unknown.cpuNanos()).isNull();
    assertThat(unknown.processorsBusy()).isNull();
    assertThat(unknown.fedoraCpuNanos()).isNotNull();
    assertThat(comparison.recommendations())
        .extracting(Recommendation::goal)
        .containsExactly(Recommendation.Goal.THROUGHPUT, Recommendation.Goal.P99);
  }

  @Test
  void reportsAPairThatDidNotRunConsecutively() throws Exception {
    for (int block = 1; block <= 2; block++) {
      run("e." + block + ".first").of("slow").in("e", "first", block, block).write();
      StoredRun later = run("e." + block + ".second").of("fast").in("e", "second", block, block);
      later.daysLater = block - 1;
      later.write();
    }

    assertThat(compared("e").remarks())
        .filteredOn(remark -> remark.contains("are a pair"))
        .singleElement()
        .asString()
        .contains("e.2.first and e.2.second", "began 24.0 h");
  }

  @Test
  void reportsTheLoadModelOfImportedRequestsAsUnknown() throws Exception {
    for (String name : List.of("one", "two")) {
      StoredRun run = run(name).of(name);
      run.imported =
          new RunDocument.Imported("durations", name + ".txt", "00", 1000, "ms", null, 300, null);
      run.write();
    }

    ProfileComparison comparison = compared("one", "two");

    assertThat(text(comparison).replaceAll("\\s+", " "))
        .contains("how the imported requests were sent is not known")
        .doesNotContain("closed model");
    assertThat(json(comparison).at("/runs/0/model").isNull()).isTrue();
  }

  @Test
  void underARateResponseTimesAreComparedAsWell() throws Exception {
    for (String name : List.of("one", "two")) {
      StoredRun run = run(name).of(name);
      run.ratePerSecond = 150.0;
      // One of them stalls, and what is due meanwhile waits.
      run.pace = object -> name.equals("two") && object % 100 < 8 ? 10 : 1;
      run.write();
    }

    ProfileComparison comparison = compared("one", "two");

    RatioEstimate service = only(comparison, Metric.P50);
    RatioEstimate response = comparison.contenders().get(0).response(Metric.P95).orElseThrow();
    assertThat(service.ratio()).isCloseTo(1, within(0.05));
    assertThat(response.ratio()).isGreaterThan(3);
    assertThat(text(comparison)).contains("response time p95").doesNotContain("closed model;");
    assertThat(json(comparison).at("/comparisons/0/response/p95/ratio").asDouble())
        .isGreaterThan(3);
    assertThat(CsvProfileComparison.of(comparison)).contains(",response,p95,ms,");
  }

  @Test
  void atEqualSizeOnlyWhatAllLoadedCounts() throws Exception {
    StoredRun longer = run("one").of("one");
    longer.objects = 500;
    longer.write();
    run("two").of("two").write();

    Choices equal = new Choices(0.03, 0.95, Resampling.DEFAULT, true, null);
    ProfileComparison comparison = compared(equal, "one", "two");

    assertThat(comparison.sizes().to()).isEqualTo(300);
    assertThat(comparison.profiles()).allMatch(p -> p.runs().get(0).part().objects() <= 300);
    assertThat(text(comparison)).contains("Compared at equal size: objects ");

    StoredRun tiny = run("tiny").of("tiny");
    tiny.objects = 5;
    tiny.write();
    assertThatThrownBy(() -> compared(equal, "one", "tiny"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without --equal-size");
  }

  @Test
  void isIndependentOfTheLocale() throws Exception {
    for (String name : List.of("one", "two")) {
      StoredRun changing = run(name).of(name);
      changing.objects = 800;
      changing.pace = object -> object < 500 ? 1 : 2;
      changing.write();
    }

    String here = JsonProfileComparison.of(compared("one", "two"), List.of());
    String there =
        OtherDigits.answer(() -> JsonProfileComparison.of(compared("one", "two"), List.of()));

    assertThat(there).isEqualTo(here);
  }

  @Test
  void aChangeOfPaceIsLabelledWithWhatHappenedThen() throws Exception {
    for (String name : List.of("one", "two")) {
      StoredRun changing = run(name).of(name);
      changing.objects = 800;
      changing.pace = object -> object < 500 ? 1 : 2;
      if (name.equals("one")) {
        // The 500th object is done 500 / 4 times 21 ms after the begin.
        long at = 102_625 * StoredRun.MILLI;
        changing.autovacuumAt = at;
        changing.load =
            new RunDocument.Load(
                null, null, List.of(), List.of(), List.of(new LoadChange(at, 8, null)));
      }
      changing.write();
    }

    ProfileComparison comparison = compared("one", "two");

    MeasuredRun one = comparison.profiles().get(0).runs().get(0);
    MeasuredRun two = comparison.profiles().get(1).runs().get(0);
    assertThat(one.changes()).hasSize(1);
    assertThat(one.changes().get(0).change().request()).isBetween(480, 520);
    assertThat(one.changes().get(0).causes())
        .containsExactly("the load was changed to 8 workers", "autovacuum of the database");
    assertThat(two.changes()).isNotEmpty().allMatch(change -> change.causes().isEmpty());
    assertThat(text(comparison).replaceAll("\\s+", " "))
        .contains("the load was changed to 8 workers; autovacuum of the database")
        .contains("no cause on record")
        .contains("2 regimes");
  }

  @Test
  void reportsRunsOfAProfileThatDiffer() throws Exception {
    run("a1").of("one").write();
    run("a2").of("two").write();
    run("b1").of("three").write();

    assertThat(compared("mixed=a1,a2", "b1").remarks())
        .contains("The runs of mixed differ from each other in profile triplestore.");
  }

  @Test
  void whatDiffersBesidesStandsBelow() throws Exception {
    StoredRun first = run("one");
    first.profile = new Profile("mine", Map.of("gc", "g1"), Map.of());
    first.write();
    StoredRun second = run("two");
    second.profile = new Profile("mine", Map.of("gc", "zgc"), Map.of());
    second.objects = 500;
    second.write();

    ProfileComparison comparison = compared("one", "two");

    assertThat(text(comparison))
        .contains(
            """
            Other differences between A and B

            Profile (1)
              gc
                A  g1
                B  zgc

            NOT OF THE PROFILE: spoils the comparison (1)
              workload: objects
                A  300
                B  500
            """);
    assertThat(json(comparison).at("/comparisons/0/differences/notOfProfile/0/second/0").asText())
        .isEqualTo("500");
  }
}
