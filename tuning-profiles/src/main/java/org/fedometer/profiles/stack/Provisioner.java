package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.stream.Stream;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.UserFolders;
import org.fedometer.profiles.artifacts.ArtifactUnavailableException;
import org.fedometer.profiles.artifacts.Artifacts;
import org.fedometer.profiles.artifacts.TransferProgress;
import org.fedometer.profiles.stack.database.DatabaseFolders;
import org.fedometer.profiles.stack.database.DatabaseServer;
import org.fedometer.profiles.stack.database.ExternalDatabase;
import org.fedometer.profiles.stack.fedora.FedoraInstaller;
import org.fedometer.profiles.stack.fedora.InstalledFedoras;
import org.fedometer.profiles.stack.home.HomeLock;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackArtifact;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.java.InstalledJava;
import org.fedometer.profiles.stack.java.JavaHomes;
import org.fedometer.profiles.stack.java.JavaTrial;
import org.fedometer.profiles.stack.program.DaemonThreads;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.ProvisioningStep;
import org.fedometer.profiles.stack.program.StackFiles;
import org.fedometer.wire.disk.Durable;

/**
 * Makes a stack of a profile: downloads what this machine lacks, and installs Fedora and an empty
 * database into a new home. Calls block their thread; several may run concurrently for different
 * homes, but not for the same one. An interrupt ends the work. Remains of a failed or killed call
 * are removed by {@link StackRegistry#down} or the next call for the same home.
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

  /** Returns a provisioner with this user's Maven settings, cache and list of stacks. */
  public static Provisioner ofUser() {
    return new Provisioner(StackRegistry.ofUser(), UserFolders.cache(), Artifacts::ofUser);
  }

  static Provisioner withCache(Path cache) {
    return new Provisioner(StackRegistry.ofUser(), cache, Artifacts::ofUser);
  }

  /**
   * Makes a complete stack without starting it.
   *
   * @throws ProvisioningException if it is impossible on this machine or a step fails; nothing is
   *     left running
   */
  public Stack provision(Profile profile, StackOptions options, ProvisioningListener listener)
      throws ProvisioningException {
    ProvisioningSteps steps = new ProvisioningSteps(listener);
    try {
      steps.begin(ProvisioningStep.PREFLIGHT);
      Preflight.check(profile, options);
      HomeLock alone = registry.lock(options.home());
      try (alone) {
        return provisionAlone(profile, options, listener, steps);
      }
    } catch (IOException e) {
      Path log = new StackFolders(options.home()).installLog();
      throw steps.failure(e, Files.exists(log) ? log : null);
    } catch (InterruptedException e) {
      throw steps.interrupted(e);
    }
  }

  private Stack provisionAlone(
      Profile profile, StackOptions options, ProvisioningListener listener, ProvisioningSteps steps)
      throws IOException, InterruptedException, ProvisioningException {
    StackFolders folders = new StackFolders(options.home());
    InstalledJava java = JavaHomes.ofMachine().forProfile(profile);
    String externalPassword =
        profile.isDatabaseExternal()
            ? ExternalDatabase.password(Path.of(profile.text("database.passwordFile")))
            : null;
    Optional<ExternalDatabase> external =
        ExternalDatabase.of(profile.settingsAsText(), externalPassword);
    StackDocument.Installation database = null;
    if (external.isPresent()) {
      database = external.get().checkForNewFedora(listener);
    }
    StackDocument document = StackDocument.of(newId(), profile, options, java.home());
    new JavaTrial(java, document).run();
    Optional<DatabaseServer> server = DatabaseServer.of(folders, document);
    if (server.isPresent()) {
      server.get().checkPrograms();
    }
    clearHome(folders);
    StackFiles.createPrivateFolder(folders.home());
    document.write(folders.document());
    Durable.createDirectories(folders.logs());
    registry.add(document.id(), folders.home());
    Secrets secrets = Secrets.create(folders, externalPassword);

    steps.begin(ProvisioningStep.ARTIFACTS);
    List<String> coordinates = coordinates(document, server);
    List<Path> files = fetch(coordinates, listener);
    Path installer = files.get(0);
    int libraries = document.settingAsList("jvm.libraries").size();

    List<StackArtifact> artifactsOfStack = artifacts(document, coordinates, files);

    steps.begin(ProvisioningStep.INSTALL);
    FedoraInstaller fedora = new FedoraInstaller(folders, document);
    fedora.install(
        installer,
        artifactsOfStack.get(0).sha256(),
        files.subList(1, 1 + libraries),
        secrets.adminPassword(),
        new InstalledFedoras(cache));
    if (document.driver().isPresent()) {
      fedora.replaceDriver(files.get(files.size() - 1));
    }

    steps.begin(ProvisioningStep.CREATE_DATABASE);
    if (server.isPresent()) {
      Path jar = server.get().binaries().isPresent() ? files.get(1 + libraries) : null;
      database = server.get().create(secrets, jar, cache);
    } else if (document.setting("database.product").equals("derby")) {
      DatabaseFolders derby = DatabaseFolders.of(folders, document);
      derby.create();
    }
    document.withArtifacts(artifactsOfStack).withProvisioned(database).write(folders.document());
    steps.end();
    return Stack.at(folders.home(), registry).orElseThrow();
  }

  /** Ensures that no existing data is overwritten and no earlier attempt remains. */
  private void clearHome(StackFolders folders) throws IOException, ProvisioningException {
    Path home = folders.home();
    Optional<Stack> earlier = Stack.at(home, registry);
    if (earlier.isPresent()) {
      if (earlier.get().isProvisioned()) {
        throw ProvisioningException.preflight(
            "%s already holds a stack of profile %s%s; choose another folder, or take that"
                + " stack down and delete it.",
            home,
            earlier.get().profileName(),
            earlier.get().isRunning() ? ", and it is running" : "");
      }
      earlier.get().delete();
    } else if (Files.exists(home)) {
      if (!Files.isDirectory(home)) {
        throw ProvisioningException.preflight(home + " is not a folder; choose another one.");
      }
      // The only file left by a process killed during its first write.
      StackFiles.deleteUnfinished(folders.document());
      try (Stream<Path> content = Files.list(home)) {
        if (content.findAny().isPresent()) {
          throw ProvisioningException.preflight(
              home + " is not empty and holds no stack; choose another folder or an empty one.");
        }
      }
    }
  }

  /**
   * Returns the installer, the JVM's libraries, the database's programs if any, and a driver other
   * than Fedora's.
   */
  private static List<String> coordinates(StackDocument document, Optional<DatabaseServer> server)
      throws ProvisioningException {
    List<String> coordinates = new ArrayList<>();
    coordinates.add(document.setting("fedora.installer"));
    coordinates.addAll(document.settingAsList("jvm.libraries"));
    if (server.isPresent()) {
      server.get().binaries().ifPresent(coordinates::add);
    }
    document.driver().ifPresent(coordinates::add);
    return coordinates;
  }

  private static List<StackArtifact> artifacts(
      StackDocument document, List<String> coordinates, List<Path> files) throws IOException {
    List<StackArtifact> artifacts = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      String each = coordinates.get(i);
      String part = "database";
      if (i == 0) {
        part = "installer";
      } else if (document.settingAsList("jvm.libraries").contains(each)) {
        part = "library";
      } else if (document.driver().filter(each::equals).isPresent()) {
        part = "driver";
      }
      artifacts.add(StackArtifact.of(part, each, files.get(i)));
    }
    return artifacts;
  }

  private List<Path> fetch(List<String> coordinates, TransferProgress progress)
      throws InterruptedException, ProvisioningException {
    FutureTask<List<Path>> download =
        new FutureTask<>(
            () -> {
              try (Artifacts repository = artifacts.apply(progress)) {
                return repository.resolve(coordinates);
              }
            });
    // Resolver ignores interrupts. An abandoned download is harmless: it ends with the JVM, and
    // incomplete files do not enter the local repository.
    DaemonThreads.newThread("fedometer-download", download).start();
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

  private static String newId() {
    return Long.toHexString(new SecureRandom().nextLong() | Long.MIN_VALUE);
  }
}
