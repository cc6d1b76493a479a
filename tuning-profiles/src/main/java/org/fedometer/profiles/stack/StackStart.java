package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.fedometer.profiles.stack.database.DatabaseServer;
import org.fedometer.profiles.stack.database.ExternalDatabase;
import org.fedometer.profiles.stack.fedora.FedoraConfiguration;
import org.fedometer.profiles.stack.fedora.FedoraServer;
import org.fedometer.profiles.stack.home.HomeLock;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.java.JvmArguments;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.LogLines;
import org.fedometer.profiles.stack.program.Ports;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningStep;

/**
 * One start of a stack: its database, then Fedora, on free ports. After a failure, nothing is left
 * running. Not thread-safe.
 */
public final class StackStart {

  /** Attempts to get a port that no other process uses meanwhile. */
  static final int ATTEMPTS = 4;

  private final StackFolders folders;
  private final StackRegistry registry;
  private final StackProcesses processes;
  private final Map<String, String> environment;
  private final ProvisioningSteps steps;

  StackStart(
      StackFolders folders,
      StackRegistry registry,
      StackProcesses processes,
      Map<String, String> environment,
      ProvisioningSteps steps) {
    this.folders = folders;
    this.registry = registry;
    this.processes = processes;
    this.environment = environment;
    this.steps = steps;
  }

  /** Starts a stack that does not run. */
  void start() throws ProvisioningException {
    try (HomeLock alone = lock()) {
      List<String> running = processes.running();
      if (!running.isEmpty()) {
        throw ProvisioningException.preflight(
            "The stack in %s is running already: %s; take it down first, with 'fedometer stack down --home %s'.",
            folders.home(), String.join(", ", running), folders.home());
      }
      StackDocument document = processes.document();
      int port = document.nextHttpPort();
      if (document.plan().httpPort() == 0) {
        Preflight.checkPreviousPort(port, folders.home());
      }
      startLocked(port, true);
    }
  }

  /** Starts a stack from any state: see {@link Stack#bringUp}. */
  void bringUp(boolean logIn) throws ProvisioningException {
    try (HomeLock alone = lock()) {
      if (processes.missing().isEmpty()) {
        awaitResponse(logIn);
        return;
      }
      processes.endFedora();
      StackDocument document = processes.document();
      int last = document.session().httpPort();
      int port = last != 0 && Ports.awaitFree(last) ? last : document.plan().httpPort();
      startLocked(port, logIn);
    } catch (IOException e) {
      throw processes.endAfter(steps.failure(e, null));
    } catch (InterruptedException e) {
      throw processes.endAfter(steps.interrupted(e));
    }
  }

  private HomeLock lock() throws ProvisioningException {
    try {
      steps.begin(ProvisioningStep.PREFLIGHT);
      return registry.lock(folders.home());
    } catch (IOException e) {
      throw steps.failure(e, null);
    } catch (InterruptedException e) {
      throw steps.interrupted(e);
    }
  }

  /** Waits for a running Fedora, which may be about to come up. */
  private void awaitResponse(boolean logIn) throws ProvisioningException {
    try {
      steps.begin(ProvisioningStep.START_FEDORA);
      FedoraServer server = new FedoraServer(folders, processes.document());
      server.awaitUp(
          processes.lastRecorded(FedoraServer.ROLE),
          LogLines.size(folders.consoleLog()),
          LogLines.size(folders.fedoraLog()));
      if (logIn) {
        steps.begin(ProvisioningStep.LOG_IN);
        server.logIn(secrets());
      }
      processes.refuseIfStopped(ProvisioningStep.START_FEDORA);
      steps.end();
    } catch (ProvisioningException e) {
      throw processes.endFlushedAfter(processes.reason(e));
    } catch (IOException e) {
      throw processes.endFlushedAfter(steps.failure(e, folders.consoleLog()));
    } catch (InterruptedException e) {
      throw processes.endFlushedAfter(steps.interrupted(e));
    }
  }

  private void startLocked(int wantedPort, boolean logIn) throws ProvisioningException {
    try {
      Preflight.checkPort(wantedPort);
      registry.add(processes.document().id(), folders.home());
      Secrets secrets = secrets();
      Optional<ExternalDatabase> external =
          ExternalDatabase.of(processes.document().plan().settings(), secrets.databasePassword());
      if (external.isPresent()) {
        boolean first = processes.document().session().command().isEmpty();
        external.get().checkReached(first);
      }
      Optional<DatabaseServer> database = processes.database();
      if (database.isPresent()) {
        String role = database.get().role();
        if (processes.pidOf(role).isPresent()) {
          database.get().awaitReady(processes.lastRecorded(role));
        } else {
          startDatabase(database.get());
        }
      }
      startFedora(secrets, wantedPort);
      if (logIn) {
        steps.begin(ProvisioningStep.LOG_IN);
        new FedoraServer(folders, processes.document()).logIn(secrets);
      }
      processes.refuseIfStopped(ProvisioningStep.START_FEDORA);
      steps.end();
    } catch (ProvisioningException e) {
      throw processes.endAfter(processes.reason(e));
    } catch (RuntimeException e) {
      processes.endAfter(e);
      throw e;
    } catch (IOException e) {
      throw processes.endAfter(steps.failure(e, folders.consoleLog()));
    } catch (InterruptedException e) {
      throw processes.endAfter(steps.interrupted(e));
    }
  }

  /** Returns the stack's passwords; that of an external database may have changed. */
  Secrets secrets() throws IOException, ProvisioningException {
    Secrets secrets = Secrets.read(folders);
    StackDocument document = processes.document();
    if (document.setting("database.server").equals("external")) {
      Path file = Path.of(document.setting("database.passwordFile"));
      if (Files.exists(file)) {
        return secrets.withDatabasePassword(folders, ExternalDatabase.password(file));
      }
    }
    return secrets;
  }

  /** Starts the database; its step continues on return. */
  void startDatabase(DatabaseServer server)
      throws IOException, InterruptedException, ProvisioningException {
    steps.begin(ProvisioningStep.START_DATABASE);
    for (int attempt = 1; ; attempt++) {
      int port = Ports.free();
      long position = LogLines.size(server.log());
      try {
        LinuxProcess process =
            processes.start(
                ProvisioningStep.START_DATABASE,
                () -> server.launch(port),
                before -> before.withPorts(before.session().httpPort(), port));
        server.awaitReady(process, position);
        return;
      } catch (ProvisioningException e) {
        if (attempt == ATTEMPTS || !server.lostItsPort(position)) {
          throw e;
        }
      }
    }
  }

  private void startFedora(Secrets secrets, int wanted)
      throws IOException, InterruptedException, ProvisioningException {
    keepEarlierFiles();
    for (int attempt = 1; ; attempt++) {
      steps.begin(ProvisioningStep.CONFIGURE);
      int port = wanted == 0 ? Ports.free() : wanted;
      processes.changeUnlessStopped(
          ProvisioningStep.CONFIGURE,
          before -> before.withPorts(port, before.session().databasePort()));
      new FedoraConfiguration(folders, processes.document(), secrets).apply();
      steps.begin(ProvisioningStep.START_FEDORA);
      FedoraServer server = new FedoraServer(folders, processes.document());
      long consolePosition = LogLines.size(folders.consoleLog());
      long logPosition = LogLines.size(folders.fedoraLog());
      try {
        List<String> command = server.commandLine();
        LinuxProcess process =
            processes.start(
                ProvisioningStep.START_FEDORA,
                () -> server.launch(command, environment),
                before -> before.withCommand(command));
        server.awaitUp(process, consolePosition, logPosition);
        return;
      } catch (ProvisioningException e) {
        if (!server.lostItsPort(consolePosition)) {
          throw e;
        }
        if (wanted != 0) {
          throw new ProvisioningException(
              ProvisioningStep.START_FEDORA,
              ("Port %d of 127.0.0.1 was taken while Fedora started; choose another one, or 0"
                      + " for any free one.")
                  .formatted(wanted),
              folders.consoleLog(),
              e);
        }
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Moves files aside that the next JVM would overwrite; it appends to or rotates all others. */
  private void keepEarlierFiles() throws IOException, InterruptedException {
    if (new JvmArguments(processes.document()).overwritesGcLog()) {
      moveAside(folders.gcLog(), number -> folders.gcLogPart(number));
    }
    moveAside(folders.flightRecording(), number -> folders.earlierFlightRecording(number));
  }

  private static void moveAside(Path file, IntFunction<Path> numbered) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    int number = 0;
    while (number < StackFolders.MAX_PARTS - 1 && Files.exists(numbered.apply(number))) {
      number++;
    }
    Files.move(file, numbered.apply(number), StandardCopyOption.REPLACE_EXISTING);
  }
}
