package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.fedora.FedoraServer;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackArtifact;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.Ports;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.ProvisioningStep;
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
 * Both profiles as real stacks, side by side, and then their failures. The stacks are shared and
 * the tests ordered, because a start takes at least ten seconds.
 */
@Tag("fedora")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StackIT {
  private static final String QUICK_COMPILER = "jvm.arguments+=-XX:TieredStopAtLevel=1";

  private final FedoraRequests requests = new FedoraRequests();
  private final StackRegistry registry = StackRegistry.ofUser();

  private Path mptstoreHome;
  private Path mulgaraHome;
  private Stack mptstore;
  private Stack mulgara;

  @BeforeAll
  void startBothAtOnce(@TempDir Path folder) throws Exception {
    mptstoreHome = folder.resolve("mptstore");
    mulgaraHome = folder.resolve("mulgara");
    leaveAHalfProvisionedHome(mulgaraHome);
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      CompletableFuture<Stack> first =
          CompletableFuture.supplyAsync(() -> up("mptstore-postgresql", mptstoreHome), pool);
      CompletableFuture<Stack> second =
          CompletableFuture.supplyAsync(() -> up("mulgara-derby", mulgaraHome), pool);
      mptstore = first.get();
      mulgara = second.get();
    } finally {
      pool.shutdownNow();
    }
  }

  @AfterAll
  void takeEverythingDown() throws IOException {
    registry.down(mptstoreHome);
    registry.down(mulgaraHome);
  }

  /** Interrupts a provisioning while the installer runs, as Ctrl-C does. */
  private void leaveAHalfProvisionedHome(Path home) throws Exception {
    Profile profile = Profiles.shipped().profile("mulgara-derby");
    CountDownLatch installing = new CountDownLatch(1);
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    ProvisioningListener listener =
        new ProvisioningListener() {
          @Override
          public void stepStarted(ProvisioningStep step) {
            if (step == ProvisioningStep.INSTALL) {
              installing.countDown();
            }
          }
        };
    Thread thread =
        new Thread(
            () -> {
              try {
                // A cache without a Fedora, so that there is an installer to interrupt.
                Provisioner.withCache(home.resolveSibling("empty-cache"))
                    .provision(profile, StackOptions.at(home), listener);
                failure.complete(null);
              } catch (Throwable e) {
                failure.complete(e);
              }
            });
    thread.start();
    installing.await();
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !processesOf(home).isEmpty());
    thread.interrupt();

    assertThat(failure.get())
        .isInstanceOf(ProvisioningException.class)
        .hasMessage("Interrupted while trying to install Fedora.");
    assertThat(processesOf(home)).isEmpty();
    assertThat(registry.find(home)).get().matches(stack -> !stack.isProvisioned());
  }

  private static Stack up(String profile, Path home) {
    try {
      ProvisioningListener timer = new TimingListener(profile);
      Stack stack =
          Provisioner.ofUser()
              .provision(
                  Profiles.shipped().profile(profile, List.of(QUICK_COMPILER)),
                  StackOptions.at(home),
                  timer);
      stack.start(timer);
      return stack;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Prints the duration of each step, for the figures in the documentation. */
  private record TimingListener(String profile) implements ProvisioningListener {
    @Override
    public void stepFinished(ProvisioningStep step, Duration took) {
      System.out.printf("%-20s %-16s %6d ms%n", profile, step, took.toMillis());
    }
  }

  @Test
  @Order(1)
  void bothIngestAnObjectAndIndexItsTriples() throws Exception {
    for (Stack stack : List.of(mptstore, mulgara)) {
      assertThat(requests.ingest(stack, "test:a", "a description")).isEqualTo(201);
      assertThat(requests.triples(stack, "test:a"))
          .hasSize(9)
          .anyMatch(triple -> triple.contains("description> \"a description\""));
    }
  }

  @Test
  @Order(2)
  void theProfilesLimitIsTheLongestLiteralThatMptstoreKeeps() throws Exception {
    int limit = mptstore.literalLimitBytes();
    String longest = FedoraRequests.incompressible(limit);
    String tooLong = FedoraRequests.incompressible(limit + 1);

    assertThat(requests.ingest(mptstore, "test:longest", longest)).isEqualTo(201);
    assertThat(requests.triples(mptstore, "test:longest"))
        .anyMatch(triple -> triple.contains(longest));
    // Fedora answers 201 here too, and the triples are lost with the failed flush.
    assertThat(requests.ingest(mptstore, "test:too-long", tooLong)).isEqualTo(201);
    assertThat(requests.query(mptstore, "test:too-long").statusCode()).isEqualTo(500);
    assertThat(Files.readString(mptstore.logs().get("postgresql.log")))
        .contains("exceeds btree version 4 maximum 2704");
    assertThat(requests.triples(mptstore, "test:too-long"))
        .noneMatch(triple -> triple.contains(tooLong));
  }

  @Test
  @Order(1)
  void otherProcessesFindBoth() throws IOException {
    assertThat(registry.running()).extracting(Stack::home).contains(mptstoreHome, mulgaraHome);
    Stack found = registry.find(mptstoreHome).orElseThrow();
    assertThat(found.url()).isEqualTo(mptstore.url());
    assertThat(found.fedoraPid()).isEqualTo(mptstore.fedoraPid()).isPresent();
    assertThat(found.databasePid()).isPresent();
    assertThat(mulgara.databasePid()).isEmpty();
  }

  @Test
  @Order(1)
  void whatTheyAreMadeOfIsKnown() throws IOException {
    assertThat(mptstore.state().versions())
        .containsEntry("fedora", "3.8.1")
        .containsEntry("tomcat", "7.0.55")
        .containsEntry("triplestore", "MPTStore 0.9.5")
        .containsEntry("database", "PostgreSQL 18.6")
        .containsEntry("databaseDriver", "9.3-1102")
        .containsEntry("java", System.getProperty("java.version"));
    assertThat(mulgara.state().versions())
        .containsEntry("triplestore", "Mulgara 2.1.13")
        .containsEntry("database", "Derby 10.9.1.0");
  }

  @Test
  @Order(1)
  void eachFileAndEachProcessOfThemIsKnown() throws IOException {
    assertThat(mptstore.state().artifacts())
        .extracting(StackArtifact::part)
        .startsWith("installer")
        .contains("library", "database");
    assertThat(mulgara.state().artifacts())
        .extracting(StackArtifact::part)
        .startsWith("installer")
        .doesNotContain("database");
    assertThat(mptstore.state().artifacts())
        .allMatch(file -> file.sha256().matches("[0-9a-f]{64}"));
    assertThat(mptstore.state().processes())
        .extracting(StackProcess::role)
        .containsExactlyInAnyOrder("Fedora", "PostgreSQL");
    assertThat(mptstore.state().processes())
        .filteredOn(process -> process.role().equals("Fedora"))
        .singleElement()
        .satisfies(fedora -> assertThat(fedora.command()).isEqualTo(mptstore.state().command()));
    assertThat(mulgara.state().processes())
        .extracting(StackProcess::role)
        .containsExactly("Fedora");
  }

  @Test
  @Order(1)
  void eachFileOfFedorasAndTomcatsConfigurationIsKnown() throws IOException {
    for (Stack stack : List.of(mptstore, mulgara)) {
      StackFolders folders = new StackFolders(stack.home());
      for (Path folder :
          List.of(
              folders.fedoraConfiguration(),
              folders.tomcat().resolve("conf"),
              folders.policies())) {
        try (Stream<Path> all = Files.walk(folder)) {
          assertThat(
                  all.filter(Files::isRegularFile)
                      .filter(
                          file -> !file.toString().toLowerCase(Locale.ROOT).endsWith("readme.txt")))
              .isNotEmpty()
              .allMatch(stack.state().configurationFiles()::containsValue);
        }
      }
    }
  }

  @Test
  @Order(1)
  void connectsToAManagedDatabase() throws Exception {
    try (Connection connection = mptstore.connectToDatabase().orElseThrow();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT current_user || ' ' || current_database()")) {
      row.next();
      assertThat(row.getString(1)).isEqualTo("fedora triples");
    }
    assertThat(mulgara.connectToDatabase()).isEmpty();
  }

  @Test
  @Order(1)
  void theyListenOnLoopbackOnly() throws IOException {
    for (Stack stack : List.of(mptstore, mulgara)) {
      for (LinuxProcess process : processesOf(stack.home())) {
        assertThat(listeningAddresses(process.pid()))
            .as("%s of %s", process.role(), stack.profileName())
            .isNotEmpty()
            .allMatch(InetAddress::isLoopbackAddress);
      }
    }
  }

  @Test
  @Order(1)
  void noPasswordIsInACommandLineOrALogOrAMaskedFile() throws IOException {
    for (Stack stack : List.of(mptstore, mulgara)) {
      List<String> secrets = Secrets.existing(new StackFolders(stack.home()));
      assertThat(secrets).hasSize(4).doesNotHaveDuplicates();
      List<String> places = new ArrayList<>();
      for (LinuxProcess process : processesOf(stack.home())) {
        places.add(
            new String(
                Files.readAllBytes(Path.of("/proc/" + process.pid() + "/cmdline")),
                StandardCharsets.UTF_8));
      }
      for (Path log : stack.logs().values()) {
        places.add(Files.readString(log));
      }
      for (Path file : stack.state().configurationFiles().values()) {
        places.add(stack.state().masked(file));
      }
      for (String secret : secrets) {
        assertThat(places).noneMatch(place -> place.contains(secret));
      }
      assertThat(Files.readString(stack.home().resolve("fedora/server/config/fedora-users.xml")))
          .doesNotContain("changeme");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(stack.home())))
          .isEqualTo("rwx------");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(stack.passwordFile())))
          .isEqualTo("rw-------");
    }
    assertThat(mptstore.state().configurationFiles())
        .containsKeys(
            "fedora.fcfg",
            "beSecurity.xml",
            "fedora-users.xml",
            "activemq.xml",
            "jaas.conf",
            "logback.xml",
            "spring/akubra-llstore.xml",
            "spring/web/security.xml",
            "spring/web/web.properties",
            "tomcat/server.xml",
            "tomcat/web.xml",
            "tomcat/context.xml",
            "tomcat/catalina.properties",
            "tomcat/logging.properties",
            "install.properties",
            "postgresql.conf",
            "postgresql.auto.conf",
            "pg_hba.conf")
        .containsKey("policies/repository-policies/default/permit-anything-to-administrator.xml")
        .allSatisfy((name, file) -> assertThat(name).matches("[\\w./-]+"));
    assertThat(
            mptstore.state().masked(mptstore.state().configurationFiles().get("fedora-users.xml")))
        .contains("name=\"fedoraAdmin\"", "password=\"********\"");
    assertThat(mptstore.state().masked(mptstore.state().configurationFiles().get("fedora.fcfg")))
        .contains("jdbc:postgresql://127.0.0.1:");
  }

  @Test
  @Order(1)
  void aHomeInUseIsNotProvisionedAgain() {
    assertThatThrownBy(
            () ->
                Provisioner.ofUser()
                    .provision(
                        Profiles.shipped().profile("mulgara-derby"),
                        StackOptions.at(mptstoreHome),
                        ProvisioningListener.SILENT))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageContaining(
            "already holds a stack of profile mptstore-postgresql "
                + QUICK_COMPILER
                + ", and it is");
    assertThatThrownBy(
            () -> registry.find(mptstoreHome).orElseThrow().start(ProvisioningListener.SILENT))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageContaining("is running already");
    assertThat(mptstore.isRunning()).isTrue();
  }

  @Test
  @Order(3)
  void aFedoraThatWasKilledLeavesNothingAfterDown() throws Exception {
    LinuxProcess fedora = LinuxProcess.of("Fedora", mptstore.fedoraPid().getAsLong()).orElseThrow();
    fedora.signal("KILL");
    assertThat(fedora.awaitEnd(Duration.ofSeconds(10))).isTrue();
    List<LinuxProcess> database = databaseProcesses(mptstore);
    assertThat(database).hasSizeGreaterThan(3);
    assertThat(registry.running()).extracting(Stack::home).contains(mptstoreHome);
    assertThat(mptstore.fedoraHasEnded()).isTrue();
    assertThat(mptstore.running()).singleElement().asString().startsWith("PostgreSQL (pid ");

    List<String> ended = registry.down(mptstoreHome);

    assertThat(ended).singleElement().asString().startsWith("PostgreSQL (pid ");
    assertThat(database).noneMatch(LinuxProcess::isAlive);
    assertThat(processesOf(mptstoreHome)).isEmpty();
    assertThat(registry.running()).extracting(Stack::home).doesNotContain(mptstoreHome);
    assertThat(registry.down(mptstoreHome)).isEmpty();
  }

  @Test
  @Order(4)
  void anOrderlyStopKeepsTheDataForTheNextStart() throws Exception {
    long startedNanos = System.nanoTime();
    assertThat(mulgara.stop()).singleElement().asString().startsWith("Fedora (pid ");
    System.out.printf("stop %d ms%n", (System.nanoTime() - startedNanos) / 1_000_000);
    assertThat(processesOf(mulgaraHome)).isEmpty();
    assertThat(mulgara.stop()).isEmpty();

    Stack again = registry.find(mptstoreHome).orElseThrow();
    String id = StackDocument.read(new StackFolders(mptstoreHome).document()).orElseThrow().id();
    // As after a stop elsewhere that finds no running process yet.
    again.start(
        at(
            ProvisioningStep.START_FEDORA,
            () -> {
              registry.remove(id);
              return null;
            }));

    assertThat(registry.running()).extracting(Stack::home).contains(mptstoreHome);
    assertThat(requests.triples(again, "test:a")).hasSize(9);
    assertThat(again.stop())
        .hasSize(2)
        .satisfiesExactly(
            first -> assertThat(first).startsWith("Fedora"),
            second -> assertThat(second).startsWith("PostgreSQL"));
    assertThat(processesOf(mptstoreHome)).isEmpty();
  }

  @Test
  @Order(5)
  void reportsWhyAJvmDoesNotStart() throws Exception {
    Stack broken = withPlan(mptstoreHome, 0, List.of("-XX:+NoSuchOption"));

    ProvisioningException failure =
        catchThrowableOfType(
            ProvisioningException.class, () -> broken.start(ProvisioningListener.SILENT));

    assertThat(failure)
        .hasMessage(
            "Fedora's JVM ended before Fedora was up: Unrecognized VM option 'NoSuchOption'");
    assertThat(failure.step()).isEqualTo(ProvisioningStep.START_FEDORA);
    assertThat(failure.log()).contains(mptstoreHome.resolve("logs/fedora-console.log"));
    assertThat(processesOf(mptstoreHome)).isEmpty();
  }

  @Test
  @Order(5)
  void reportsAPortInUseBeforeTheStart() throws Exception {
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Stack stack = withPlan(mptstoreHome, taken.getLocalPort(), List.of());

      assertThatThrownBy(() -> stack.start(ProvisioningListener.SILENT))
          .isInstanceOf(ProvisioningException.class)
          .hasMessage(
              "Port "
                  + taken.getLocalPort()
                  + " of 127.0.0.1 is taken; choose another one, or 0 for any free one.");
    }
    assertThat(processesOf(mptstoreHome)).isEmpty();
  }

  @Test
  @Order(5)
  void reportsAPortLostDuringTheStart() throws Exception {
    try (ServerSocket thief = new ServerSocket()) {
      int port = Ports.free();
      Stack stack = withPlan(mptstoreHome, port, List.of());
      ProvisioningListener listener =
          at(
              ProvisioningStep.START_FEDORA,
              () -> {
                thief.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return null;
              });

      assertThatThrownBy(() -> stack.start(listener))
          .isInstanceOf(ProvisioningException.class)
          .hasMessageStartingWith("Port " + port + " of 127.0.0.1 was taken while Fedora started");
    }
    assertThat(processesOf(mptstoreHome)).isEmpty();
  }

  @Test
  @Order(5)
  void aStopWhileItStartsIsNotLost() throws Exception {
    Stack stack = withPlan(mptstoreHome, 0, List.of());
    CompletableFuture<List<String>> stopped = new CompletableFuture<>();
    ProvisioningListener listener =
        at(ProvisioningStep.START_FEDORA, () -> stopped.completeAsync(() -> await(stack::stop)));

    assertThatThrownBy(() -> stack.start(listener))
        .isInstanceOf(ProvisioningException.class)
        .hasMessage("The stack in " + mptstoreHome + " was taken down while it started.");
    stopped.get();
    assertThat(processesOf(mptstoreHome)).isEmpty();
    assertThatThrownBy(() -> stack.start(ProvisioningListener.SILENT))
        .hasMessageContaining("was taken down");
  }

  private static ProvisioningListener at(ProvisioningStep step, Callable<?> action) {
    return new ProvisioningListener() {
      @Override
      public void stepStarted(ProvisioningStep started) {
        if (started == step) {
          await(action);
        }
      }
    };
  }

  private static <T> T await(Callable<T> action) {
    try {
      return action.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Order(6)
  void reportsTheRootCauseOfAFailedStart() throws Exception {
    Path akubra = mulgaraHome.resolve("fedora/server/config/spring/akubra-llstore.xml");
    Files.writeString(
        akubra, Files.readString(akubra).replace("##", "no-placeholder-in-this-pattern"));
    Stack broken = registry.find(mulgaraHome).orElseThrow();

    ProvisioningException failure =
        catchThrowableOfType(
            ProvisioningException.class, () -> broken.start(ProvisioningListener.SILENT));

    assertThat(failure).hasMessageStartingWith("Fedora did not come up: java.lang.");
    assertThat(failure.log()).contains(mulgaraHome.resolve("fedora/server/logs/fedora.log"));
    assertThat(processesOf(mulgaraHome)).isEmpty();
  }

  @Test
  @Order(7)
  void deletingLeavesNoFile() throws IOException {
    registry.find(mulgaraHome).orElseThrow().delete();

    assertThat(mulgaraHome).doesNotExist();
    assertThat(registry.down(mulgaraHome)).isEmpty();
  }

  /** The stack in a home as if it had been provisioned with other options. */
  private Stack withPlan(Path home, int httpPort, List<String> jvmArguments) throws IOException {
    Path file = new StackFolders(home).document();
    StackDocument document = StackDocument.read(file).orElseThrow();
    StackDocument.Plan plan = document.plan();
    new StackDocument(
            document.schema(),
            document.id(),
            new StackDocument.Plan(
                plan.profile(),
                plan.choices(),
                plan.settings(),
                plan.literalLimitBytes(),
                httpPort,
                plan.javaHome(),
                jvmArguments,
                plan.startTimeoutSeconds()),
            true,
            document.database(),
            document.artifacts(),
            document.session())
        .write(file);
    return registry.find(home).orElseThrow();
  }

  private static List<LinuxProcess> databaseProcesses(Stack stack) {
    List<LinuxProcess> all = new ArrayList<>();
    LinuxProcess server =
        LinuxProcess.of("PostgreSQL", stack.databasePid().getAsLong()).orElseThrow();
    all.add(server);
    all.addAll(server.descendants());
    return all;
  }

  private static List<LinuxProcess> processesOf(Path home) {
    StackFolders folders = new StackFolders(home);
    List<LinuxProcess> all = new ArrayList<>();
    all.addAll(LinuxProcess.withArguments("Fedora", FedoraServer.marker(folders)));
    all.addAll(
        LinuxProcess.withArguments("PostgreSQL", "-D", folders.database("postgresql").toString()));
    return all;
  }

  /** Local addresses of a process's listening TCP sockets, from /proc. */
  private static List<InetAddress> listeningAddresses(long pid) throws IOException {
    List<String> inodes = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
        String target = Files.readSymbolicLink(descriptor).toString();
        if (target.startsWith("socket:[")) {
          inodes.add(target.substring("socket:[".length(), target.length() - 1));
        }
      }
    }
    List<InetAddress> addresses = new ArrayList<>();
    for (Map.Entry<String, Integer> table : Map.of("tcp", 4, "tcp6", 16).entrySet()) {
      Path file = Path.of("/proc/" + pid + "/net/" + table.getKey());
      if (!Files.exists(file)) {
        continue;
      }
      for (String line : Files.readAllLines(file)) {
        String[] fields = line.strip().split("\\s+");
        if (fields[3].equals("0A") && inodes.contains(fields[9])) {
          addresses.add(address(fields[1].split(":")[0], table.getValue()));
        }
      }
    }
    return addresses;
  }

  /** The kernel prints each four bytes as one number of the host's byte order. */
  private static InetAddress address(String hex, int length) throws IOException {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      int word = i / 4 * 8;
      int inWord = (3 - i % 4) * 2;
      bytes[i] = (byte) Integer.parseInt(hex.substring(word + inWord, word + inWord + 2), 16);
    }
    return InetAddress.getByAddress(bytes);
  }
}
