package org.fedometer.experiments.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanDocumentTest {

  @Test
  void containsTheFileItsMeaningAndTheOrder() throws Exception {
    ExperimentPlan plan = Plans.threeCopies("repetitions: 2", "seed: 4");

    JsonNode document = new ObjectMapper().readTree(PlanDocument.of(plan, "01A").bytes());

    assertThat(document.at("/id").asText()).isEqualTo("01A");
    assertThat(document.at("/file").asText()).isEqualTo(plan.file());
    assertThat(document.at("/seed").asLong()).isEqualTo(4);
    assertThat(document.at("/warmObjects").asLong()).isEqualTo(10);
    assertThat(document.at("/runs")).hasSize(6);
    assertThat(document.at("/runs/0/label").asText()).isEqualTo(RunOrder.of(plan).get(0).label());
    assertThat(document.at("/profiles/1/label").asText()).isEqualTo("b");
  }

  @Test
  void aSecretInAChangeIsMaskedAlsoInTheTextOfTheFile() {
    ExperimentPlan plan =
        Plans.parse(
            """
            name: x
            profiles:
              - name: a
                profile: none-derby
                set: {jvm.arguments+: -Da=b -Djavax.net.ssl.trustStorePassword=Pl4nted}
            dataset: patents
            warm: 1
            measured: 1
            """);

    String document = new String(PlanDocument.of(plan, "01A").bytes());

    assertThat(document)
        .doesNotContain("Pl4nted")
        .contains("-Djavax.net.ssl.trustStorePassword=********", "-Da=b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "seed: 2",
        "order: as-written",
        "workers: 5",
        "rate: 5",
        "page-cache: warm",
        "content: upload"
      })
  void whatDecidesMayNotChangeBetweenRunsOfOneExperiment(String line) throws Exception {
    byte[] earlier = PlanDocument.of(Plans.threeCopies(), "01A").bytes();

    assertThat(PlanDocument.of(Plans.threeCopies(line), "01A").difference(earlier)).isPresent();
  }

  @Test
  void allowsMoreRepetitionsAndAnotherStopRuleUnlessRandomised() throws Exception {
    byte[] earlier = PlanDocument.of(Plans.threeCopies("rate: 5"), "01A").bytes();
    ExperimentPlan longer =
        Plans.threeCopies(
            "rate: 5.0", "repetitions: 4", "stop: {until: {throughput: 5 %, max-repetitions: 8}}");

    assertThat(PlanDocument.of(longer, "01A").difference(earlier)).isEmpty();

    byte[] drawn = PlanDocument.of(Plans.threeCopies("order: randomised"), "01A").bytes();
    assertThat(
            PlanDocument.of(Plans.threeCopies("order: randomised", "repetitions: 4"), "01A")
                .difference(drawn))
        .hasValue("repetitions was 3 and is 4");
  }
}
