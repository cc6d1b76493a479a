package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stages of Fedora, as listed by the agent's jar of the distribution. */
class StagesCommandIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  @TempDir private Path folder;
  private Fedometer fedometer;

  @BeforeEach
  void command() {
    fedometer = new Fedometer(folder);
  }

  @Test
  void theListHasEachStageWithItsGroupAndItsMethods() throws Exception {
    assertThat(fedometer.start("stage", "list").await(TIMEOUT).expect(ExitCode.DONE).out())
        .containsPattern("(?m)^http.request +Requests +StandardWrapperValve.invoke$")
        .containsPattern("(?m)^ingest.validate +Ingest +DOValidatorImpl.validate\\(File, ")
        .containsPattern("(?m)^messaging.send +Messages +MessagingImpl.send");

    JsonNode json =
        fedometer.start("stage", "list", "--json").await(TIMEOUT).expect(ExitCode.DONE).json();
    assertThat(json)
        .hasSizeGreaterThan(80)
        .allSatisfy(
            stage -> {
              assertThat(stage.path("name").asText()).isNotEmpty();
              assertThat(stage.path("group").asText()).isNotEmpty();
              assertThat(stage.path("methods")).isNotEmpty();
            });
  }

  @Test
  void showsAStageAndRejectsAnUnknownOne() throws Exception {
    assertThat(
            fedometer
                .start("stage", "show", "ingest.validate")
                .await(TIMEOUT)
                .expect(ExitCode.DONE)
                .out())
        .startsWith("ingest.validate: Ingest")
        .contains("org.fcrepo.server.validation.DOValidatorImpl.validate(java.io.File, ..)");
    JsonNode json =
        fedometer
            .start("stage", "show", "ingest.validate", "--json")
            .await(TIMEOUT)
            .expect(ExitCode.DONE)
            .json();
    assertThat(json.path("page").asText()).isEqualTo("docs/stages.md");

    assertThat(
            fedometer
                .start("stage", "show", "ingest.valdate")
                .await(TIMEOUT)
                .expect(ExitCode.BAD_USAGE)
                .err())
        .isEqualTo(
            "fedometer: no stage is called 'ingest.valdate'; perhaps you mean ingest.validate\n");
  }
}
