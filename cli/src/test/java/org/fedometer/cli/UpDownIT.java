package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Fedora left running: found by {@code ps}, usable, and gone after {@code down}; what its agent
 * sent to a collector in the foreground is there when that one has ended.
 */
class UpDownIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @TempDir private Path folder;

  @Test
  void upLeavesAFedoraThatPsFindsAndDownTakesAway() throws Exception {
    Fedometer fedometer = new Fedometer(folder);
    Path home = folder.resolve("left-running");
    var collector = fedometer.startWithStore("collect", "--listen", "127.0.0.1:0");
    fedometer
        .startWithStore(
            "up",
            "--profile",
            "mulgara-derby",
            "--home",
            home.toString(),
            "--collector",
            collector.address())
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
            .startWithStore("up", "--home", home.toString())
            .await(PATIENCE)
            .expect(ExitCode.DONE);
    assertThat(again.err()).as("as it is, where no profile is named").contains("up already");
    var other =
        fedometer
            .startWithStore("up", "--profile", "mptstore-postgresql", "--home", home.toString())
            .await(PATIENCE);
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

    collector.process().destroy();
    collector.await(PATIENCE);
    assertThat(fedometer.processesLeft()).isEmpty();
    var report = fedometer.startWithStore("report", onlyRun(fedometer).getFileName().toString());
    report.await(PATIENCE).expect(ExitCode.DONE);
    assertThat(report.out()).contains("watch-", "http.request");
  }

  private static Path onlyRun(Fedometer fedometer) throws IOException {
    try (Stream<Path> runs = Files.list(fedometer.store().resolve("runs"))) {
      List<Path> found = runs.toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
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
