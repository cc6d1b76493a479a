package org.fedometer.driver.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.TinyDataset;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.fedora.ScriptedOperations;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.verify.Verification;
import org.fedometer.driver.verify.Verifier;
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
    DatastreamStudyResult figures = study(120);

    assertThat(figures.added()).isEqualTo(120);
    assertThat(figures.limit()).isNull();
    assertThat(figures.additions())
        .extracting(DatastreamStudyResult.Additions::datastreams)
        .containsExactly(10L, 20L, 50L, 100L, 120L);
    assertThat(figures.additions())
        .extracting(row -> row.timing().count())
        .containsExactly(10, 10, 30, 50, 20);
    assertThat(figures.ingest().complete()).isTrue();
    assertThat(figures.ingest().count(Count.EXPECTED_TRIPLES))
        .isEqualTo(dataset.object(0).triples() + 6 * 120);
  }

  @Test
  void reportsALimitWithFedorasMessage() throws IOException {
    operations.fault =
        (exchange, number) -> {
          if (exchange.path.contains("/ADDED-25?")) {
            exchange.readSizedBody();
            exchange.answer(500, "No more space for datastreams");
            return true;
          }
          return false;
        };

    DatastreamStudyResult figures = study(120);

    assertThat(figures.added()).isEqualTo(25);
    assertThat(figures.limit())
        .isEqualTo("500, No more space for datastreams (given up after 2 attempts)");
    assertThat(figures.ingest().endStatus()).isEqualTo(IngestResult.EndStatus.FINISHED);
  }

  @Test
  void stopsDuringTheIngest() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              exchange.readBody();
              exchange.answer(500, "");
            };
    RetryPolicy patient =
        new RetryPolicy(5, Duration.ofHours(1), Duration.ofHours(1), Duration.ofSeconds(20));
    DatastreamStudy[] study = {null};
    try (FedoraClient client = client()) {
      study[0] =
          new DatastreamStudy(
              client, dataset, 5, true, patient, RequestSink.NONE, event -> study[0].stop());

      DatastreamStudyResult figures = study[0].run();

      assertThat(figures.added()).isZero();
      assertThat(figures.limit()).isNull();
      assertThat(figures.ingest().endStatus()).isEqualTo(IngestResult.EndStatus.STOPPED);
    }
  }

  @Test
  void doesNotFlushWithoutATriplestore() throws IOException {
    ComposedObject whole = dataset.object(0);
    fedora.script =
        (pid, attempt) ->
            attempt > 1
                ? ScriptedFedora.INGEST
                : exchange -> {
                  exchange.readBody();
                  fedora.replace(
                      new ComposedObject(
                          whole.pid(),
                          whole.label(),
                          List.of(whole.content().get(0)),
                          whole.dublinCore(),
                          whole.relationships()));
                  exchange.reset();
                };
    operations.fault =
        (exchange, number) -> {
          boolean asksForTriples = exchange.path.startsWith("/risearch");
          if (asksForTriples) {
            exchange.answer(500, "");
          }
          return asksForTriples;
        };

    DatastreamStudyResult figures = study(20, false);

    assertThat(figures.ingest().count(Count.HALF_MADE)).isEqualTo(1);
    assertThat(figures.ingest().complete()).as("%s", figures.ingest().unrecoverable()).isTrue();
    assertThat(figures.added()).isEqualTo(20);
    assertThat(operations.count("GET /risearch")).isZero();
  }

  @Test
  void aVerificationExpectsWhatTheStudyHasAdded() throws IOException {
    Verification found = verify(study(150), Verifier.Options.standard(1));

    assertThat(found.problems()).isEmpty();
    assertThat(found.equalObjects()).isEqualTo(1);
    assertThat(operations.count("GET /objects/" + dataset.object(0).pid() + "/datastreams/ADDED-"))
        .as("of 150 some are read")
        .isBetween(99L, 220L);
  }

  @Test
  void aVerificationFindsWhatIsMissingOfTheStudyAndWhatIsTooMuch() throws IOException {
    DatastreamStudyResult figures = study(150);
    String pid = dataset.object(0).pid();
    operations.replace(pid, "ADDED-149", "else");
    operations.replace(pid, "ADDED-150", "given up, and left behind");

    assertThat(verify(figures, Verifier.Options.standard(1)).problems())
        .anySatisfy(problem -> assertThat(problem).startsWith(pid + "/ADDED-149 holds 4 bytes"))
        .contains(pid + " has a datastream ADDED-150, which should not be there.");

    operations.lose(pid, "ADDED-5");

    assertThat(verify(figures, Verifier.Options.standard(1)).problems())
        .as("also of one that is not read")
        .contains(pid + " has no datastream ADDED-5.");
  }

  private Verification verify(DatastreamStudyResult figures, Verifier.Options options) {
    try (FedoraClient client = client()) {
      return new Verifier(client, dataset, options, ContentDelivery.inRequest())
          .verify(figures.ingest(), new Verifier.Before(0, 0));
    }
  }

  private FedoraClient client() {
    return FedoraClient.open(
        new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
        FedoraClientOptions.forWorkers(2));
  }

  private DatastreamStudyResult study(long upTo) throws IOException {
    return study(upTo, true);
  }

  private DatastreamStudyResult study(long upTo, boolean triples) throws IOException {
    RetryPolicy quick =
        new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofSeconds(20));
    try (FedoraClient client = client()) {
      return new DatastreamStudy(
              client, dataset, upTo, triples, quick, RequestSink.NONE, RequestListener.NONE)
          .run();
    }
  }
}
