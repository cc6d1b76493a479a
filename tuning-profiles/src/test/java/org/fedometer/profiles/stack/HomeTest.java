package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.fedora.FedoraServer;
import org.fedometer.profiles.stack.home.HomeLock;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.ProvisioningStep;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handling of damaged homes, without starting a Fedora. */
class HomeTest {

  @TempDir Path folder;

  private final StackRegistry registry = StackRegistry.ofUser();

  @Test
  void keepsAFolderWithForeignFiles() throws Exception {
    Path file = Files.writeString(folder.resolve("thesis.txt"), "years of work");
    Profile profile = Profiles.shipped().profile("mulgara-derby");

    assertThatThrownBy(
            () ->
                Provisioner.ofUser()
                    .provision(profile, StackOptions.at(folder), ProvisioningListener.SILENT))
        .isInstanceOf(ProvisioningException.class)
        .hasMessage(
            folder + " is not empty and holds no stack; choose another folder or an empty one.");
    assertThat(folder).isDirectoryContaining(file::equals);
    assertThat(registry.down(folder)).isEmpty();
    assertThat(file).exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "null",
        "{\"services\": []}",
        "no JSON",
        "{\"schema\": 1, \"id\": \"1\", \"plan\": {\"settings\": {}}, \"session\": {\"processes\": [null]}}",
        "{\"schema\": 1, \"id\": \"1\", \"plan\": {\"settings\": {}}, \"session\": {\"processes\": [{}]}}"
      })
  void aFolderWithAnotherProgramsStackJsonIsNotTouched(String content) throws Exception {
    Path file = Files.writeString(folder.resolve("stack.json"), content);
    Profile profile = Profiles.shipped().profile("mulgara-derby");

    assertThatThrownBy(
            () ->
                Provisioner.ofUser()
                    .provision(profile, StackOptions.at(folder), ProvisioningListener.SILENT))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageContaining(
            file + " is damaged, or was not written by this version of Fedometer");
    assertThatThrownBy(() -> registry.down(folder)).isInstanceOf(IOException.class);
    assertThat(file).hasContent(content);
  }

  @Test
  void reportsAndKeepsAStackOfAnotherVersion() throws Exception {
    String content = "{\"schema\": 2, \"id\": \"1\", \"plan\": {}, \"session\": {}}";
    Path file = Files.writeString(folder.resolve("stack.json"), content);

    assertThatThrownBy(() -> registry.down(folder))
        .isInstanceOf(IOException.class)
        .hasMessage(
            file
                + " was written by another version of Fedometer (schema 2, this version reads 1);"
                + " take that stack down with the version that created it, or choose another folder");
    assertThat(file).hasContent(content);
  }

  /** No interrupt ends the opening of a pipe without a writer. */
  @ParameterizedTest
  @ValueSource(strings = {"a pipe", "a link to a pipe", "gigabytes", "a folder"})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aStackJsonThatIsNoDocumentAtAllIsRefusedUnreadAndHidesNoOtherStack(String what)
      throws Exception {
    Path strange = Files.createDirectories(folder.resolve("strange"));
    Path file = strange.resolve("stack.json");
    putInPlaceOf(file, what);
    Path good = Files.createDirectories(folder.resolve("good"));
    StackFolders folders = new StackFolders(good);
    document(good).write(folders.document());
    Profile profile = Profiles.shipped().profile("mulgara-derby");
    String refusal = file + " is damaged, or was not written by this version of Fedometer";

    assertThatThrownBy(() -> registry.down(strange))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(refusal);
    assertThatThrownBy(
            () ->
                Provisioner.ofUser()
                    .provision(profile, StackOptions.at(strange), ProvisioningListener.SILENT))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageContaining(refusal);
    Process stray = strayOf(folders);
    try {
      registry.add("b1", strange);
      registry.add("b2", good);

      assertThat(registry.running()).extracting(Stack::home).contains(good).doesNotContain(strange);
    } finally {
      stray.destroyForcibly();
      registry.remove("b1");
      registry.remove("b2");
    }
    assertThat(strange).isDirectoryContaining(file::equals);
  }

  private void putInPlaceOf(Path file, String what) throws Exception {
    switch (what) {
      case "a pipe" -> pipe(file);
      case "a link to a pipe" -> {
        Path pipe = folder.resolve("pipe");
        pipe(pipe);
        Files.createSymbolicLink(file, pipe);
      }
      case "gigabytes" -> {
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
          sparse.setLength(3L << 30);
        }
      }
      default -> Files.createDirectory(file);
    }
  }

  private static void pipe(Path file) throws Exception {
    Process made = new ProcessBuilder("mkfifo", file.toString()).inheritIO().start();
    assertThat(made.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(made.exitValue()).isZero();
  }

  @Test
  void stacksThatCannotBeReadDoNotHideTheOthers() throws Exception {
    Path old = Files.createDirectories(folder.resolve("old"));
    Files.writeString(
        old.resolve("stack.json"), "{\"schema\": 2, \"id\": \"1\", \"plan\": {}, \"session\": {}}");
    Path lacking = Files.createDirectories(folder.resolve("lacking"));
    Files.writeString(
        lacking.resolve("stack.json"),
        "{\"schema\": 1, \"id\": \"1\", \"plan\": {\"settings\": {}},"
            + " \"session\": {\"processes\": []}}");
    Path good = Files.createDirectories(folder.resolve("good"));
    StackFolders folders = new StackFolders(good);
    document(good).write(folders.document());
    Process stray = strayOf(folders);
    try {
      registry.add("a1", old);
      registry.add("a2", lacking);
      registry.add("a3", good);

      assertThat(registry.running()).extracting(Stack::home).contains(good);
    } finally {
      stray.destroyForcibly();
      for (String id : List.of("a1", "a2", "a3")) {
        registry.remove(id);
      }
    }
  }

  @Test
  void aHomeInWhichOneMakesAStackIsNoOthers() throws Exception {
    Path home = folder.resolve("home");
    HomeLock first = registry.lock(home);
    try (first) {
      assertThatThrownBy(() -> provisionUntil(ProvisioningStep.ARTIFACTS, home))
          .isInstanceOf(ProvisioningException.class)
          .hasMessageStartingWith("Another Fedometer is creating or starting a stack in " + home);
      assertThat(home).doesNotExist();
      Files.createDirectories(home);
      document(home).withProvisioned(null).write(new StackFolders(home).document());
      Stack stack = registry.find(home).orElseThrow();
      assertThatThrownBy(() -> stack.start(ProvisioningListener.SILENT))
          .isInstanceOf(ProvisioningException.class)
          .hasMessageStartingWith("Another Fedometer is creating or starting a stack in " + home);
    }
    registry.lock(home).close();
  }

  @Test
  void whatAKilledFirstWriteLeavesIsNoObstacle() throws Exception {
    Path leftover = Files.writeString(folder.resolve("stack.json.12345.tmp"), "{");

    provisionUntil(ProvisioningStep.ARTIFACTS, folder);

    assertThat(leftover).doesNotExist();
    assertThat(registry.find(folder)).get().matches(stack -> !stack.isProvisioned());
    registry.find(folder).orElseThrow().delete();
  }

  /** So that what a killed deletion leaves can be found and deleted again. */
  @Test
  void stackJsonIsDeletedLast() throws Exception {
    Path home = Files.createDirectories(folder.resolve("home"));
    for (String name : List.of("a/b/c", "z/y", "stack", "tomcat")) {
      Files.createDirectories(home.resolve(name));
    }
    document(home).write(new StackFolders(home).document());
    Stack stack = registry.find(home).orElseThrow();
    try (WatchService watcher = FileSystems.getDefault().newWatchService()) {
      home.register(watcher, StandardWatchEventKinds.ENTRY_DELETE);

      stack.delete();

      List<String> deleted = new ArrayList<>();
      while (!deleted.contains("stack.json")) {
        WatchKey key = watcher.poll(20, TimeUnit.SECONDS);
        assertThat(key).as("after " + deleted).isNotNull();
        key.pollEvents().forEach(event -> deleted.add(event.context().toString()));
        if (!key.reset()) {
          // The folder is gone, and later events are no longer reported.
          key.pollEvents().forEach(event -> deleted.add(event.context().toString()));
        }
      }
      assertThat(deleted).contains("a", "z", "stack", "tomcat").endsWith("stack.json");
    }
    assertThat(home).doesNotExist();
  }

  private static StackDocument document(Path home) throws Exception {
    return StackDocument.of(
        "1",
        Profiles.shipped().profile("mulgara-derby"),
        StackOptions.at(home),
        Path.of(System.getProperty("java.home")));
  }

  /** As if the tool was killed at a step. */
  private static void provisionUntil(ProvisioningStep last, Path home) throws Exception {
    ProvisioningListener listener =
        new ProvisioningListener() {
          @Override
          public void stepStarted(ProvisioningStep step) {
            if (step == last) {
              throw new CancellationException();
            }
          }
        };
    try {
      Provisioner.ofUser()
          .provision(Profiles.shipped().profile("mulgara-derby"), StackOptions.at(home), listener);
    } catch (CancellationException e) {
      return;
    }
    fail("it went on after " + last);
  }

  @Test
  void whatUpWasGivenHoldsFromTheNextStartOn() throws Exception {
    StackFolders folders = new StackFolders(folder);
    StackDocument.of(
            "1",
            Profiles.shipped().profile("mulgara-derby"),
            StackOptions.at(folder).withAgent(Path.of("/a.jar"), "x=1").withJvmArgument("-Xss1m"),
            Path.of(System.getProperty("java.home")))
        .write(folders.document());
    Stack stack = registry.find(folder).orElseThrow();

    stack.useNoAgent();
    stack.useHttpPort(8081);

    StackDocument.Plan plan = StackDocument.read(folders.document()).orElseThrow().plan();
    assertThat(plan.jvmArguments()).containsExactly("-Xss1m");
    assertThat(plan.httpPort()).isEqualTo(8081);
  }

  @Test
  void aHomeKeepsItsPortUnlessItIsGivenAnother() throws Exception {
    StackDocument fresh = document(folder);
    StackDocument wasUp = fresh.withPorts(8082, 0);

    assertThat(fresh.nextHttpPort()).as("a free one").isZero();
    assertThat(wasUp.nextHttpPort()).isEqualTo(8082);
    assertThat(wasUp.withHttpPort(8083).nextHttpPort()).isEqualTo(8083);
  }

  @Test
  void reportsAPortTakenMeanwhile() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      document(folder)
          .withProvisioned(new StackDocument.Installation("/b", List.of(), "none"))
          .withPorts(other.getLocalPort(), 0)
          .write(new StackFolders(folder).document());
      Stack stack = registry.find(folder).orElseThrow();

      assertThatThrownBy(() -> stack.start(ProvisioningListener.SILENT))
          .isInstanceOf(ProvisioningException.class)
          .hasMessage(
              "Port "
                  + other.getLocalPort()
                  + " of 127.0.0.1, which the Fedora in "
                  + folder
                  + " had, is taken; give Fedora another one by --port PORT, or stop the process"
                  + " that uses it.");
    }
  }

  @Test
  void distinguishesAnEndedFedoraFromOneNotStarted() throws Exception {
    Path file = new StackFolders(folder).document();
    LinuxProcess own = LinuxProcess.of("Fedora", ProcessHandle.current().pid()).orElseThrow();
    LinuxProcess gone = new LinuxProcess("Fedora", own.pid(), own.startTicks(), "another boot");

    document(folder).write(file);
    assertThat(registry.find(folder)).get().matches(stack -> !stack.fedoraHasEnded());
    document(folder).withProcess(own).write(file);
    assertThat(registry.find(folder)).get().matches(stack -> !stack.fedoraHasEnded());
    document(folder).withProcess(gone).write(file);
    assertThat(registry.find(folder)).get().matches(Stack::fedoraHasEnded);
  }

  @Test
  void whatRunsOfAStackIsNamedToWhoStartsItAgain() throws Exception {
    StackFolders folders = new StackFolders(folder);
    document(folder)
        .withProvisioned(new StackDocument.Installation("/b", List.of(), "none"))
        .write(folders.document());
    Process stray = strayOf(folders);
    try {
      Stack stack = registry.find(folder).orElseThrow();

      assertThatThrownBy(() -> stack.start(ProvisioningListener.SILENT))
          .isInstanceOf(ProvisioningException.class)
          .hasMessage(
              "The stack in %s is running already: Fedora (pid %d); take it down first, with"
                  + " 'fedometer stack down --home %s'.",
              folder, stray.pid(), folder);
    } finally {
      stray.destroyForcibly();
    }
  }

  @Test
  void downOfAFolderThatIsNotThereDoesNothing() throws Exception {
    assertThat(registry.down(folder.resolve("none"))).isEmpty();
  }

  /** Waits for its input by itself: a child would have the same arguments until its exec. */
  private static Process strayOf(StackFolders folders) throws IOException {
    return new ProcessBuilder("sh", "-c", "read line", FedoraServer.marker(folders)).start();
  }

  /** As if the tool was killed between the start of a process and its entry in stack.json. */
  @Test
  void downFindsAProcessThatIsNotWrittenDown() throws Exception {
    StackFolders folders = new StackFolders(folder);
    StackDocument.of(
            "1",
            Profiles.shipped().profile("mulgara-derby"),
            StackOptions.at(folder),
            Path.of(System.getProperty("java.home")))
        .write(folders.document());
    Process stray = strayOf(folders);
    LinuxProcess process = LinuxProcess.of("x", stray.pid()).orElseThrow();

    List<String> ended = registry.down(folder);

    assertThat(ended).containsExactly("Fedora (pid " + stray.pid() + ")");
    assertThat(process.isAlive()).isFalse();
  }

  /** The user who created the folder may differ from the one who stops the stack. */
  @Test
  void aProcessOfAnotherUserThanTheFilesIsNeitherShownNorEnded() throws Exception {
    Path file = new StackFolders(folder).document();
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    Process innocent = new ProcessBuilder("sleep", "600").start();
    try {
      // The first process of the machine is root's; root itself gives the file away instead.
      long pid = root ? innocent.pid() : 1;
      StackDocument.of(
              "1",
              Profiles.shipped().profile("mulgara-derby"),
              StackOptions.at(folder),
              Path.of(System.getProperty("java.home")))
          .withProcess(LinuxProcess.of(FedoraServer.ROLE, pid).orElseThrow())
          .write(file);
      if (root) {
        assertThat(registry.find(folder).orElseThrow().isRunning()).as("root's own").isTrue();
        Files.setAttribute(file, "unix:uid", 4711);
      }

      assertThat(registry.find(folder).orElseThrow().isRunning()).isFalse();
      assertThat(registry.down(folder)).isEmpty();
      assertThat(LinuxProcess.of(FedoraServer.ROLE, pid)).isPresent();
    } finally {
      innocent.destroyForcibly().waitFor();
    }
  }

  @Test
  void aHalfProvisionedStackDoesNotStart() throws Exception {
    StackDocument.of(
            "1",
            Profiles.shipped().profile("mulgara-derby"),
            StackOptions.at(folder),
            Path.of(System.getProperty("java.home")))
        .write(new StackFolders(folder).document());
    Stack stack = registry.find(folder).orElseThrow();

    assertThatThrownBy(() -> stack.start(ProvisioningListener.SILENT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not completely provisioned");
  }

  @Test
  void theDocumentIsReadAsItWasWritten() throws Exception {
    StackDocument document =
        StackDocument.of(
                "1",
                Profiles.shipped().profile("mptstore-postgresql"),
                StackOptions.at(folder),
                Path.of(System.getProperty("java.home")))
            .withProvisioned(
                new StackDocument.Installation(
                    "/b", List.of("unshare", "--user"), "PostgreSQL 18.6"))
            .withPorts(8080, 5432)
            .withProcess(LinuxProcess.of("x", ProcessHandle.current().pid()).orElseThrow());
    Path file = folder.resolve("stack.json");

    document.write(file);

    assertThat(StackDocument.read(file)).contains(document);
  }
}
