package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A real Fedora without the agent gets it, is watched, and is rid of it. */
@Tag("fedora")
@Isolated("looks at all JVMs of this host, among which are those of other tests")
class AgentCommandsIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Named by the interface; only the class behind it has code. */
  private static final String DESCRIBE =
      "my.describe=execution(* org.fcrepo.server.access.Access.describeRepository(..))";

  @TempDir private Path folder;

  @Test
  void attachesShowsTopAndDetaches() throws Exception {
    Fedometer fedometer = new Fedometer(folder);
    String home = folder.resolve("fedora").toString();
    fedometer
        .startWithStore(
            "stack",
            "up",
            "--profile",
            "mulgara-derby",
            "--set",
            Fedometer.QUICK_COMPILER,
            "--home",
            home,
            "--no-agent")
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    JsonNode stack = fedometer.start("stack", "list", "--json").await(TIMEOUT).json().get(0);
    String pid = stack.get("pid").asText();
    URI url = URI.create(stack.get("url").asText() + "/describe");

    JsonNode found = ofProcess(pid, fedometer.start("agent", "list", "--json"));
    assertThat(found.get("fedora").asText()).isEqualTo("certain");
    assertThat(found.get("home").asText()).startsWith(home);
    assertThat(found.get("state").asText()).isEqualTo("none");
    var none = fedometer.start("detach", pid).await(TIMEOUT).expect(ExitCode.COULD_NOT_START);
    assertThat(none.err()).contains(pid, "no agent");

    var attached =
        fedometer
            .startWithStore(
                "attach",
                pid,
                "--source-name",
                "name, with comma",
                "--memory",
                "16m",
                "--stage",
                DESCRIBE,
                "--stage",
                // More than fits into the attach mechanism's arguments.
                "my.none=execution(* org.fcrepo.server.Server.none(..))"
                    + " || execution(* org.fcrepo.server.Server.none(..))".repeat(30))
            .await(TIMEOUT)
            .expect(ExitCode.DONE);
    assertThat(attached.out())
        .containsPattern("(?m)^http.request +woven +StandardWrapperValve.invoke")
        .containsPattern("(?m)^rest.repository +woven +DescribeRepositoryResource.describe")
        .containsPattern("(?m)^my.describe +woven +.*DefaultAccess\\.describeRepository")
        .containsPattern("(?m)^my.none +not in this Fedora")
        .containsPattern("(?m)^[0-9]+ stages: [0-9]+ woven, .*, 0 failed$")
        .containsPattern("(?m)^logback-events +woven +Logger.callAppenders")
        .containsPattern("(?m)^[0-9]+ captures: [0-9]+ woven, .*, 0 failed$")
        .contains(", connected, run monitoring-");
    assertThat(attached.err())
        .contains("note: my.none matches nothing that Fedora has loaded so far")
        .doesNotContain("my.describe");
    JsonNode agent = ofProcess(pid, fedometer.start("agent", "list", "--json"));
    assertThat(agent.get("state").asText()).isEqualTo("recording");
    assertThat(agent.get("connected").asBoolean()).isTrue();
    assertThat(agent.get("sourceName").asText()).isEqualTo("name, with comma");
    assertThat(agent.get("memoryLimitBytes").asLong()).isEqualTo(16 << 20);
    assertThat(agent.get("stages"))
        .anyMatch(stage -> stage.get("stage").asText().equals("my.describe"));
    assertThat(agent.get("captures"))
        .anySatisfy(
            capture -> {
              assertThat(capture.get("capture").asText()).isEqualTo("triple-flushes");
              assertThat(capture.get("state").asText()).isEqualTo("woven");
            });

    JsonNode busy = stageWhileRequested(fedometer, pid, url, "http.request");
    assertThat(stageWhileRequested(fedometer, pid, url, "my.describe").get("selfShare").asDouble())
        .isBetween(0.0, 1.0);
    assertThat(busy.get("callsPerSecond").asDouble()).isPositive();
    assertThat(busy.get("p50Millis").asDouble())
        .isPositive()
        .isLessThanOrEqualTo(busy.get("p99Millis").asDouble());
    assertThat(busy.get("selfShare").asDouble()).isBetween(0.0, 1.0);

    var paused = fedometer.start("agent", "pause", pid, "--json").await(TIMEOUT);
    assertThat(paused.expect(ExitCode.DONE).json().get("state").asText()).isEqualTo("paused");
    var resumed = fedometer.start("agent", "resume", pid, "--json").await(TIMEOUT);
    assertThat(resumed.expect(ExitCode.DONE).json().get("state").asText()).isEqualTo("recording");
    var again =
        fedometer
            .startWithStore("attach", pid, "--name", "night", "--json")
            .await(TIMEOUT)
            .expect(ExitCode.DONE);
    assertThat(again.json().get("runName").asText()).isEqualTo("night");
    assertThat(again.json().get("message").asText()).contains("already attached");
    assertThat(again.json().get("stages"))
        .noneMatch(stage -> stage.get("stage").asText().startsWith("my."))
        .allSatisfy(stage -> assertThat(stage.get("state").asText()).isNotEqualTo("failed"));

    fedometer.start("detach", pid).await(TIMEOUT).expect(ExitCode.DONE);
    reportsWhatADeadCollectorDidNotReceive(fedometer, pid);
    assertThat(ofProcess(pid, fedometer.start("agent", "list", "--json")).get("state").asText())
        .isEqualTo("none");
    assertThat(statusOf(url)).as("Fedora serves on").isEqualTo(200);

    fedometer
        .start("stack", "down", "--home", home, "--delete")
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    // The collector ends by itself, seconds after its last connection.
    await().atMost(TIMEOUT).untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
    JsonNode runs = fedometer.startWithStore("runs", "list", "--json").await(TIMEOUT).json();
    assertThat(runs)
        .anySatisfy(
            run -> {
              assertThat(run.get("name").asText()).isEqualTo("night");
              assertThat(run.get("state").asText()).isEqualTo("ended");
              assertThat(run.get("started").asText()).isNotEmpty();
            });
  }

  @Test
  void reportsProcessesThatCannotBeAttachedTo() throws Exception {
    Fedometer fedometer = new Fedometer(folder);
    for (String command : List.of("attach", "detach", "top")) {
      var endedPid = fedometer.start(command, "4194304").await(TIMEOUT);
      assertThat(endedPid.expect(ExitCode.COULD_NOT_START).err())
          .startsWith("fedometer: there is no process 4194304")
          .hasLineCount(1);
      var word = fedometer.start(command, "fedora").await(TIMEOUT);
      assertThat(word.expect(ExitCode.BAD_USAGE).err()).contains("'fedora' is not a process id");
    }
    String self = Long.toString(ProcessHandle.current().pid());
    var other = fedometer.startWithStore("attach", self).await(TIMEOUT);
    assertThat(other.expect(ExitCode.COULD_NOT_START).err())
        .contains("does not look like a Fedora", "--any")
        .hasLineCount(1);
    for (List<String> senseless :
        List.of(
            List.of("attach"),
            List.of("attach", self, "--memory", "much"),
            List.of("attach", self, "--spool-size", "1g"),
            List.of("attach", self, "--any", "--memory", "5g"),
            List.of("attach", self, "--any", "--stage", "my.read=execution(* a.B.c("),
            List.of("attach", self, "--any", "--name", "a/b"),
            List.of("top", self, "--interval", "10"),
            List.of("top", self, "--interval", "2h"),
            List.of("top", self, "--count", "0"))) {
      fedometer.start(senseless.toArray(String[]::new)).await(TIMEOUT).expect(ExitCode.BAD_USAGE);
    }
    assertThat(fedometer.store()).as("nothing was begun").doesNotExist();
  }

  /** Where the agent gets another collector, and where it goes. */
  private void reportsWhatADeadCollectorDidNotReceive(Fedometer fedometer, String pid)
      throws Exception {
    Fedometer.Call first = collector(fedometer, "first");
    Fedometer.Call second = collector(fedometer, "second");
    try {
      fedometer
          .start("attach", pid, "--collector", first.address())
          .await(TIMEOUT)
          .expect(ExitCode.DONE);
      first.process().destroyForcibly().waitFor();
      JsonNode attached =
          fedometer
              .start("attach", pid, "--collector", second.address(), "--json")
              .await(TIMEOUT)
              .expect(ExitCode.DONE_WITH_ERRORS)
              .json();
      assertThat(attached.get("connected").asBoolean()).isTrue();
      assertThat(attached.get("failure").asText()).contains("not acknowledged");
      second.process().destroyForcibly().waitFor();
      JsonNode detached =
          fedometer
              .start("detach", pid, "--json")
              .await(TIMEOUT)
              .expect(ExitCode.DONE_WITH_ERRORS)
              .json();
      assertThat(detached.get("state").asText()).isEqualTo("off");
      assertThat(detached.get("failure").asText()).contains("not acknowledged");
    } finally {
      first.process().destroyForcibly();
      second.process().destroyForcibly();
    }
  }

  private Fedometer.Call collector(Fedometer fedometer, String store) throws IOException {
    return fedometer.start(
        "collect", "--listen", "127.0.0.1:0", "--store", folder.resolve(store).toString());
  }

  /** The stage http.request in the first interval in which it ran. */
  private static JsonNode stageWhileRequested(Fedometer fedometer, String pid, URI url, String name)
      throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    Thread client =
        new Thread(
            () -> {
              while (!enough.get()) {
                statusOf(url);
              }
            },
            "client");
    client.start();
    try {
      var top = fedometer.start("top", pid, "--json", "--count", "3").await(TIMEOUT);
      List<JsonNode> lines = new ArrayList<>();
      for (String line : top.expect(ExitCode.DONE).out().lines().toList()) {
        lines.add(JSON.readTree(line));
      }
      assertThat(lines)
          .hasSize(3)
          .allSatisfy(line -> assertThat(line.get("requestsPerSecond").asDouble()).isPositive())
          .allSatisfy(
              line -> assertThat(line.get("agent").get("state").asText()).isEqualTo("recording"));
      var blocks = fedometer.start(Map.of("COLUMNS", "60"), "top", pid, "--count", "1");
      assertThat(blocks.await(TIMEOUT).expect(ExitCode.DONE).out())
          .contains("process " + pid + "  recording  began ", " requests/s", "SELF MS/S")
          .doesNotContain("\u001b");
      return StreamSupport.stream(lines.get(2).get("stages").spliterator(), false)
          .filter(stage -> stage.get("stage").asText().equals(name))
          .findFirst()
          .orElseThrow();
    } finally {
      enough.set(true);
      client.join();
    }
  }

  private static JsonNode ofProcess(String pid, Fedometer.Call call) throws Exception {
    return StreamSupport.stream(call.await(TIMEOUT).json().spliterator(), false)
        .filter(entry -> entry.get("pid").asText().equals(pid))
        .findFirst()
        .orElseThrow(() -> new AssertionError("process " + pid + " is not among " + call.out()));
  }

  private static int statusOf(URI url) {
    try {
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }
}
