package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.profiles.stack.Provisioner;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.ProvisioningListener;

/** A real Fedora, brought up by {@code stack up}, and ingests into it. */
final class Site implements AutoCloseable {
  static final Duration TIMEOUT = Duration.ofMinutes(8);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Fedometer fedometer;
  private final Fedometer fedora;
  private final Path home;

  /** Any that was free at its first start, and its own from then on; 0 before. */
  private int port;

  /**
   * Brings it up, without an agent.
   *
   * @param folder its own
   * @param settings as {@code key=value} of {@code --set}
   */
  Site(Path folder, String profile, String... settings) throws Exception {
    fedometer = new Fedometer(folder);
    fedora = fedometer;
    home = folder.resolve("home");
    List<String> arguments = new ArrayList<>(List.of("--profile", profile));
    arguments.addAll(List.of("--set", Fedometer.QUICK_COMPILER));
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    upOrDelete(arguments.toArray(String[]::new));
  }

  /**
   * Starts it with prefixed commands, see {@link Fedometer#withPrefix}. Downloads precede, as there
   * may be no network.
   *
   * @param folder its own
   * @param aroundFedora prefix of commands that start or stop a server
   * @param aroundOthers prefix of others, such as the driver
   */
  Site(Path folder, String profile, List<String> aroundFedora, List<String> aroundOthers)
      throws Exception {
    Fedometer plain = new Fedometer(folder);
    fedometer = plain.withPrefix(aroundOthers);
    fedora = plain.withPrefix(aroundFedora);
    home = folder.resolve("home");
    Provisioner.ofUser()
        .provision(
            Fedometer.profile(profile), StackOptions.at(home), new ProvisioningListener() {});
    upOrDelete();
  }

  private void upOrDelete(String... more) throws Exception {
    try {
      up(more);
    } catch (Exception | AssertionError failed) {
      try {
        close();
      } catch (Exception | AssertionError left) {
        failed.addSuppressed(left);
      }
      throw failed;
    }
  }

  Fedometer fedometer() {
    return fedometer;
  }

  Path home() {
    return home;
  }

  int port() {
    return port;
  }

  URI target() {
    return targetAt(port);
  }

  private static URI targetAt(int port) {
    return URI.create("http://127.0.0.1:" + port + "/fedora");
  }

  Path passwordFile() {
    return home.resolve("secrets/admin-password");
  }

  void up(String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("stack", "up", "--home", home.toString(), "--no-agent"));
    if (port != 0) {
      arguments.addAll(List.of("--port", Integer.toString(port)));
    }
    arguments.addAll(List.of(more));
    fedora.startWithStore(arguments.toArray(String[]::new)).await(TIMEOUT).expect(ExitCode.DONE);
    port = document(home).at("/session/httpPort").asInt();
  }

  void down() throws Exception {
    fedora.start("stack", "down", "--home", home.toString()).await(TIMEOUT).expect(ExitCode.DONE);
  }

  /** Repairs a stopped Fedora. */
  void repair() throws Exception {
    fedora.start("stack", "repair", "--home", home.toString()).await(TIMEOUT).expect(ExitCode.DONE);
  }

  /**
   * A process of the stack that runs.
   *
   * @param role {@code Fedora}, {@code PostgreSQL}, {@code MySQL}, {@code MariaDB}
   */
  ProcessHandle process(String role) throws IOException {
    return process(home, role);
  }

  /** The same of any stack. */
  static ProcessHandle process(Path home, String role) throws IOException {
    JsonNode stack = document(home);
    for (JsonNode process : stack.at("/session/processes")) {
      if (process.at("/role").asText().equals(role)) {
        return ProcessHandle.of(process.at("/pid").asLong()).orElseThrow();
      }
    }
    throw new AssertionError("no process of " + role + ": " + stack.at("/session/processes"));
  }

  private static JsonNode document(Path home) throws IOException {
    return JSON.readTree(Files.readAllBytes(home.resolve("stack.json")));
  }

  /**
   * Starts an ingest of patents that Fedora's triples are confirmed of every second.
   *
   * @param name of the run, and the namespace of its PIDs
   */
  Fedometer.Call startIngest(String name, long objects, String... more) throws IOException {
    return startIngest(port, name, objects, more);
  }

  /**
   * The same.
   *
   * @param fedoraPort one that leads to Fedora's
   */
  Fedometer.Call startIngest(int fedoraPort, String name, long objects, String... more)
      throws IOException {
    return startPatents(fedometer, fedoraPort, name, objects, more);
  }

  /**
   * As above.
   *
   * @param withStore whose store has the journal
   */
  Fedometer.Call startIngest(Fedometer withStore, String name, long objects, String... more)
      throws IOException {
    return startPatents(withStore, port, name, objects, more);
  }

  Fedometer.Call startIngest(String namespace, String dataset, long objects, String... more)
      throws IOException {
    return start(fedometer, port, namespace, dataset, objects, more);
  }

  private Fedometer.Call startPatents(
      Fedometer withStore, int fedoraPort, String name, long objects, String... more)
      throws IOException {
    return start(
        withStore,
        fedoraPort,
        name,
        "patents:small",
        objects,
        concat(List.of("--max-literal", "2692", "--name", name), more));
  }

  private Fedometer.Call start(
      Fedometer withStore,
      int fedoraPort,
      String namespace,
      String dataset,
      long objects,
      String... more)
      throws IOException {
    List<String> arguments =
        List.of(
            "ingest",
            "--target",
            targetAt(fedoraPort).toString(),
            "--password-file",
            passwordFile().toString(),
            "--dataset",
            dataset,
            "--namespace",
            namespace,
            "--objects",
            Long.toString(objects),
            "--confirm-interval",
            "1s",
            "--json");
    return withStore.startWithStore(concat(arguments, more));
  }

  /** Goes on with an ingest to its end. */
  Fedometer.Call resume(String name, String... more) throws Exception {
    return resume(fedometer, name, more);
  }

  /**
   * As above.
   *
   * @param withStore whose store has the journal
   */
  Fedometer.Call resume(Fedometer withStore, String name, String... more) throws Exception {
    return withStore
        .startWithStore(concat(List.of("ingest", "--resume", name, "--json"), more))
        .await(TIMEOUT);
  }

  Path journal(String name) {
    return Journals.of(fedometer, name);
  }

  /** Until the driver has begun so many objects. */
  void awaitBegun(Fedometer.Call driver, String name, long objects) {
    Journals.awaitBegun(driver, journal(name), objects);
  }

  /** Until the driver has begun so many objects more than it has now. */
  void awaitMore(Fedometer.Call driver, String name, long objects) {
    Journals.awaitMore(driver, journal(name), objects);
  }

  /** Kills Fedora, and brings it up again when the driver has noticed. */
  void killFedoraAndBringItBack(Fedometer.Call driver) throws Exception {
    process("Fedora").destroyForcibly();
    driver.awaitOutput("Fedora is unreachable");
    down();
    up();
  }

  /**
   * Waits for an ingest during which Fedora was killed, and where Fedora's API can do nothing about
   * an object that it had just registered, repairs it and resumes.
   *
   * @return the report of the ingest at its end
   */
  JsonNode reportAfterRepair(Fedometer.Call driver, String name) throws Exception {
    driver.await(TIMEOUT);
    if (driver.process().exitValue() == ExitCode.DONE) {
      return driver.json();
    }
    driver.expect(ExitCode.DONE_WITH_ERRORS);
    assertThat(driver.out()).contains("repair --home");
    down();
    repair();
    up();
    return resume(name).expect(ExitCode.DONE).json();
  }

  /**
   * Compares every object of a run with what Fedora holds; fails where one is not as it was sent.
   */
  JsonNode verifyEverything(String run) throws Exception {
    return verifyEverything(fedometer, run);
  }

  /**
   * The same.
   *
   * @param withStore of the run
   */
  JsonNode verifyEverything(Fedometer withStore, String run) throws Exception {
    return withStore
        .startWithStore(
            "verify",
            run,
            "--all",
            "--target",
            target().toString(),
            "--password-file",
            passwordFile().toString(),
            "--json")
        .await(TIMEOUT)
        .expect(ExitCode.DONE)
        .json();
  }

  /**
   * Returns the state of the agent in Fedora. Ignores failures of other JVMs that end meanwhile.
   */
  JsonNode agent() throws Exception {
    String pid = Long.toString(process("Fedora").pid());
    return await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(
            () ->
                StreamSupport.stream(
                        fedometer
                            .start("agent", "list", "--json")
                            .await(TIMEOUT)
                            .json()
                            .spliterator(),
                        false)
                    .filter(agent -> agent.get("pid").asText().equals(pid))
                    .findFirst()
                    .orElseThrow(),
            agent -> agent.has("memoryBytes"));
  }

  /** All that Fedora's triplestore holds, after a flush. */
  long triples() throws Exception {
    char[] password = Files.readString(passwordFile()).strip().toCharArray();
    FedoraLogin login = new FedoraLogin(target(), "fedoraAdmin", password);
    try (FedoraClient client = FedoraClient.open(login, FedoraClientOptions.forWorkers(1));
        FedoraSession session = client.newSession()) {
      session.login();
      return new TripleCounter(session).count(true);
    }
  }

  /**
   * Stops and deletes it, with processes left by failed tests; fails if another process is left.
   */
  @Override
  public void close() throws Exception {
    fedometer.endCalls();
    fedora.start("stack", "down", "--home", home.toString(), "--delete").await(TIMEOUT);
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(fedometer.processesLeft()).isEmpty());
  }

  private static String[] concat(List<String> first, String... more) {
    List<String> all = new ArrayList<>(first);
    all.addAll(Arrays.asList(more));
    return all.toArray(String[]::new);
  }
}
