package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.stream.Stream;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.artifacts.ArtifactUnavailableException;
import org.fedometer.profiles.artifacts.Artifacts;
import org.fedometer.profiles.artifacts.TransferProgress;

/**
 * Makes a stack of a profile: downloads what this machine does not have, installs Fedora and an
 * empty database into a fresh home. Called by {@code run} and {@code up}; every call works on the
 * calling thread, several may run at once for different homes. Interrupting the thread ends the
 * work. What a failed or killed call leaves is cleaned by {@link StackRegistry#down} or by the next
 * call for the same home.
 */
public final class Provisioner {

  private final StackRegistry registry;
  private final Path cache;
  private final Function<TransferProgress, Artifacts> artifacts;

  private Provisioner(
      StackRegistry registry, Path cache, Function<TransferProgress, Artifacts> artifacts) {
    this.registry = registry;
    this.cache = cache;
    this.artifacts = artifacts;
  }

  /** With this user's Maven settings, cache and list of stacks. */
  public static Provisioner ofUser() {
    return new Provisioner(StackRegistry.ofUser(), UserFolders.cache(), Artifacts::ofUser);
  }

  /**
   * Makes a stack; it is complete but not started.
   *
   * @throws ProvisioningException if this machine cannot have it or a step fails; nothing is left
   *     running
   */
  public Stack provision(Profile profile, StackOptions options, ProvisioningListener listener)
      throws ProvisioningException {
    Steps steps = new Steps(listener);
    StackFolders folders = new StackFolders(options.home());
    try {
      steps.begin(ProvisioningStep.PREFLIGHT);
      Preflight.check(profile, options);
      clearHome(folders);
      StackDocument document = StackDocument.of(newId(), profile, options);
      StackFiles.createPrivateFolder(folders.home());
      document.write(folders.document());
      Files.createDirectories(folders.logs());
      registry.add(document.id(), folders.home());
      Secrets secrets = Secrets.create(folders);

      steps.begin(ProvisioningStep.ARTIFACTS);
      List<Path> files = fetch(document, listener);
      Path installer = files.get(0);
      int libraries = document.settingAsList("jvm.libraries").size();

      steps.begin(ProvisioningStep.INSTALL);
      new FedoraInstaller(folders)
          .install(
              installer,
              files.subList(1, 1 + libraries),
              options.javaHome(),
              FedoraConfiguration.installProperties(folders, document, secrets));

      steps.begin(ProvisioningStep.CREATE_DATABASE);
      StackDocument.Postgresql postgresql = null;
      if (document.choice(Dimension.DATABASE).equals("postgresql")) {
        postgresql = createPostgresql(folders, document, secrets, files.get(1 + libraries));
      } else {
        Files.createDirectories(folders.derby().getParent());
      }
      document.withProvisioned(postgresql).write(folders.document());
      steps.end();
      return Stack.at(folders.home(), registry).orElseThrow();
    } catch (IOException e) {
      throw steps.failure(e, Files.exists(folders.installLog()) ? folders.installLog() : null);
    } catch (InterruptedException e) {
      throw steps.interrupted(e);
    }
  }

  /** Makes sure that nobody's data is overwritten and that nothing of an earlier try is left. */
  private void clearHome(StackFolders folders) throws IOException, ProvisioningException {
    Path home = folders.home();
    Optional<Stack> earlier = Stack.at(home, registry);
    if (earlier.isPresent()) {
      if (earlier.get().isProvisioned()) {
        throw new ProvisioningException(
            ProvisioningStep.PREFLIGHT,
            ("%s already holds a stack of profile %s%s; choose another folder, or take that"
                    + " stack down and delete it.")
                .formatted(
                    home,
                    earlier.get().profileName(),
                    earlier.get().isRunning() ? ", and it is running" : ""),
            null);
      }
      earlier.get().delete();
    } else if (Files.exists(home)) {
      if (!Files.isDirectory(home)) {
        throw new ProvisioningException(
            ProvisioningStep.PREFLIGHT, home + " is not a folder; choose another one.", null);
      }
      try (Stream<Path> content = Files.list(home)) {
        if (content.findAny().isPresent()) {
          throw new ProvisioningException(
              ProvisioningStep.PREFLIGHT,
              home + " is not empty and holds no stack; choose another folder or an empty one.",
              null);
        }
      }
    }
  }

  /** The installer, the JVM's libraries, and the database's binaries if it has some. */
  private List<Path> fetch(StackDocument document, TransferProgress progress)
      throws InterruptedException, ProvisioningException {
    List<String> coordinates = new ArrayList<>();
    coordinates.add(document.setting("fedora.installer"));
    coordinates.addAll(document.settingAsList("jvm.libraries"));
    if (document.choice(Dimension.DATABASE).equals("postgresql")) {
      String platform =
          PostgresBinaries.platform(System.getProperty("os.name"), System.getProperty("os.arch"));
      coordinates.add(document.setting("database.binaries").replace("{platform}", platform));
    }
    FutureTask<List<Path>> download =
        new FutureTask<>(
            () -> {
              try (Artifacts repository = artifacts.apply(progress)) {
                return repository.resolve(coordinates);
              }
            });
    // Resolver does not heed interrupts. A download that nobody waits for any more harms nobody: it
    // ends with the JVM, and what it has not completed does not enter the local repository.
    Thread downloader = new Thread(download, "fedometer-download");
    downloader.setDaemon(true);
    downloader.start();
    try {
      return download.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ArtifactUnavailableException
          || e.getCause() instanceof IllegalArgumentException) {
        throw new ProvisioningException(
            ProvisioningStep.ARTIFACTS, e.getCause().getMessage(), null, e.getCause());
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private StackDocument.Postgresql createPostgresql(
      StackFolders folders, StackDocument document, Secrets secrets, Path jar)
      throws IOException, InterruptedException, ProvisioningException {
    Path binaries = new PostgresBinaries(cache).unpack(jar);
    ProvisioningException failure = null;
    for (List<String> way : PostgresUser.ways()) {
      StackDocument.Postgresql postgresql = new StackDocument.Postgresql(binaries.toString(), way);
      PostgresServer server = new PostgresServer(folders, postgresql);
      try {
        server.initialise();
      } catch (ProvisioningException e) {
        StackFiles.deleteTree(folders.postgresql());
        if (failure == null) {
          failure = e;
        }
        continue;
      }
      server.createDatabases(document, secrets);
      return postgresql;
    }
    throw failure != null
        ? failure
        : new ProvisioningException(
            ProvisioningStep.CREATE_DATABASE,
            "PostgreSQL does not run as root, and this machine has neither unshare, setpriv nor"
                + " runuser to become another user; run Fedometer as a normal user.",
            null);
  }

  private static String newId() {
    return Long.toHexString(new SecureRandom().nextLong() | Long.MIN_VALUE);
  }

  /** Tells the listener of steps, and knows in which one a failure happened. */
  static final class Steps {
    private final ProvisioningListener listener;
    private ProvisioningStep current;
    private long startedNanos;

    Steps(ProvisioningListener listener) {
      this.listener = listener;
    }

    void begin(ProvisioningStep step) throws InterruptedException {
      end();
      current = step;
      startedNanos = System.nanoTime();
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      listener.stepStarted(step);
    }

    void end() {
      if (current != null) {
        listener.stepFinished(current, Duration.ofNanos(System.nanoTime() - startedNanos));
        current = null;
      }
    }

    ProvisioningException failure(IOException cause, Path log) {
      String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
      return new ProvisioningException(
          current, "Could not " + current.label() + ": " + reason, log, cause);
    }

    ProvisioningException interrupted(InterruptedException cause) {
      Thread.currentThread().interrupt();
      return new ProvisioningException(
          current, "Interrupted while trying to " + current.label() + ".", null, cause);
    }
  }
}
