package org.fedometer.experiments.check;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.fedometer.attach.Jvm;
import org.fedometer.attach.Jvms;
import org.fedometer.driver.fedora.ClockOffset;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.RepositoryDescription;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.experiments.host.ThisHost;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.FedoraSettings;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;

/**
 * Facts about a Fedora before its load: from queries, its configuration, or its future profile.
 * Immutable.
 *
 * @param target its address; empty if not queried
 * @param user the login's user
 * @param settingsFrom source of the settings, for the user; empty without
 * @param disk a folder on a disk that may be Fedora's if {@code settings} name none
 */
public record RepositoryView(
    Optional<URI> target,
    String user,
    Optional<RepositoryDescription> description,
    Optional<Triples> triples,
    Optional<ClockOffset> clock,
    Optional<FedoraSettings> settings,
    String settingsFrom,
    Optional<Path> disk) {

  enum Triples {
    NOT,
    /** As MPTStore. */
    WITHOUT_ITQL,
    /** As Mulgara. */
    WITH_ITQL
  }

  /** User of a stack's Fedora. */
  private static final String ADMINISTRATOR = "fedoraAdmin";

  public static RepositoryView none() {
    return new RepositoryView(
        Optional.empty(),
        ADMINISTRATOR,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        Optional.empty());
  }

  /** Returns the view of a profile that is yet to be installed, on a folder's disk. */
  public static RepositoryView of(Profile profile, Path disk) {
    return none()
        .withSettings(FedoraSettings.of(profile), "profile " + profile.name())
        .onDisk(disk);
  }

  /**
   * Returns this view with a Fedora's responses.
   *
   * @param session has logged in
   * @param clockQueries number of clock readings
   */
  public RepositoryView queried(URI url, String login, FedoraSession session, int clockQueries)
      throws IOException {
    return new RepositoryView(
        Optional.of(url),
        login,
        session.describe(),
        Optional.of(triples(new TripleCounter(session))),
        ClockOffset.measure(session, clockQueries),
        settings,
        settingsFrom,
        disk);
  }

  private static Triples triples(TripleCounter counter) throws IOException {
    if (!counter.isAvailable()) {
      return Triples.NOT;
    }
    try {
      return counter.supportsItql() ? Triples.WITH_ITQL : Triples.WITHOUT_ITQL;
    } catch (FedoraRefusalException e) {
      return Triples.WITHOUT_ITQL; // for this user
    }
  }

  boolean hasTriples() {
    return triples.filter(how -> how != Triples.NOT).isPresent();
  }

  public RepositoryView withSettings(FedoraSettings found, String from) {
    return new RepositoryView(
        target, user, description, triples, clock, Optional.of(found), from, disk);
  }

  RepositoryView onDisk(Path folder) {
    return new RepositoryView(
        target, user, description, triples, clock, settings, settingsFrom, Optional.of(folder));
  }

  /** Returns the home of this user's stack at an address. */
  public static Optional<Path> homeOfStack(URI url) throws IOException {
    if (!ThisHost.isResolvedFrom(url)) {
      return Optional.empty();
    }
    return StackRegistry.ofUser().running().stream()
        .filter(stack -> stack.url().getPort() == url.getPort())
        .map(Stack::home)
        .findFirst();
  }

  /** Returns the home of the Fedora at an address, if found on this host. */
  public static Optional<Path> homeOf(URI url) throws IOException {
    Optional<Path> stack = homeOfStack(url);
    return stack.isPresent() ? stack : homeOfProcess(url);
  }

  /** Finds a home by running processes; empty if none is accessible. */
  private static Optional<Path> homeOfProcess(URI url) {
    return processesOf(url).stream().map(jvm -> Path.of(jvm.fedora().home())).findFirst();
  }

  /**
   * Returns the running Fedoras on this host that are configured for an address's port; empty if
   * inaccessible.
   */
  public static List<Jvm> processesOf(URI url) {
    if (!ThisHost.isResolvedFrom(url)) {
      return List.of();
    }
    try {
      return Jvms.all().stream()
          .filter(jvm -> !jvm.fedora().home().isEmpty())
          .filter(jvm -> FedoraSettings.isForPort(Path.of(jvm.fedora().home()), url.getPort()))
          .toList();
    } catch (IOException | RuntimeException e) {
      return List.of(); // not on Linux, or its processes are inaccessible
    }
  }
}
