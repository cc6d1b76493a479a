package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Fedora left running: found by {@code ps}, usable, and gone after {@code down}. */
class UpDownIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @TempDir private Path folder;

  @Test
  void upLeavesAFedoraThatPsFindsAndDownTakesAway() throws Exception {
    Fedometer fedometer = new Fedometer(folder);
    Path home = folder.resolve("left-running");
    fedometer
        .startWithStore("up", "--profile", "mulgara-derby", "--home", home.toString())
        .await(PATIENCE)
        .expect(ExitCode.DONE);

    JsonNode stacks = fedometer.start("ps", "--json").await(PATIENCE).expect(ExitCode.DONE).json();
    assertThat(stacks).hasSize(1);
    JsonNode stack = stacks.get(0);
    assertThat(stack.get("home").asText()).isEqualTo(home.toString());
    assertThat(stack.get("profile").asText()).isEqualTo("mulgara-derby");
    assertThat(ProcessHandle.of(stack.get("pid").asLong())).isPresent();
    Path passwordFile = Path.of(stack.get("passwordFile").asText());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(passwordFile)))
        .isEqualTo("rw-------");
    assertThat(statusOf(stack, Files.readString(passwordFile).strip())).isEqualTo(200);

    var again =
        fedometer
            .startWithStore("up", "--profile", "mulgara-derby", "--home", home.toString())
            .await(PATIENCE)
            .expect(ExitCode.DONE);
    assertThat(again.err()).contains("up already");
    var other = fedometer.startWithStore("up", "--home", home.toString()).await(PATIENCE);
    other.expect(ExitCode.COULD_NOT_START);
    assertThat(other.err()).contains(home.toString(), "mulgara-derby");

    for (int i = 0; i < 2; i++) {
      fedometer.start("down", "--home", home.toString()).await(PATIENCE).expect(ExitCode.DONE);
      assertThat(fedometer.start("ps", "--json").await(PATIENCE).json()).isEmpty();
    }
    assertThat(home).as("a repository is not deleted unasked").isNotEmptyDirectory();
    fedometer
        .start("down", "--home", home.toString(), "--delete")
        .await(PATIENCE)
        .expect(ExitCode.DONE);
    assertThat(home).doesNotExist();
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
  }

  private static int statusOf(JsonNode stack, String password) throws Exception {
    String credentials = stack.get("user").asText() + ":" + password;
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(stack.get("url").asText() + "/objects/nextPID?format=xml"))
            .header(
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes()))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
