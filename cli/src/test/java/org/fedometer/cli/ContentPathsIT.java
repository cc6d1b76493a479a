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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.content.ChecksumChoice;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.driver.request.RetryPolicy;
import org.fedometer.driver.verify.Verification;
import org.fedometer.driver.verify.Verifier;
import org.fedometer.profiles.Profiles;
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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Objects get into real Fedoras, with either triplestore, by every way for content, whole and one
 * datastream after the other.
 */
@Tag("fedora")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContentPathsIT {

  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  /** So many of the dataset have XML, PDF and TIFF among them. */
  private static final int OBJECTS = 4;

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

  /** Shared, since opening it is slow: each test uses its own objects. */
  private Dataset patents;

  private long used;

  @BeforeAll
  void startBothAtOnce(@TempDir Path folder) throws Exception {
    int literals = Profiles.shipped().profile(Store.MPTSTORE.profile).literalLimitBytes();
    patents = Datasets.open("patents:paper", new DatasetOptions("way", PidForm.NAMED, literals));
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
    for (Stack stack : stacks.values()) {
      StackRegistry.ofUser().down(stack.home());
    }
  }

  static List<Arguments> everyWay() {
    List<Arguments> ways = new ArrayList<>();
    List<ContentPath> paths = List.of(ContentPath.values());
    List<String> checksums =
        List.of("SHA-256", "MD5:by-fedora", "SHA-1", "SHA-512:by-fedora", "SHA-384", "none");
    for (int i = 0; i < paths.size(); i++) {
      ways.add(Arguments.of(paths.get(i), Packaging.FOXML, checksums.get(i)));
      ways.add(
          Arguments.of(
              paths.get(i), Packaging.DATASTREAMS, checksums.get((i + 1) % checksums.size())));
    }
    return ways;
  }

  @ParameterizedTest
  @MethodSource("everyWay")
  void objectsHaveContentChecksumAndTriples(ContentPath path, Packaging packaging, String checksum)
      throws Exception {
    ContentOptions options = ContentOptions.of(path, packaging, ChecksumChoice.named(checksum));
    long first = used;
    used += OBJECTS;
    for (Stack stack : stacks.values()) {
      try (FedoraClient client =
              FedoraClient.open(login(stack), FedoraClientOptions.forWorkers(2));
          ContentDelivery delivery = ContentDelivery.open(options, patents)) {
        Verifier verifier =
            new Verifier(client, patents, Verifier.Options.standard(1).withEverything(), delivery);
        Verifier.Before before = verifier.before();
        List<RequestEvent> events = new ArrayList<>();
        IngestResult result = ingest(client, patents, first, OBJECTS, delivery, events);
        assertThat(result.failures().requests()).isEmpty();
        assertThat(result.count(Count.INGESTED)).isEqualTo(OBJECTS);

        Verification verification = verifier.verify(result, before);

        assertThat(verification.problems()).isEmpty();
        assertThat(verification.equalObjects()).isEqualTo(OBJECTS);
        assertThat(verification.triplesCounted()).isEqualTo(verification.triplesExpected());
        assertThatDatastreamsAre(stack, first, path, checksum);
        assertThat(operations(events)).isEqualTo(operations(first, path, packaging));
      }
    }
  }

  @Test
  void anEmptyDatastreamAndOneThatBeginsWithAZeroByteArriveByEachRequest() throws Exception {
    Stack stack = stacks.get(Store.MPTSTORE);
    for (ContentPath path :
        List.of(
            ContentPath.IN_REQUEST, ContentPath.UPLOAD, ContentPath.URL, ContentPath.EXTERNAL)) {
      Dataset dataset = new EdgeCaseContents("odd" + used++);
      ContentOptions options =
          ContentOptions.of(path, Packaging.DATASTREAMS, ChecksumChoice.named("MD5"));
      try (FedoraClient client =
              FedoraClient.open(login(stack), FedoraClientOptions.forWorkers(2));
          ContentDelivery delivery = ContentDelivery.open(options, dataset)) {
        Verifier verifier = new Verifier(client, dataset, Verifier.Options.standard(1), delivery);
        Verifier.Before before = verifier.before();
        IngestResult result = ingest(client, dataset, 0, 1, delivery, new ArrayList<>());

        assertThat(result.failures().requests()).isEmpty();
        assertThat(verifier.verify(result, before).problems()).isEmpty();
      }
    }
  }

  @Test
  void reportsContentThatCannotBeFetched() throws Exception {
    Stack stack = stacks.get(Store.MULGARA);
    long first = used;
    used += 2;
    for (Packaging packaging : Packaging.values()) {
      ContentOptions options = ContentOptions.of(ContentPath.URL, packaging, ChecksumChoice.NONE);
      try (FedoraClient client =
              FedoraClient.open(login(stack), FedoraClientOptions.forWorkers(2));
          ContentDelivery delivery = ContentDelivery.open(options, patents)) {
        delivery.server().orElseThrow().close();
        IngestResult result = ingest(client, patents, first, 2, delivery, new ArrayList<>());

        assertThat(result.count(Count.INGESTED)).isZero();
        assertThat(result.count(Count.FAILED)).isEqualTo(2);
        assertThat(result.failures().givenUp())
            .allSatisfy(
                failure ->
                    assertThat(failure.message())
                        .startsWith("500 without a message")
                        .contains("Fedora did not fetch FULLTEXT from http://127.0.0.1:"));
      }
    }
  }

  private static IngestResult ingest(
      FedoraClient client,
      Dataset dataset,
      long first,
      int objects,
      ContentDelivery delivery,
      List<RequestEvent> events)
      throws IOException {
    RequestListener noting =
        new RequestListener() {
          @Override
          public void onRequest(RequestEvent event) {
            synchronized (events) {
              events.add(event);
            }
          }
        };
    RetryPolicy quick =
        new RetryPolicy(2, Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofSeconds(60));
    IngestOptions options =
        IngestOptions.of(objects, 2).startingAt(first).withRetry(quick).withContent(delivery);
    return new IngestDriver(client, dataset, options, RequestSink.NONE, noting).run();
  }

  /** Requests of each operation, by what was done. */
  private static Map<Operation, Long> operations(List<RequestEvent> events) {
    Map<Operation, Long> counts = new EnumMap<>(Operation.class);
    events.forEach(event -> counts.merge(event.operation(), 1L, Long::sum));
    return counts;
  }

  /** Requests of each operation, by what there is to be done. */
  private Map<Operation, Long> operations(long first, ContentPath path, Packaging packaging) {
    long datastreams = 0;
    for (int i = 0; i < OBJECTS; i++) {
      datastreams += patents.object(first + i).content().size();
    }
    Map<Operation, Long> counts = new EnumMap<>(Operation.class);
    counts.put(Operation.INGEST, (long) OBJECTS);
    if (packaging == Packaging.DATASTREAMS) {
      counts.put(Operation.ADD_DATASTREAM, datastreams);
    }
    if (path == ContentPath.UPLOAD) {
      counts.put(Operation.UPLOAD, datastreams);
    }
    return counts;
  }

  /** Compares Fedora's description of each datastream. */
  private void assertThatDatastreamsAre(Stack stack, long first, ContentPath path, String checksum)
      throws Exception {
    for (long i = first; i < first + OBJECTS; i++) {
      RepositoryObject object = patents.object(i);
      for (ContentStream content : object.content()) {
        String profile =
            get(stack, "/objects/" + object.pid() + "/datastreams/" + content.id() + "?format=xml");
        boolean xml = content.id().equals("FULLTEXT");
        String group =
            switch (path) {
              case IN_REQUEST, URL, UPLOAD -> "M";
              case INLINE_XML -> xml ? "X" : "M";
              case EXTERNAL -> "E";
              case REDIRECT -> "R";
            };
        assertThat(profile)
            .contains("<dsControlGroup>" + group + "</dsControlGroup>")
            .contains("<dsVersionID>" + content.id() + ".0</dsVersionID>")
            .contains("<dsMIME>" + content.mediaType() + "</dsMIME>")
            .contains(
                "<dsChecksumType>"
                    + (checksum.equals("none") ? "DISABLED" : checksum.replace(":by-fedora", ""))
                    + "</dsChecksumType>");
        assertThat(profile.contains("<dsChecksum>none</dsChecksum>"))
            .isEqualTo(checksum.equals("none"));
      }
    }
  }

  private String get(Stack stack, String path) throws Exception {
    String pair = stack.user() + ":" + Files.readString(stack.passwordFile()).strip();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(stack.url() + path))
            .timeout(TIMEOUT)
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)))
            .build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  private static FedoraLogin login(Stack stack) throws IOException {
    char[] password = Files.readString(stack.passwordFile()).strip().toCharArray();
    return new FedoraLogin(stack.url(), stack.user(), password);
  }
}
