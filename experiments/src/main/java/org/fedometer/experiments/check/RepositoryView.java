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
 * What can be seen of a Fedora before it is loaded: by asking it, in its configuration, or in the
 * profile that it is to be made of. Immutable.
 *
 * @param target where it answers; empty where it was not asked
 * @param user who logs in there
 * @param settingsFrom where that is from, in words; empty without
 * @param disk a folder on a disk that may be Fedora's where {@code settings} name none
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
    /** As MPTStore does. */
    WITHOUT_ITQL,
    /** As Mulgara does. */
    WITH_ITQL
  }

  /** Of the user that a stack's Fedora has. */
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

  /** Of a profile that is still to be made real, on the disk of a folder. */
  public static RepositoryView of(Profile profile, Path disk) {
    return none()
        .withSettings(FedoraSettings.of(profile), "profile " + profile.name())
        .onDisk(disk);
  }

  /**
   * The same, with what a Fedora answers.
   *
   * @param session has logged in
   * @param clockQueries how often to ask for its time
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
      return Triples.WITHOUT_ITQL; // as far as this user is concerned
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

  /** A stack of this user's that answers at an address. */
  public static Optional<Path> homeOfStack(URI url) throws IOException {
    if (!ThisHost.isResolvedFrom(url)) {
      return Optional.empty();
    }
    return StackRegistry.ofUser().running().stream()
        .filter(stack -> stack.url().getPort() == url.getPort())
        .map(Stack::home)
        .findFirst();
  }

  /** The home of the Fedora at an address, where it is on this host and to be found. */
  public static Optional<Path> homeOf(URI url) throws IOException {
    Optional<Path> stack = homeOfStack(url);
    return stack.isPresent() ? stack : homeOfProcess(url);
  }

  /** By the processes that run; empty where none can be looked into. */
  private static Optional<Path> homeOfProcess(URI url) {
    return processesOf(url).stream().map(jvm -> Path.of(jvm.fedora().home())).findFirst();
  }

  /**
   * The Fedoras on this host that are set up for an address's port, of those that run; none where
   * they cannot be looked into.
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
      return List.of(); // not on Linux, or its processes are nobody's business
    }
  }
}
