package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.fedometer.profiles.stack.database.DatabaseServer;
import org.fedometer.profiles.stack.fedora.FedoraServer;
import org.fedometer.profiles.stack.fedora.LastFlush;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.ProcessExits;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningStep;

/**
 * The processes of one stack, and their document: starts, finds and ends them. A concurrent stop is
 * not lost. Thread-safe.
 */
final class StackProcesses {

  private final StackFolders folders;
  private final StackRegistry registry;

  /** Held while a process is started, while all are ended, and for any change of the document. */
  private final Object monitor = new Object();

  private volatile StackDocument document;
  private volatile boolean stopped;

  StackProcesses(StackFolders folders, StackRegistry registry, StackDocument document) {
    this.folders = folders;
    this.registry = registry;
    this.document = document;
  }

  StackDocument document() {
    return document;
  }

  /** Changes the document; serialized, so that no change is lost. */
  void change(UnaryOperator<StackDocument> change) throws IOException {
    synchronized (monitor) {
      document = change.apply(document);
      document.write(folders.document());
    }
  }

  /** Same, unless the stack was taken down, possibly with its folder. */
  void changeUnlessStopped(ProvisioningStep step, UnaryOperator<StackDocument> change)
      throws IOException, ProvisioningException {
    synchronized (monitor) {
      refuseIfStopped(step);
      change(change);
    }
  }

  @FunctionalInterface
  interface Launch {
    LinuxProcess launch() throws IOException, ProvisioningException;
  }

  /** Starts a process unless the stack was taken down, and records process and change. */
  LinuxProcess start(ProvisioningStep step, Launch launch, UnaryOperator<StackDocument> change)
      throws IOException, ProvisioningException {
    synchronized (monitor) {
      refuseIfStopped(step);
      LinuxProcess process = launch.launch();
      change(before -> change.apply(before).withProcess(process));
      // Again, since a concurrent stop has removed it.
      registry.add(document.id(), folders.home());
      return process;
    }
  }

  /** Fails a start while the stack is being stopped. */
  void refuseIfStopped(ProvisioningStep step) throws ProvisioningException {
    if (stopped) {
      throw takenDown(step);
    }
  }

  /** Returns the reason of a failed start, or that the stack was taken down meanwhile. */
  ProvisioningException reason(ProvisioningException failure) {
    return stopped ? takenDown(failure.step()) : failure;
  }

  private ProvisioningException takenDown(ProvisioningStep step) {
    return new ProvisioningException(
        step, "The stack in " + folders.home() + " was taken down while it started.", null);
  }

  /** Returns the database's own server, if the stack has one. */
  Optional<DatabaseServer> database() {
    return DatabaseServer.of(folders, document);
  }

  /**
   * Prevents further starts, and ends all processes after Fedora's last flush.
   *
   * @throws LostTriplesException if triples could not be written; all has ended nevertheless
   */
  List<String> stop() throws IOException {
    stopped = true;
    return endFlushed();
  }

  private List<String> endFlushed() throws IOException {
    synchronized (monitor) {
      Optional<LinuxProcess> fedora =
          ofJava().stream().filter(document.session().processes()::contains).findFirst();
      if (fedora.isEmpty()) {
        return endAll();
      }
      LastFlush flush = new LastFlush(folders, document, fedora.get());
      flush.run();
      boolean orderly = FedoraServer.stop(fedora.get());
      List<String> ended = new ArrayList<>(names(List.of(fedora.get())));
      ended.addAll(endAll());
      Optional<String> loss = flush.loss(orderly);
      if (loss.isPresent()) {
        throw new LostTriplesException(loss.get(), ended);
      }
      return ended;
    }
  }

  /** Ends the processes without the flush, for a home that is to be deleted. */
  List<String> abandon() throws IOException {
    stopped = true;
    return endAll();
  }

  /**
   * Stops Fedora, then the database, waits for each, and kills those that do not end in time.
   *
   * @return what was ended, such as {@code Fedora (pid 4711)}
   */
  List<String> endAll() throws IOException {
    synchronized (monitor) {
      List<LinuxProcess> all = end(true, true);
      if (Files.exists(folders.document())) {
        change(before -> before.withProcesses(List.of()));
      }
      registry.remove(document.id());
      return names(all);
    }
  }

  private List<LinuxProcess> end(boolean inOrder, boolean withDatabase) throws IOException {
    List<LinuxProcess> all = new ArrayList<>(ofJava());
    for (LinuxProcess process : all) {
      if (inOrder) {
        FedoraServer.stop(process);
      } else {
        FedoraServer.kill(process);
      }
    }
    if (withDatabase) {
      for (LinuxProcess process : ofDatabase()) {
        database().orElseThrow().stop(process);
        all.add(process);
      }
    }
    List<LinuxProcess> remaining = all.stream().filter(LinuxProcess::isAlive).toList();
    if (!remaining.isEmpty()) {
      // A remaining process would write to the same files as the next one.
      throw new IOException(
          "Could not stop "
              + String.join(", ", names(remaining))
              + "; stop it as the user who owns it, or as root.");
    }
    return all;
  }

  /** Ends the processes after a failed start. */
  <E extends Exception> E endAfter(E failure) {
    try {
      endAll();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  /** Same for a Fedora that had been running, which first writes what it has acknowledged. */
  ProvisioningException endFlushedAfter(ProvisioningException failure) {
    try {
      endFlushed();
    } catch (LostTriplesException e) {
      return new ProvisioningException(
          failure.step(),
          failure.getMessage().replaceFirst("\\.$", "") + "; in addition, " + e.getMessage(),
          failure.log().orElse(null),
          failure);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  /**
   * Ends the rest of Fedora; keeps the database, if it is known to run.
   *
   * @throws IOException if something does not end
   */
  void endFedora() throws IOException {
    synchronized (monitor) {
      boolean databaseRuns = missing().stream().allMatch(FedoraServer.ROLE::equals);
      end(databaseRuns, !databaseRuns);
      change(
          before ->
              before.withProcesses(
                  before.session().processes().stream().filter(LinuxProcess::isAlive).toList()));
    }
  }

  /** Returns role and number of each. */
  static List<String> names(List<LinuxProcess> processes) {
    return processes.stream()
        .map(process -> process.role() + " (pid " + process.pid() + ")")
        .toList();
  }

  List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (pidOf(FedoraServer.ROLE).isEmpty()) {
      missing.add(FedoraServer.ROLE);
    }
    database()
        .map(DatabaseServer::role)
        .filter(role -> pidOf(role).isEmpty())
        .ifPresent(missing::add);
    return missing;
  }

  String killCauses(List<String> roles) {
    return document.session().processes().stream()
        .filter(process -> roles.contains(process.role()) && !process.isAlive())
        .flatMap(
            process ->
                ProcessExits.killCause(process.pid())
                    .map(how -> process.role() + " was " + how)
                    .stream())
        .collect(Collectors.joining(", "));
  }

  boolean anyRuns() {
    return !ofJava().isEmpty() || !ofDatabase().isEmpty();
  }

  /** Returns role and number of each running process, Fedora first. */
  List<String> running() {
    List<LinuxProcess> all = new ArrayList<>(ofJava());
    all.addAll(ofDatabase());
    return names(all);
  }

  /** Returns whether Fedora was started and has ended by itself. */
  boolean fedoraHasEnded() {
    return document.session().processes().stream()
            .anyMatch(process -> process.role().equals(FedoraServer.ROLE))
        && ofJava().isEmpty();
  }

  /**
   * Returns Fedora's JVM and, after the tool was killed, the installer's. Searches both stack.json
   * and all processes, since the tool may have been killed between a process's start and its entry.
   */
  List<LinuxProcess> ofJava() {
    return alive(
        FedoraServer.ROLE,
        LinuxProcess.withArguments(FedoraServer.ROLE, FedoraServer.marker(folders)));
  }

  private List<LinuxProcess> ofDatabase() {
    return database().map(server -> alive(server.role(), server.processes())).orElse(List.of());
  }

  private List<LinuxProcess> alive(String role, List<LinuxProcess> found) {
    List<LinuxProcess> alive = new ArrayList<>(found);
    for (LinuxProcess process : document.session().processes()) {
      if (process.role().equals(role)
          && !alive.contains(process)
          && process.isAlive()
          && process.mayBeNamedBy(folders.document())) {
        alive.add(process);
      }
    }
    return alive;
  }

  /** Returns the process that was started last, which may have ended. */
  LinuxProcess lastRecorded(String role) {
    return document.session().processes().stream()
        .filter(process -> process.role().equals(role))
        .reduce((earlier, later) -> later)
        .orElseThrow();
  }

  OptionalLong pidOf(String role) {
    return document.session().processes().stream()
        .filter(process -> process.role().equals(role) && process.isAlive())
        .mapToLong(LinuxProcess::pid)
        .findFirst();
  }
}
