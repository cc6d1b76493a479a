package org.fedometer.driver.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.content.ChecksumChoice;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.RepositoryDescription;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.driver.fedora.TripleCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing of a probe stays in Fedora, whatever Fedora makes of it. */
@Timeout(60)
class ProbeObjectTest {

  private ScriptedFedora fedora;
  private FedoraClient client;
  private ProbeObject probe;

  @BeforeEach
  void acceptingFedora() throws IOException {
    fedora = new ScriptedFedora(Datasets.open("patents:small", DatasetOptions.unlimited("patent")));
    client =
        FedoraClient.open(
            new FedoraLogin(fedora.url(), "fedoraAdmin", "secret".toCharArray()),
            new FedoraClientOptions(
                2, Duration.ofSeconds(5), Duration.ofSeconds(2), Duration.ofSeconds(10)));
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              exchange.readBody();
              fedora.replace(probe.object());
              exchange.answer(201, pid);
            };
  }

  @AfterEach
  void end() {
    client.close();
    fedora.close();
  }

  @Test
  void itIsIngestedReadBackAndPurged() throws IOException {
    ProbeObject.Outcome outcome = send(ContentPath.IN_REQUEST);

    assertThat(outcome.problem()).isEmpty();
    assertThat(outcome.remains()).isEmpty();
    assertThat(outcome.pid()).startsWith("patent:fedometer-probe-");
    assertThat(fedora.ingests).hasSize(1);
    assertThat(fedora.purged).containsExactly(outcome.pid());
    assertThat(fedora.objects()).isZero();
    assertThat(fedora.flushes).as("of what was added, and of what was removed").hasValue(2);
  }

  @Test
  void anUploadIsMadeForIt() throws IOException {
    assertThat(send(ContentPath.UPLOAD).problem()).isEmpty();

    assertThat(fedora.uploads).hasSize(1);
    assertThat(fedora.objects()).isZero();
  }

  @Test
  void reportsARefusalWithFedorasMessage() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              exchange.readBody();
              exchange.answer(403, "Authorization failed");
            };

    ProbeObject.Outcome outcome = send(ContentPath.IN_REQUEST);

    assertThat(outcome.problem())
        .hasValueSatisfying(
            text -> assertThat(text).contains("refuses the ingest", "403", "Authorization failed"));
    assertThat(outcome.remains()).isEmpty();
    assertThat(fedora.purged).isEmpty();
  }

  @Test
  void reportsContentThatFedoraCouldNotFetch() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              exchange.readBody();
              exchange.answer(500, "");
            };

    assertThat(send(ContentPath.URL).problem())
        .hasValueSatisfying(text -> assertThat(text).contains("did not fetch PROBE"));
  }

  @Test
  void whatReadsBackOtherwiseIsPurgedAllTheSame() throws IOException {
    fedora.answers =
        path ->
            path.endsWith("/PROBE/content")
                ? new ScriptedFedora.Reply(200, "text/xml", "<other/>")
                : null;

    ProbeObject.Outcome outcome = send(ContentPath.IN_REQUEST);

    assertThat(outcome.problem())
        .hasValueSatisfying(text -> assertThat(text).contains("differs when read back"));
    assertThat(fedora.objects()).isZero();
  }

  @Test
  void lostTriplesAreCounted() throws IOException {
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              exchange.readBody();
              fedora.replace(probe.object());
              fedora.withoutTriples.add(pid);
              exchange.answer(201, pid);
            };

    assertThat(send(ContentPath.IN_REQUEST).problem())
        .hasValueSatisfying(text -> assertThat(text).contains("has 0 triples of it"));
    assertThat(fedora.objects()).isZero();
  }

  @Test
  void oneThatArrivesAfterItsAnswerWasGivenUpIsPurged() throws Exception {
    CountDownLatch lookedFor = new CountDownLatch(1);
    fedora.answers =
        path -> {
          if (path.startsWith("/objects/patent:fedometer-probe-")) {
            lookedFor.countDown();
          }
          return null;
        };
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              exchange.readBody();
              try {
                // Fedora is slow, and does not notice that the client has gone.
                lookedFor.await(30, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              fedora.replace(probe.object());
              exchange.end();
            };

    ProbeObject.Outcome outcome = send(ContentPath.IN_REQUEST);

    assertThat(outcome.problem()).isPresent();
    assertThat(outcome.remains()).isEmpty();
    assertThat(fedora.purged).containsExactly(outcome.pid());
    assertThat(fedora.objects()).isZero();
  }

  @Test
  void anInterruptionPurgesIt() throws Exception {
    CountDownLatch ingested = new CountDownLatch(1);
    fedora.script =
        (pid, attempt) ->
            exchange -> {
              exchange.readBody();
              fedora.replace(probe.object());
              ingested.countDown();
              exchange.hang();
            };
    probe = probe(ContentPath.IN_REQUEST);
    Thread interrupter =
        new Thread(
            () -> {
              try {
                ingested.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              probe.interrupt();
            });
    interrupter.start();

    ProbeObject.Outcome outcome = probe.send();
    interrupter.join();

    assertThat(outcome.problem()).contains("It was interrupted.");
    assertThat(outcome.remains()).isEmpty();
    assertThat(fedora.objects()).isZero();
  }

  @Test
  void whatFedoraDoesNotLetGoIsNamed() throws IOException {
    fedora.purgeAnswers = pid -> new ScriptedFedora.Reply(403, "text/plain", "not you");

    ProbeObject.Outcome outcome = send(ContentPath.IN_REQUEST);

    assertThat(outcome.problem()).isEmpty();
    assertThat(outcome.remains())
        .hasValueSatisfying(text -> assertThat(text).contains(outcome.pid(), "403", "not you"));
  }

  @Test
  void sendsNothingIfTheLoginIsRefused() {
    fedora.acceptsLogin = false;

    assertThatThrownBy(() -> send(ContentPath.IN_REQUEST))
        .isInstanceOf(LoginRefusedException.class);
    assertThat(fedora.ingests).isEmpty();
  }

  @Test
  void aFedoraDescribesItself() throws IOException {
    RepositoryDescription said =
        RepositoryDescription.read(
            new ByteArrayInputStream(
                """
                <fedoraRepository><repositoryVersion>3.8.1</repositoryVersion>
                <repositoryPID>    <PID-namespaceIdentifier>changeme</PID-namespaceIdentifier>
                <retainPID>demo</retainPID>    <retainPID>test</retainPID></repositoryPID>
                </fedoraRepository>
                """
                    .getBytes(StandardCharsets.UTF_8)));

    assertThat(said)
        .isEqualTo(new RepositoryDescription("3.8.1", "changeme", Set.of("demo", "test")));
  }

  @Test
  void detectsTheTriplestoreByItsForm() throws IOException {
    try (FedoraSession session = client.newSession()) {
      TripleCounter counter = new TripleCounter(session);
      fedora.answers = form("spo");
      assertThat(counter.supportsItql()).isFalse();
      fedora.answers = form("itql");
      assertThat(counter.supportsItql()).isTrue();
    }
  }

  private static ScriptedFedora.Answers form(String language) {
    Map<String, String> forms =
        Map.of("/risearch", "<html><option value=\"" + language + "\">x</option></html>");
    return path ->
        forms.containsKey(path)
            ? new ScriptedFedora.Reply(200, "text/html", forms.get(path))
            : null;
  }

  private ProbeObject probe(ContentPath path) {
    return new ProbeObject(
        client, "patent", ContentOptions.of(path, Packaging.FOXML, ChecksumChoice.NONE), true);
  }

  private ProbeObject.Outcome send(ContentPath path) throws IOException {
    probe = probe(path);
    return probe.send();
  }
}
