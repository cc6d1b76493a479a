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
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.ObjectCounter;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Fedora left running: found by {@code stack list}, usable, and gone after {@code stack down}.
 * Data of its agent is stored once its foreground collector has ended.
 */
@Tag("fedora")
class UpDownIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);

  private static final String DENY_DATASTREAMS_FROM_THE_WEB =
      """
      <Policy xmlns="urn:oasis:names:tc:xacml:1.0:policy" PolicyId="deny-web"
        RuleCombiningAlgId="urn:oasis:names:tc:xacml:1.0:rule-combining-algorithm:first-applicable">
        <Target>
          <Subjects><AnySubject/></Subjects><Resources><AnyResource/></Resources>
          <Actions><Action>
            <ActionMatch MatchId="urn:oasis:names:tc:xacml:1.0:function:string-equal">
              <AttributeValue DataType="http://www.w3.org/2001/XMLSchema#string">\
      urn:fedora:names:fedora:2.1:action:id-addDatastream</AttributeValue>
              <ActionAttributeDesignator DataType="http://www.w3.org/2001/XMLSchema#string"
                AttributeId="urn:fedora:names:fedora:2.1:action:id"/>
            </ActionMatch>
          </Action></Actions>
        </Target>
        <Rule RuleId="1" Effect="Deny">
          <Condition FunctionId="urn:oasis:names:tc:xacml:1.0:function:regexp-string-match">
            <AttributeValue DataType="http://www.w3.org/2001/XMLSchema#string">\
      ^http://.*</AttributeValue>
            <Apply FunctionId="urn:oasis:names:tc:xacml:1.0:function:string-one-and-only">
              <ResourceAttributeDesignator DataType="http://www.w3.org/2001/XMLSchema#string"
                AttributeId="urn:fedora:names:fedora:2.1:resource:datastream:location"/>
            </Apply>
          </Condition>
        </Rule>
      </Policy>
      """;

  @TempDir private Path folder;
  private Fedometer fedometer;

  /** Cleans up after a failed test. */
  @AfterEach
  void end() throws Exception {
    fedometer
        .start("stack", "down", "--home", folder.resolve("left-running").toString())
        .await(TIMEOUT);
    fedometer.endCalls();
  }

  @Test
  void rejectsAHeapThatExceedsMemory() throws Exception {
    fedometer = new Fedometer(folder);
    Path home = folder.resolve("too-large");
    var up =
        fedometer
            .start("stack", "up", "--no-agent", "--set", "heap=900g", "--home", home.toString())
            .await(TIMEOUT)
            .expect(ExitCode.COULD_NOT_START);
    assertThat(up.err()).contains("the kernel would kill Fedora", "--set heap.maximum=SIZE");
    assertThat(home).doesNotExist();
  }

  @Test
  void upLeavesAFedoraThatDownStops() throws Exception {
    fedometer = new Fedometer(folder);
    Path home = folder.resolve("left-running");
    var collector = fedometer.startWithStore("collect", "--listen", "127.0.0.1:0");
    var up =
        fedometer
            .startWithStore(
                "stack",
                "up",
                "--profile",
                "mulgara-derby",
                "--set",
                "fedora.xacml=true",
                "--set",
                Fedometer.QUICK_COMPILER,
                "--stage",
                "my.none=execution(* org.fcrepo.server.Server.none(..))",
                "--home",
                home.toString(),
                "--collector",
                collector.address())
            .await(TIMEOUT)
            .expect(ExitCode.DONE);
    assertThat(up.err()).contains("my.none matches nothing that Fedora has loaded so far");
    assertThat(up.out())
        .as("a Java that would warn of the question is not asked")
        .containsPattern(
            "(?m)^samples   (collector "
                + Pattern.quote(collector.address())
                + ", connected, run monitoring-|'fedometer agent list --json')");

    JsonNode stacks =
        fedometer.start("stack", "list", "--json").await(TIMEOUT).expect(ExitCode.DONE).json();
    assertThat(stacks).hasSize(1);
    JsonNode stack = stacks.get(0);
    assertThat(stack.get("home").asText()).isEqualTo(home.toString());
    assertThat(stack.get("profile").asText())
        .isEqualTo("mulgara-derby fedora.xacml=true " + Fedometer.QUICK_COMPILER);
    assertThat(ProcessHandle.of(stack.get("pid").asLong())).isPresent();
    Path passwordFile = Path.of(stack.get("passwordFile").asText());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(passwordFile)))
        .isEqualTo("rw-------");
    assertThat(statusOf(stack, Files.readString(passwordFile).strip())).isEqualTo(200);

    doctorFindsNoProblemAndLeavesNothing(fedometer, home);
    probeFindsABlockingPolicy(fedometer, home, stack);

    var again =
        fedometer
            .startWithStore("stack", "up", "--home", home.toString())
            .await(TIMEOUT)
            .expect(ExitCode.DONE);
    assertThat(again.err()).as("as it is, where no profile is named").contains("already up");
    var other =
        fedometer
            .startWithStore(
                "stack", "up", "--profile", "mptstore-postgresql", "--home", home.toString())
            .await(TIMEOUT);
    other.expect(ExitCode.COULD_NOT_START);
    assertThat(other.err()).contains(home.toString(), "mulgara-derby");

    for (int i = 0; i < 2; i++) {
      fedometer
          .start("stack", "down", "--home", home.toString())
          .await(TIMEOUT)
          .expect(ExitCode.DONE);
      assertThat(fedometer.start("stack", "list", "--json").await(TIMEOUT).json()).isEmpty();
    }
    assertThat(home).as("a repository is not deleted unasked").isNotEmptyDirectory();
    theDoctorNamesAllThatIsWrongInAHome(fedometer, home);
    fedometer
        .start("stack", "down", "--home", home.toString(), "--delete")
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    assertThat(home).doesNotExist();

    collector.process().destroy();
    collector.await(TIMEOUT);
    assertThat(fedometer.processesLeft()).isEmpty();
    StringBuilder reports = new StringBuilder();
    for (String run : runsOfTheAgent(fedometer)) {
      reports.append(
          fedometer.startWithStore("report", run).await(TIMEOUT).expect(ExitCode.DONE).out());
    }
    assertThat(reports).contains("monitoring-", "http.request");
  }

  private static void doctorFindsNoProblemAndLeavesNothing(Fedometer fedometer, Path home)
      throws Exception {
    long[] before = contents(home);

    JsonNode found = doctor(fedometer, ExitCode.DONE, "--home", home.toString(), "--probe");

    assertThat(states(found))
        .containsOnlyKeys(
            "fedora",
            "resource-index",
            "literals",
            "disk",
            "objects",
            "pid-namespaces",
            "database-pool",
            "http-threads",
            "policies",
            "clock",
            "probe");
    assertThat(states(found).values()).as("%s", found).containsOnly("ok");
    assertThat(contents(home)).containsExactly(before);
  }

  /** Checks a Fedora given by address, whose home is found by that. */
  private static void probeFindsABlockingPolicy(Fedometer fedometer, Path home, JsonNode stack)
      throws Exception {
    long[] before = contents(home);
    Path policy =
        home.resolve("fedora/data/fedora-xacml-policies/repository-policies/deny-web.xml");
    Files.writeString(policy, DENY_DATASTREAMS_FROM_THE_WEB);
    reloadPolicies(stack);

    JsonNode found =
        doctor(
            fedometer,
            ExitCode.DONE_WITH_ERRORS,
            "--target",
            stack.get("url").asText(),
            "--password-file",
            stack.get("passwordFile").asText(),
            "--probe",
            "--content",
            "url",
            "--packaging",
            "datastreams");

    assertThat(states(found))
        .containsEntry("policies", "ok")
        .containsEntry("probe", "problem")
        .containsEntry("content-server", "ok");
    assertThat(check(found, "probe").get("found").asText()).contains("401");
    assertThat(contents(home)).as("half of a probe is purged, too").containsExactly(before);
  }

  private static void theDoctorNamesAllThatIsWrongInAHome(Fedometer fedometer, Path home)
      throws Exception {
    Path fcfg = home.resolve("fedora/server/config/fedora.fcfg");
    Files.writeString(
        fcfg,
        Files.readString(fcfg)
            .replaceFirst("(<param name=\"level\" value=)\"1\"", "$1\"0\"")
            .replaceAll("(<param name=\"maxActive\" value=)\"100\"", "$1\"2\"")
            .replaceFirst(
                "<param name=\"storagePool\"", "<param name=\"retainPIDs\" value=\"demo\"/>$0")
            .replaceFirst(
                "(<param name=\"ENFORCE-MODE\" value=)\"[^\"]*\"", "$1\"deny-all-requests\""));

    JsonNode found =
        doctor(
            fedometer,
            ExitCode.DONE_WITH_ERRORS,
            "--home",
            home.toString(),
            "--content",
            "url",
            "--packaging",
            "datastreams");

    assertThat(states(found))
        .containsEntry("resource-index", "warning")
        .containsEntry("pid-namespaces", "warning")
        .containsEntry("database-pool", "warning")
        .containsEntry("policies", "problem")
        .containsEntry("disk", "ok");
    assertThat(check(found, "database-pool").get("found").asText())
        .isEqualTo("2 connections for 4 workers");
    assertThat(check(found, "pid-namespaces").get("found").asText())
        .isEqualTo("retainPIDs lists demo, but not patent");
  }

  private static JsonNode doctor(Fedometer fedometer, int exitCode, String... arguments)
      throws Exception {
    List<String> all = new ArrayList<>(List.of("doctor", "--json"));
    all.addAll(List.of(arguments));
    return fedometer
        .startWithStore(all.toArray(String[]::new))
        .await(TIMEOUT)
        .expect(exitCode)
        .json();
  }

  private static Map<String, String> states(JsonNode found) {
    Map<String, String> states = new TreeMap<>();
    found
        .get("checks")
        .forEach(each -> states.put(each.get("name").asText(), each.get("state").asText()));
    return states;
  }

  private static JsonNode check(JsonNode found, String name) {
    for (JsonNode each : found.get("checks")) {
      if (each.get("name").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError("no check " + name + " in " + found);
  }

  /** Objects of the load's namespace, and triples. */
  private static long[] contents(Path home) throws Exception {
    Stack stack = StackRegistry.ofUser().find(home).orElseThrow();
    char[] password = Files.readString(stack.passwordFile()).strip().toCharArray();
    try (FedoraClient client =
            FedoraClient.open(
                new FedoraLogin(stack.url(), stack.user(), password),
                FedoraClientOptions.forWorkers(1));
        FedoraSession session = client.newSession()) {
      session.login();
      return new long[] {
        new ObjectCounter(session).count("patent", counted -> {}),
        new TripleCounter(session).count(true)
      };
    }
  }

  private static void reloadPolicies(JsonNode stack) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(stack.get("url").asText() + "/management/control?action=reloadPolicies"))
            .header("Authorization", authorization(stack))
            .build();
    assertThat(
            HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode())
        .isEqualTo(200);
  }

  private static String authorization(JsonNode stack) throws IOException {
    String password = Files.readString(Path.of(stack.get("passwordFile").asText())).strip();
    String credentials = stack.get("user").asText() + ":" + password;
    return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes());
  }

  /** One; at midnight, one of each day. There are no others. */
  private static List<String> runsOfTheAgent(Fedometer fedometer) throws IOException {
    try (Stream<Path> runs = Files.list(fedometer.store().resolve("runs"))) {
      List<String> found = runs.map(run -> run.getFileName().toString()).toList();
      assertThat(found).hasSizeLessThanOrEqualTo(2);
      assertThat(
              found.stream().map(run -> run.replaceFirst("^monitoring-[0-9-]{10}-", "")).distinct())
          .as("sources")
          .hasSize(1);
      return found;
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
