package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.mix.Mix;
import org.fedometer.driver.mix.MixOptions;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.study.DatastreamStudy;
import org.fedometer.driver.study.DatastreamStudyResult;
import org.fedometer.driver.study.ScaleStudy;
import org.fedometer.driver.study.ScaleStudyResult;
import org.fedometer.driver.verify.Verification;
import org.fedometer.driver.verify.Verifier;
import org.fedometer.profiles.stack.Provisioner;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All operations in a mix, in real Fedoras with either triplestore. */
@Tag("fedora")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperationsIT {

  private static final String EVERYTHING =
      "ingest=8,get-object=2,get-datastream=2,get-dc=2,modify-datastream=3,add-datastream=2,purge=3,"
          + "find-objects=2,find-newest=1,risearch=2,oai-identify=1,oai-list-metadata-formats=1,"
          + "oai-list-sets=1,oai-list-identifiers=1,oai-list-records=1,oai-get-record=2";

  private static final int PRELOAD = 30;

  private final HttpClient http = HttpClient.newHttpClient();
  private Stack mptstore;
  private Stack mulgara;

  @BeforeAll
  void startBothAtOnce(@TempDir Path folder) {
    CompletableFuture<Stack> starting =
        CompletableFuture.supplyAsync(() -> start("mulgara-derby", folder.resolve("mulgara")));
    mptstore = start("mptstore-postgresql", folder.resolve("mptstore"));
    mulgara = starting.join();
  }

  private static Stack start(String profile, Path home) {
    try {
      ProvisioningListener silent = new ProvisioningListener() {};
      Stack stack =
          Provisioner.ofUser().provision(Fedometer.profile(profile), StackOptions.at(home), silent);
      stack.start(silent);
      return stack;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterAll
  void tearDown() throws IOException {
    for (Stack stack : new Stack[] {mptstore, mulgara}) {
      if (stack != null) {
        StackRegistry.ofUser().down(stack.home());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"mptstore, patents:small", "mulgara, patents:small", "mptstore, ndltd:W1"})
  void mixPerformsAllOperations(String store, String spec) throws Exception {
    Stack stack = store.equals("mptstore") ? mptstore : mulgara;
    Dataset dataset = open(stack, spec);
    List<RequestEvent> events = Collections.synchronizedList(new ArrayList<>());
    try (FedoraClient client = client(stack)) {
      Verifier verifier =
          new Verifier(
              client,
              dataset,
              Verifier.Options.standard(1).withEverything(),
              ContentDelivery.inRequest());
      Verifier.Before before = verifier.before();
      IngestResult preload = drive(client, dataset, IngestOptions.of(PRELOAD, 2), event -> {});
      MixOptions mix = new MixOptions(Mix.parse(EVERYTHING), 1, PRELOAD, 20);
      IngestResult result =
          drive(client, dataset, IngestOptions.of(102, 2).withMix(mix), events::add).after(preload);

      assertThat(result.failures().givenUp()).isEmpty();
      assertThat(result.complete()).isTrue();
      assertThat(result.purged()).isEqualTo(9);
      assertThat(result.mix().failedFlushes()).isZero();
      assertThat(events)
          .filteredOn(event -> event.operation() == Operation.FLUSH_TRIPLES)
          .filteredOn(event -> event.outcome() == RequestEvent.Outcome.DONE)
          .as("of 24 + 9 + 6 + 9 writes, every 20")
          .hasSize(2);
      assertThat(done(events))
          .containsAll(result.mix().options().mix().weights().keySet())
          .contains(Operation.FLUSH_TRIPLES);

      Verification found = verifier.verify(result, before);
      assertThat(found.problems()).isEmpty();
      assertThat(found.objectsCounted()).isEqualTo(before.objects() + PRELOAD + 24 - 9);
      assertThat(found.triplesCounted()).isEqualTo(found.triplesExpected());
      assertThat(found.equalObjects()).isEqualTo(PRELOAD + 24 - 9);
    }
    for (RequestEvent event : events) {
      if (event.operation() == Operation.PURGE) {
        assertThat(status(stack, "/objects/" + event.pid())).isEqualTo(404);
      }
    }
  }

  @Test
  void scaleStudyRepeatsEachOperation() throws Exception {
    Dataset dataset = open(mulgara, "ndltd:W1");
    try (FedoraClient client = client(mulgara)) {
      Verifier verifier =
          new Verifier(client, dataset, Verifier.Options.standard(1), ContentDelivery.inRequest());
      Verifier.Before before = verifier.before();
      List<Long> timed = new ArrayList<>();
      ScaleStudy.Sizes sizes =
          new ScaleStudy.Sizes() {
            @Override
            public void growing(long objects, IngestDriver driver) {}

            @Override
            public void timing(long objects) {
              timed.add(objects);
            }
          };
      ScaleStudyResult results =
          new ScaleStudy(
                  client,
                  dataset,
                  new ScaleStudy.Options(199, 2, 2, RetryPolicy.standard(), true),
                  RequestSink.NONE,
                  RequestListener.NONE,
                  sizes)
              .run();

      assertThat(timed).containsExactly(100L);
      Verification found = verifier.verify(results.ingest(), before);
      assertThat(found.problems()).as("what was purged is back").isEmpty();
      assertThat(found.equalObjects()).isEqualTo(100);
      assertThat(results.ingest().complete()).isTrue();
      assertThat(results.failed()).isZero();
      assertThat(results.sizes()).hasSize(1);
      assertThat(results.sizes().get(0).timings())
          .hasSize(15)
          .allSatisfy((operation, timing) -> assertThat(timing.count()).isEqualTo(2));
    }
  }

  @Test
  void datastreamStudyPassesVerification() throws Exception {
    Dataset dataset = open(mptstore, "datastreams");
    try (FedoraClient client = client(mptstore)) {
      Verifier verifier =
          new Verifier(
              client,
              dataset,
              Verifier.Options.standard(1).withEverything(),
              ContentDelivery.inRequest());
      Verifier.Before before = verifier.before();
      DatastreamStudyResult results =
          new DatastreamStudy(
                  client,
                  dataset,
                  12,
                  true,
                  RetryPolicy.standard(),
                  RequestSink.NONE,
                  RequestListener.NONE)
              .run();

      assertThat(results.added()).isEqualTo(12);
      Verification found = verifier.verify(results.ingest(), before);
      assertThat(found.problems()).isEmpty();
      assertThat(found.equalObjects()).isEqualTo(1);
      assertThat(found.triplesCounted()).isEqualTo(found.triplesExpected());
    }
  }

  private static Set<Operation> done(List<RequestEvent> events) {
    return events.stream()
        .filter(
            event ->
                event.outcome() == RequestEvent.Outcome.DONE
                    || event.outcome() == RequestEvent.Outcome.INGESTED)
        .map(RequestEvent::operation)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Operation.class)));
  }

  private static Dataset open(Stack stack, String spec) {
    return Datasets.open(
        spec,
        new DatasetOptions(
            spec.replaceAll("[^a-z]", ""), PidForm.NAMED, stack.literalLimitBytes()));
  }

  private static IngestResult drive(
      FedoraClient client, Dataset dataset, IngestOptions options, RequestListener listener)
      throws IOException {
    return new IngestDriver(client, dataset, options, RequestSink.NONE, listener).run();
  }

  private static FedoraClient client(Stack stack) throws IOException {
    char[] password = Files.readString(stack.passwordFile()).strip().toCharArray();
    return FedoraClient.open(
        new FedoraLogin(stack.url(), stack.user(), password), FedoraClientOptions.forWorkers(2));
  }

  private int status(Stack stack, String path) throws Exception {
    String login = stack.user() + ":" + Files.readString(stack.passwordFile()).strip();
    String token = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    return http.send(
            HttpRequest.newBuilder(URI.create(stack.url() + path))
                .header("Authorization", "Basic " + token)
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
