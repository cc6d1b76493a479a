package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Choices that are no profile's default, all in one stack, since a start takes at least ten
 * seconds. Each is checked in operation, not only in a file.
 */
@Tag("fedora")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ChoicesIT {

  private static final List<String> CHANGES =
      List.of(
          "lowlevel=legacy-fs",
          "connector=nio",
          "gc=serial",
          "fedora.xacml=true",
          "fedora.messaging=true",
          "fedora.checksum=SHA-256",
          "fedora.validation=none",
          "jvm.jfr=default",
          "jvm.arguments+=-XX:TieredStopAtLevel=1");

  private static final String TOKEN = "token-of-nobody-else";

  /** An attribute that the schema of FOXML does not know. */
  private static final String FOXML =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <foxml:digitalObject VERSION="1.1" PID="%s"
          xmlns:foxml="info:fedora/fedora-system:def/foxml#">
        <foxml:objectProperties>
          <foxml:property NAME="info:fedora/fedora-system:def/model#state" VALUE="%s" UNKNOWN="x"/>
          <foxml:property NAME="info:fedora/fedora-system:def/model#label" VALUE="a label"/>
        </foxml:objectProperties>
        <foxml:datastream ID="NOTE" STATE="A" CONTROL_GROUP="X">
          <foxml:datastreamVersion ID="NOTE.0" MIMETYPE="text/xml" LABEL="a note">
            <foxml:xmlContent><note>content</note></foxml:xmlContent>
          </foxml:datastreamVersion>
        </foxml:datastream>
      </foxml:digitalObject>
      """;

  private final HttpClient http = HttpClient.newHttpClient();
  private Stack stack;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    stack =
        Provisioner.ofUser()
            .provision(
                Profiles.shipped().profile("mulgara-derby", CHANGES),
                StackOptions.at(folder.resolve("home")),
                ProvisioningListener.SILENT);
    stack.useEnvironment(Map.of("FEDOMETER_TOKEN", TOKEN));
    stack.start(ProvisioningListener.SILENT);
  }

  @AfterAll
  void takeDown() throws IOException {
    StackRegistry.ofUser().down(stack.home());
  }

  @Test
  @Order(1)
  void acceptsAnyFoxmlWithoutValidation() throws Exception {
    assertThat(ingest("test:active", "A")).isEqualTo(201);
    assertThat(ingest("test:inactive", "I")).isEqualTo(201);
  }

  @Test
  @Order(2)
  void xacmlKeepsInactiveObjectsFromStrangers() throws Exception {
    assertThat(get("/objects/test:active?format=xml").statusCode()).isEqualTo(200);
    assertThat(get("/objects/test:inactive?format=xml").statusCode()).isIn(401, 403);
  }

  @Test
  @Order(2)
  void datastreamsHaveTheChecksum() throws Exception {
    HttpResponse<String> object =
        http.send(
            asAdministrator("/objects/test:active/objectXML").GET().build(),
            HttpResponse.BodyHandlers.ofString());

    assertThat(object.body()).containsPattern("contentDigest TYPE=\"SHA-256\" DIGEST=\"\\w{64}\"");
  }

  @Test
  @Order(2)
  void objectsLieInTheOlderStore() throws IOException {
    try (Stream<Path> files = Files.walk(stack.home().resolve("fedora/data/objects"))) {
      assertThat(files).anyMatch(file -> file.getFileName().toString().equals("test_active"));
    }
    assertThat(stack.state().configurationFiles()).doesNotContainKey("spring/akubra-llstore.xml");
    assertThat(stack.home().resolve("fedora/data/objectStore")).doesNotExist();
  }

  @Test
  @Order(2)
  void fedoraHasABrokerForItsMessages() throws IOException {
    assertThat(stack.home().resolve("fedora/data/activemq-data")).isNotEmptyDirectory();
  }

  @Test
  @Order(2)
  void requestsComeThroughTheChosenConnector() {
    assertThat(stack.logs().get("fedora-console.log")).content().contains("http-nio-127.0.0.1-");
  }

  @Test
  @Order(2)
  void theCollectorWritesItsLog() {
    assertThat(stack.logs().get("gc.log"))
        .content()
        .contains("Using Serial")
        .containsPattern("\\[safepoint *]")
        .containsPattern("\\[gc *] GC\\(0\\) Pause");
  }

  @Test
  @Order(3)
  void theFlightRecordingIsThereWhenFedoraHasEnded() throws Exception {
    stack.stop();

    List<RecordedEvent> events =
        RecordingFile.readAllEvents(stack.state().recordings().get("fedora.jfr"));
    Set<String> names =
        events.stream().map(event -> event.getEventType().getName()).collect(Collectors.toSet());
    assertThat(names)
        .contains("jdk.GarbageCollection", "jdk.CPULoad")
        .doesNotContain("jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty")
        .doesNotContain("jdk.SystemProcess", "jdk.JVMInformation");
    assertThat(events.stream().filter(event -> event.toString().contains(TOKEN)).count()).isZero();
    assertThat(stack.state().configurationFiles()).containsKey("fedora.jfc");
  }

  private int ingest(String pid, String state) throws Exception {
    HttpRequest request =
        asAdministrator("/objects/" + pid + "?format=info:fedora/fedora-system:FOXML-1.1")
            .header("Content-Type", "text/xml")
            .POST(HttpRequest.BodyPublishers.ofString(FOXML.formatted(pid, state)))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(stack.url() + path)).GET().build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder asAdministrator(String path) throws IOException {
    String credentials = stack.user() + ":" + Files.readString(stack.passwordFile());
    return HttpRequest.newBuilder(URI.create(stack.url() + path))
        .header(
            "Authorization",
            "Basic "
                + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
  }
}
