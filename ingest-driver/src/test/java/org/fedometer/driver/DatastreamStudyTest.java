package org.fedometer.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One object that gets datastreams until there is a limit. */
@Timeout(60)
class DatastreamStudyTest {

  private final TinyDataset dataset = new TinyDataset();
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
  void additionsAreTimedInRowsUpToTheBound() throws IOException {
    DatastreamFigures figures = study(120);

    assertThat(figures.added()).isEqualTo(120);
    assertThat(figures.limit()).isNull();
    assertThat(figures.additions())
        .extracting(DatastreamFigures.Additions::datastreams)
        .containsExactly(10L, 20L, 50L, 100L, 120L);
    assertThat(figures.additions())
        .extracting(row -> row.timing().count())
        .containsExactly(10, 10, 30, 50, 20);
    assertThat(figures.ingest().complete()).isTrue();
    assertThat(figures.ingest().expectedTriples()).isEqualTo(dataset.object(0).triples() + 6 * 120);
  }

  @Test
  void aLimitIsSaidInFedorasWords() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.path.contains("/ADDED-25?")) {
            exchange.readSizedBody();
            exchange.answer(500, "No more room for datastreams");
            return true;
          }
          return false;
        };

    DatastreamFigures figures = study(120);

    assertThat(figures.added()).isEqualTo(25);
    assertThat(figures.limit())
        .isEqualTo("500, No more room for datastreams (given up after 2 attempts)");
    assertThat(figures.ingest().ending()).isEqualTo(IngestResult.Ending.FINISHED);
  }

  private DatastreamFigures study(long upTo) throws IOException {
    RetryPolicy quick =
        new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofSeconds(20));
    try (FedoraClient client =
        FedoraClient.open(
            new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
            FedoraClientOptions.forWorkers(1))) {
      return new DatastreamStudy(
              client, dataset, upTo, quick, RequestSink.NONE, RequestListener.NONE)
          .run();
    }
  }
}
