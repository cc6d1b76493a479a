package org.fedometer.profiles.artifacts;

import eu.maveniverse.maven.mima.context.Context;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import eu.maveniverse.maven.mima.context.Runtimes;
import java.io.IOException;
import java.io.Reader;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.apache.maven.settings.io.xpp3.SettingsXpp3Reader;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.transfer.AbstractTransferListener;
import org.eclipse.aether.transfer.ArtifactNotFoundException;
import org.eclipse.aether.transfer.ChecksumFailureException;
import org.eclipse.aether.transfer.TransferEvent;
import org.fedometer.profiles.UserFolders;

/**
 * Fetches single files from Maven repositories by Maven Resolver. Uses the user's {@code
 * settings.xml} (mirrors, proxies, credentials, offline) and local repository, so that nothing is
 * downloaded twice. Not thread-safe.
 */
public final class Artifacts implements AutoCloseable {

  private final Context context;

  /** This user's Maven folders; null means Maven's default. */
  record Places(Path userHome, Path systemHome) {}

  private Artifacts(Context context) {
    this.context = context;
  }

  /** Fetches like the user's Maven, and reports every download to {@code progress}. */
  public static Artifacts ofUser(TransferProgress progress) {
    UserFolders.home(); // otherwise Java's placeholder for it would become a folder here
    return open(new Places(null, mavenHome(System.getenv("PATH"))), progress);
  }

  static Artifacts open(Places places, TransferProgress progress) {
    Objects.requireNonNull(progress, "progress");
    ContextOverrides.Builder overrides =
        ContextOverrides.create().withUserSettings(true).transferListener(new Listener(progress));
    if (places.userHome() != null) {
      overrides.withMavenUserHomeOverride(places.userHome());
    }
    if (places.systemHome() != null) {
      overrides.withMavenSystemHomeOverride(places.systemHome());
    }
    Context context = Runtimes.INSTANCE.getRuntime().create(overrides.build());
    if (isOffline(context)) {
      context.close();
      context = Runtimes.INSTANCE.getRuntime().create(overrides.offline(true).build());
    }
    return new Artifacts(context);
  }

  /** Returns whether a settings.xml sets Maven offline, which MIMA does not read. */
  private static boolean isOffline(Context context) {
    List<Path> files = new ArrayList<>();
    files.add(context.mavenUserHome().settingsXml());
    if (context.mavenSystemHome() != null) {
      files.add(context.mavenSystemHome().settingsXml());
    }
    for (Path file : files) {
      if (Files.isRegularFile(file)) {
        try (Reader reader = Files.newBufferedReader(file)) {
          if (new SettingsXpp3Reader().read(reader, false).isOffline()) {
            return true;
          }
        } catch (IOException | XmlPullParserException e) {
          throw new IllegalArgumentException(
              "Maven's settings file " + file + " cannot be read: " + e.getMessage(), e);
        }
      }
    }
    return false;
  }

  public Path localRepository() {
    return context.repositorySystemSession().getLocalRepository().getBasedir().toPath();
  }

  /**
   * Returns the file of an artifact, downloaded if necessary.
   *
   * @param coordinates {@code group:artifact[:extension[:classifier]]:version}
   * @throws ArtifactUnavailableException if unavailable, with reason and advice
   */
  public Path resolve(String coordinates) throws ArtifactUnavailableException {
    return resolve(List.of(coordinates)).get(0);
  }

  /**
   * Returns the files of several artifacts, in the given order.
   *
   * @throws ArtifactUnavailableException if one is unavailable, with reason and advice
   */
  public List<Path> resolve(List<String> coordinates) throws ArtifactUnavailableException {
    List<ArtifactRequest> requests = new ArrayList<>();
    for (String each : coordinates) {
      requests.add(
          new ArtifactRequest(new DefaultArtifact(each), context.remoteRepositories(), null));
    }
    try {
      List<ArtifactResult> results =
          context.repositorySystem().resolveArtifacts(context.repositorySystemSession(), requests);
      return results.stream().map(result -> result.getArtifact().getFile().toPath()).toList();
    } catch (ArtifactResolutionException e) {
      for (ArtifactResult result : e.getResults()) {
        if (!result.isResolved()) {
          throw unavailable(result);
        }
      }
      throw new IllegalStateException("nothing unresolved in a failed resolution");
    }
  }

  @Override
  public void close() {
    context.close();
  }

  private ArtifactUnavailableException unavailable(ArtifactResult result) {
    Throwable cause =
        result.getExceptions().stream()
            .filter(exception -> !(exception instanceof ArtifactNotFoundException))
            .findFirst()
            .orElseGet(
                () -> result.getExceptions().isEmpty() ? null : result.getExceptions().get(0));
    String message =
        "Could not get %s from a Maven repository: %s. %s"
            .formatted(
                result.getRequest().getArtifact(),
                reason(cause),
                "Check the network, and mirrors and proxies in Maven's settings.xml. Downloaded"
                    + " files are kept in "
                    + localRepository()
                    + ".");
    return new ArtifactUnavailableException(message);
  }

  /**
   * Describes a failed download briefly, without the host in Resolver's messages, which would get
   * into logs and run folders.
   */
  private String reason(Throwable thrown) {
    if (context.repositorySystemSession().isOffline()) {
      return "Maven is set to work offline and the local repository does not have it";
    }
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException) {
        return "the repository's host name is unknown";
      } else if (cause instanceof ConnectException) {
        return "the repository refuses the connection";
      } else if (cause instanceof SocketTimeoutException) {
        return "the repository does not answer in time";
      } else if (cause instanceof SSLException) {
        return "the TLS handshake failed: Java does not trust the certificate or shares no"
            + " protocol";
      } else if (cause instanceof ChecksumFailureException) {
        return "the downloaded file does not match the repository's checksum";
      } else if (cause instanceof SocketException) {
        return "the connection to the repository broke";
      } else if (cause.getMessage() != null && cause.getMessage().contains("status code: ")) {
        return cause
            .getMessage()
            .replaceFirst("(?s).*(status code: \\d+).*", "the repository answers with $1");
      }
    }
    if (thrown instanceof ArtifactNotFoundException) {
      return "no repository has it";
    }
    return "no reason given";
  }

  /**
   * Returns the home of this user's {@code mvn}, for its settings.xml, or null if there is none or
   * {@code MAVEN_HOME} is set.
   */
  static Path mavenHome(String searchPath) {
    if (System.getenv("MAVEN_HOME") != null || searchPath == null) {
      return null;
    }
    for (String folder : searchPath.split(":")) {
      Path command = Path.of(folder, "mvn");
      if (!folder.isEmpty() && Files.isExecutable(command)) {
        try {
          Path home = command.toRealPath().getParent().getParent();
          return Files.isRegularFile(home.resolve("conf/settings.xml")) ? home : null;
        } catch (IOException e) {
          return null;
        }
      }
    }
    return null;
  }

  private static final class Listener extends AbstractTransferListener {
    private final TransferProgress progress;

    Listener(TransferProgress progress) {
      this.progress = progress;
    }

    @Override
    public void transferStarted(TransferEvent event) {
      report(event);
    }

    @Override
    public void transferProgressed(TransferEvent event) {
      report(event);
    }

    @Override
    public void transferSucceeded(TransferEvent event) {
      report(event);
    }

    private void report(TransferEvent event) {
      String name = event.getResource().getResourceName();
      if (event.getRequestType() == TransferEvent.RequestType.GET && name.endsWith(".jar")) {
        progress.transferred(
            name.substring(name.lastIndexOf('/') + 1),
            event.getTransferredBytes(),
            event.getResource().getContentLength());
      }
    }
  }
}
