package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fedometer.analysis.compare.LimitingResource.Kind;
import org.fedometer.analysis.compare.ResourceUse.Wait;
import org.junit.jupiter.api.Test;

class LimitingResourceTest {

  private static ResourceUse use(Double busy, Double gc, Wait... waits) {
    return onMachine(null, busy, gc, waits);
  }

  private static ResourceUse onMachine(Double machine, Double busy, Double gc, Wait... waits) {
    return new ResourceUse(
        2.0, 1e6, 1e6, 2e6, 1e5, busy, machine, gc, 3L, 1e3, 1e9, List.of(waits));
  }

  private static StageTime stage(String name, double share) {
    return new StageTime(name, false, 1e6, share, null);
  }

  @Test
  void theFirstRuleThatHoldsNamesIt() {
    List<StageTime> none = List.of();
    Wait pool = new Wait("pool.acquire", 1e6, 0.3);
    Wait lock = new Wait("ingest.pid.wait", 1e6, 0.3);

    assertThat(LimitingResource.of(use(0.9, 0.2, pool), none, 4, false).kind())
        .isEqualTo(Kind.PROCESSORS);
    assertThat(LimitingResource.of(use(0.5, 0.2, pool), none, 4, false).kind())
        .isEqualTo(Kind.GARBAGE_COLLECTION);
    assertThat(LimitingResource.of(use(0.5, 0.01, pool), none, 4, false).kind())
        .isEqualTo(Kind.CONNECTION_POOL);
    assertThat(LimitingResource.of(use(0.5, null, lock), none, 4, false).kind())
        .isEqualTo(Kind.LOCK);
    assertThat(
            LimitingResource.of(
                    use(0.5, 0.01),
                    List.of(stage("database.insert", 0.4), stage("store.foxml", 0.2)),
                    4,
                    false)
                .kind())
        .isEqualTo(Kind.DISK);
    assertThat(LimitingResource.of(use(0.5, 0.01), none, 4, false).kind()).isEqualTo(Kind.WORKERS);
    assertThat(LimitingResource.of(use(0.5, 0.01), none, 4, true).kind()).isEqualTo(Kind.RATE);
    assertThat(LimitingResource.of(use(null, null), none, 4, false).kind()).isEqualTo(Kind.UNKNOWN);
  }

  @Test
  void processorsThatOthersTookAreMissingAllTheSame() {
    assertThat(LimitingResource.of(onMachine(0.95, 0.3, 0.01), List.of(), 4, false))
        .isEqualTo(
            new LimitingResource(
                Kind.OTHER_PROCESSES,
                "the machine's processors were 95.0 % busy, of which Fedora, database and driver took"
                    + " 30.0 %: other processes took the rest"));
    assertThat(LimitingResource.of(onMachine(0.88, 0.76, 0.01), List.of(), 4, false))
        .isEqualTo(
            new LimitingResource(
                Kind.PROCESSORS,
                "the machine's processors were 88.0 % busy, of which Fedora, database and driver took"
                    + " 76.0 %: the operating system or other processes took the rest"));
    assertThat(LimitingResource.of(onMachine(0.95, null, null), List.of(), 4, false))
        .isEqualTo(
            new LimitingResource(
                Kind.UNKNOWN,
                "the machine's processors were 95.0 % busy; Fedora's share of that is not on record"));
  }

  @Test
  void reasonNamesTheFigure() {
    assertThat(LimitingResource.of(use(0.912, 0.0), List.of(), 4, false).reason())
        .isEqualTo("Fedora, database and driver kept the processors 91.2 % busy (2.00 of them)");
    assertThat(LimitingResource.of(use(0.4, 0.02), List.of(), 4, false).reason())
        .isEqualTo(
            "processors were 40.0 % busy, garbage collection took 2.0 %, and nothing else was"
                + " saturated: 4 workers did not load it more");
  }
}
