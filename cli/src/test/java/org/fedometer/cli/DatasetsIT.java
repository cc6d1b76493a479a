package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.UnusableDocument;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
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
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Objects of each dataset, and FOXML of each kind, in real Fedoras with either triplestore: the
 * triples that are expected are those that Fedora makes of each of them.
 */
@Tag("fedora")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DatasetsIT {

  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  enum Store {
    MPTSTORE("mptstore-postgresql"),
    MULGARA("mulgara-derby");

    private final String profile;

    Store(String profile) {
      this.profile = profile;
    }
  }

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<Store, Stack> stacks = new EnumMap<>(Store.class);
  private Path foxml;
  private int samples;
  private HttpServer server;

  @BeforeAll
  void startBothAtOnce(@TempDir Path folder) throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.createContext(
        "/served",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, 6);
            exchange.getResponseBody().write("served".getBytes(StandardCharsets.US_ASCII));
          }
        });
    server.start();
    foxml = folder.resolve("foxml");
    samples =
        FoxmlSamples.write(foxml, "http://127.0.0.1:" + server.getAddress().getPort() + "/served");
    ExecutorService pool = Executors.newFixedThreadPool(Store.values().length);
    try {
      Map<Store, CompletableFuture<Stack>> starting = new EnumMap<>(Store.class);
      for (Store store : Store.values()) {
        Path home = folder.resolve(store.profile);
        starting.put(store, CompletableFuture.supplyAsync(() -> start(store.profile, home), pool));
      }
      for (Store store : Store.values()) {
        stacks.put(store, starting.get(store).get());
      }
    } finally {
      pool.shutdownNow();
    }
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
    if (server != null) {
      server.stop(0);
    }
    for (Stack stack : stacks.values()) {
      StackRegistry.ofUser().down(stack.home());
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachFileMakesAsManyTriplesAsAreCountedInItAndItsContentReadsBack(Store store)
      throws Exception {
    Stack stack = stacks.get(store);
    Dataset dataset = open(stack, foxml, "");
    assertThat(dataset.size()).isEqualTo(samples);

    assertThatAllArrives(stack, dataset, samples);
  }

  @ParameterizedTest
  @EnumSource
  void theSameFilesComeAgainAndAgainWithPidsOfTheRun(Store store) throws Exception {
    Stack stack = stacks.get(store);
    // One has its RELS-EXT in base64, where its PID cannot be changed.
    Dataset dataset = open(stack, foxml, ",pids=new,skip-invalid=true");
    assertThat(dataset.skipped())
        .extracting(UnusableDocument::message)
        .singleElement()
        .asString()
        .contains("managed.xml has RELS-EXT in base64");

    assertThatAllArrives(stack, dataset, 2 * (samples - 1));
  }

  @ParameterizedTest
  @CsvSource({
    "patents:small, 20",
    "patents:paper, 10",
    "'ndltd:W1,levels=3', 60",
    "collections, 20",
    "nested, 30",
    "files:bytes=100000, 5",
    "container-binary:max=200000, 10",
    "datastreams:max=100, 6"
  })
  void objectsThatAreGeneratedMakeAsManyTriplesAsExpectedAndReadBack(String spec, int objects)
      throws Exception {
    for (Store store : Store.values()) {
      Stack stack = stacks.get(store);
      String namespace = spec.replaceAll("[^a-z]", "");
      Dataset dataset =
          Datasets.open(
              spec, new DatasetOptions(namespace, PidForm.NAMED, stack.literalLimitBytes()));

      assertThatAllArrives(stack, dataset, objects);
    }
  }

  private static Dataset open(Stack stack, Path folder, String parameters) {
    return Datasets.open(
        "foxml:" + folder + parameters,
        new DatasetOptions("again", PidForm.NAMED, stack.literalLimitBytes()));
  }

  private void assertThatAllArrives(Stack stack, Dataset dataset, int objects) throws Exception {
    char[] password = Files.readString(stack.passwordFile()).strip().toCharArray();
    FedoraLogin login = new FedoraLogin(stack.url(), stack.user(), password);
    try (FedoraClient client = FedoraClient.open(login, FedoraClientOptions.forWorkers(2))) {
      Verifier verifier =
          new Verifier(
              client,
              dataset,
              Verifier.Options.standard(1).withEverything(),
              ContentDelivery.inRequest());
      Verifier.Before before = verifier.before();
      IngestResult result =
          new IngestDriver(
                  client,
                  dataset,
                  IngestOptions.of(objects, 2),
                  RequestSink.NONE,
                  RequestListener.NONE)
              .run();
      assertThat(result.failures().requests()).isEmpty();
      assertThat(result.count(Count.INGESTED)).isEqualTo(objects);

      Verification verification = verifier.verify(result, before);
      List<String> differences = new ArrayList<>();
      for (int i = 0; i < objects; i++) {
        RepositoryObject object = dataset.finished(i, 0, objects);
        List<String> triples = triples(stack, object);
        if (triples.size() != object.triples()) {
          differences.add(
              "%s: %d counted, %d found:\n%s"
                  .formatted(
                      object.pid(), object.triples(), triples.size(), String.join("\n", triples)));
        }
      }
      assertThat(differences).isEmpty();
      assertThat(verification.problems()).isEmpty();
      assertThat(verification.equalObjects()).isEqualTo(objects);
    }
  }

  /** Those of the object and of its datastreams, of which RELS-INT names one that is not there. */
  private List<String> triples(Stack stack, RepositoryObject object) throws Exception {
    List<String> subjects = new ArrayList<>(List.of(object.pid(), object.pid() + "/NONE"));
    object.datastreamIds().forEach(id -> subjects.add(object.pid() + '/' + id));
    List<String> triples = new ArrayList<>();
    for (String subject : subjects) {
      String query = URLEncoder.encode("<info:fedora/" + subject + "> * *", StandardCharsets.UTF_8);
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create(
                      stack.url()
                          + "/risearch?type=triples&lang=spo&format=N-Triples&query="
                          + query))
              .timeout(TIMEOUT)
              .header("Authorization", "Basic " + credentials(stack))
              .build();
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      response.body().lines().filter(line -> !line.isBlank()).forEach(triples::add);
    }
    return triples;
  }

  private static String credentials(Stack stack) throws IOException {
    String pair = stack.user() + ":" + Files.readString(stack.passwordFile()).strip();
    return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }
}
