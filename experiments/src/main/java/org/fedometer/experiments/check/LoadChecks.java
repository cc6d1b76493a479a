package org.fedometer.experiments.check;

import java.io.File;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.experiments.host.ThisHost;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.profiles.stack.FedoraSettings;
import org.fedometer.store.DiskSpace;

/** Checks whether a load and a Fedora match, by known facts; sends nothing. Not thread-safe. */
public final class LoadChecks {

  /** Beyond this difference, times of both hosts do not compare. */
  static final Duration CLOCK_LIMIT = Duration.ofSeconds(1);

  /** With less than this share to spare, the disk is tight. */
  private static final double SPARE = 0.1;

  /** Default number of connections by which Fedora fetches content. */
  private static final int SHIPPED_FETCHES = 5;

  private static final String HOME_ADVICE = "Give Fedora's home with --home, on Fedora's host.";

  private final PlannedLoad load;
  private final RepositoryView seen;
  private final List<Check> checks = new ArrayList<>();

  private LoadChecks(PlannedLoad load, RepositoryView seen) {
    this.load = load;
    this.seen = seen;
  }

  public static List<Check> of(PlannedLoad load, RepositoryView seen) {
    LoadChecks all = new LoadChecks(load, seen);
    all.version();
    all.resourceIndex();
    all.checks.add(LiteralsCheck.of(load, seen));
    all.disk();
    all.namespaces();
    all.databasePool();
    all.triplestorePool();
    all.httpThreads();
    all.contentServer();
    all.policies();
    all.clock();
    return List.copyOf(all.checks);
  }

  private void version() {
    if (seen.target().isEmpty()) {
      return;
    }
    String name = "fedora";
    String version = seen.description().map(description -> description.version()).orElse("");
    String at = " at " + seen.target().get() + ", and accepts the login of " + seen.user();
    if (version.isEmpty()) {
      checks.add(
          Check.unknown(
              name,
              "a server that does not report a version answers" + at,
              "Check that --target is the address of Fedora's web application."));
    } else if (!version.startsWith("3.")) {
      checks.add(
          Check.problem(
              name,
              "version " + version + " answers" + at,
              "Fedometer supports Fedora 3 only: give another --target."));
    } else {
      checks.add(Check.ok(name, "version " + version + " answers" + at));
    }
  }

  private void resourceIndex() {
    String name = "resource-index";
    Optional<FedoraSettings> settings = seen.settings();
    boolean answers = seen.triples().isEmpty() || seen.hasTriples();
    if (settings.isPresent() && !settings.get().resourceIndex() && !seen.hasTriples()) {
      String off = "off, by " + seen.settingsFrom();
      checks.add(
          isProfile()
              ? Check.ok(name, off)
              : Check.warning(
                  name,
                  off,
                  "No triples are written or counted. For triples, set level to 1 in"
                      + " fedora.fcfg and rebuild the index."));
    } else if (!answers) {
      checks.add(
          Check.warning(
              name,
              "Fedora's triplestore does not answer " + seen.user(),
              "No triples will be counted: switch the resource index on (level in"
                  + " fedora.fcfg), or let this user query it."));
    } else if (settings.isPresent() && settings.get().resourceIndex()) {
      checks.add(
          Check.ok(
              name,
              "on, "
                  + settings.get().triplestore().name()
                  + (settings.get().syncUpdates()
                      ? "; an object's triples are written before the response"
                      : "; triples are written after the response, all at a flush")));
    } else if (seen.triples().isPresent()) {
      checks.add(Check.ok(name, "on, it answers; when triples are written is unknown"));
    } else {
      checks.add(Check.unknown(name, "could not be determined", "Give --target or --home."));
    }
  }

  private void disk() {
    String name = "disk";
    long neededBytes = load.expectedBytes();
    boolean endless = load.objects() == Long.MAX_VALUE;
    String needed =
        endless
            ? "; about " + NumberFormats.bytes(neededBytes) + " per object, without end"
            : String.format(
                Locale.ROOT,
                "; about %s needed for %s",
                NumberFormats.bytes(neededBytes),
                NumberFormats.count(load.objects(), "object"));
    Set<Path> folders = new TreeSet<>();
    seen.settings().ifPresent(settings -> folders.addAll(settings.folders()));
    boolean sure = !folders.isEmpty() || isProfile();
    if (folders.isEmpty()) {
      seen.disk().ifPresent(folders::add);
    }
    Optional<Path> fullest =
        folders.stream()
            .map(DiskSpace::existing)
            .min((one, other) -> Long.compare(usableBytes(one), usableBytes(other)));
    if (fullest.isEmpty()) {
      checks.add(Check.unknown(name, "Fedora's disk is unknown" + needed, HOME_ADVICE));
      return;
    }
    long usableBytes = usableBytes(fullest.get());
    String found = NumberFormats.bytes(usableBytes) + " free for " + fullest.get() + needed;
    if (usableBytes < neededBytes && sure) {
      checks.add(Check.problem(name, found, "Free disk space, or load fewer objects."));
    } else if (usableBytes < neededBytes * (1 + SPARE)) {
      checks.add(
          Check.warning(
              name,
              found + (sure ? "" : ", if that is Fedora's disk"),
              "Free disk space, or stop the load in time with --min-free-disk."));
    } else {
      checks.add(Check.ok(name, found));
    }
  }

  private static long usableBytes(Path folder) {
    File file = folder.toFile();
    return file.getUsableSpace();
  }

  /**
   * Fedora 3.4 to 3.8.1 keep the PID of a request regardless of retainPIDs (found in
   * DefaultDOManager, and tried), but do not report it to the PID generator.
   */
  private void namespaces() {
    String name = "pid-namespaces";
    Set<String> wanted = new TreeSet<>(load.dataset().pidNamespaces());
    Optional<Set<String>> retained =
        seen.description()
            .map(description -> description.retainedNamespaces())
            .filter(namespaces -> !namespaces.isEmpty())
            .or(() -> seen.settings().map(it -> it.retainedNamespaces().orElse(Set.of("*"))));
    if (retained.isEmpty()) {
      checks.add(
          Check.unknown(name, "which ones Fedora retains is unknown", "Give --target or --home."));
      return;
    }
    Set<String> missing = new TreeSet<>(wanted);
    missing.removeAll(retained.get());
    if (retained.get().contains("*") || missing.isEmpty()) {
      checks.add(Check.ok(name, String.join(", ", wanted) + ": retained"));
      return;
    }
    checks.add(
        Check.warning(
            name,
            "retainPIDs lists "
                + String.join(" ", new TreeSet<>(retained.get()))
                + ", but not "
                + String.join(" ", missing),
            "Add it in fedora.fcfg: objects keep the PIDs of their requests, but Fedora's"
                + " PID generator may generate the same PIDs again."));
  }

  private void databasePool() {
    String name = "database-pool";
    if (seen.settings().isEmpty()) {
      checks.add(Check.unknown(name, "could not be determined", HOME_ADVICE));
      return;
    }
    int connections = seen.settings().get().databaseConnections();
    String found =
        connections == Integer.MAX_VALUE
            ? "any number of connections"
            : NumberFormats.count(connections, "connection");
    checks.add(
        connections < load.workers()
            ? Check.warning(
                name,
                found + " for " + workers(),
                "Raise maxActive of Fedora's datastore in fedora.fcfg, or give fewer"
                    + " --workers: workers wait for a connection.")
            : Check.ok(name, found + " for " + workers()));
  }

  /** Checks the pool of queries; writes have a separate session. */
  private void triplestorePool() {
    int readers = seen.settings().map(it -> it.triplestore().readers()).orElse(Integer.MAX_VALUE);
    if (readers == Integer.MAX_VALUE) {
      return;
    }
    String name = "triplestore-pool";
    String found =
        NumberFormats.count(readers, "session")
            + " for queries, besides the one that writes triples";
    checks.add(
        load.asksTriplestore() && readers < load.workers()
            ? Check.warning(
                name,
                found + "; " + workers() + " may query at once",
                "Raise poolMaxSize of the triplestore, or give fewer --workers.")
            : Check.ok(name, found));
  }

  private void httpThreads() {
    String name = "http-threads";
    Optional<Integer> threads = seen.settings().flatMap(FedoraSettings::httpThreads);
    if (threads.isEmpty()) {
      checks.add(
          Check.unknown(
              name,
              seen.settings().isEmpty()
                  ? "could not be determined"
                  : "no Tomcat connector in Fedora's home",
              seen.settings().isEmpty()
                  ? HOME_ADVICE
                  : "Check that the servlet container has a thread for each worker."));
      return;
    }
    int queue = seen.settings().get().httpQueue();
    String found = NumberFormats.count(threads.get(), "thread") + " for " + workers();
    if (load.workers() > threads.get() + queue) {
      checks.add(
          Check.warning(
              name,
              found + ", and a queue of " + queue,
              "Raise maxThreads in Tomcat's server.xml, or give fewer --workers: connections will be"
                  + " refused."));
    } else if (load.workers() > threads.get()) {
      checks.add(
          Check.warning(
              name,
              found,
              "Raise maxThreads in Tomcat's server.xml, or give fewer --workers: requests"
                  + " wait in its queue, and the wait is measured."));
    } else {
      checks.add(Check.ok(name, found));
    }
  }

  private void contentServer() {
    if (!load.content().path().served()) {
      return;
    }
    String name = "content-server";
    InetAddress address = load.content().server().getAddress();
    if (seen.target().isPresent()
        && address.isLoopbackAddress()
        && !ThisHost.isResolvedFrom(seen.target().get())) {
      checks.add(
          Check.problem(
              name,
              "Fedora is on another host and cannot fetch content from "
                  + address.getHostAddress()
                  + ", a loopback address",
              "Give --content-server H:P, an address of this machine that Fedora's host reaches."));
      return;
    }
    int fetches = seen.settings().map(FedoraSettings::fetchConnections).orElse(SHIPPED_FETCHES);
    String found =
        "Fedora fetches over "
            + NumberFormats.count(fetches, "connection")
            + (seen.settings().isEmpty() ? " (default setting)" : "")
            + " for "
            + workers();
    checks.add(
        fetches < load.workers()
            ? Check.warning(
                name,
                found,
                "Raise httpClientMaxConnectionsPerHost and httpClientMaxTotalConnections in"
                    + " fedora.fcfg, or give fewer --workers.")
            : Check.ok(name, found));
  }

  /** Checks the enforcement mode; only a probe shows the policies' effect on a load. */
  private void policies() {
    String name = "policies";
    if (seen.settings().isEmpty()) {
      checks.add(
          Check.unknown(
              name,
              "could not be determined",
              "Give Fedora's home with --home, on Fedora's host, or give --probe."));
      return;
    }
    checks.add(
        switch (seen.settings().get().policies()) {
          case PERMIT_ALL -> Check.ok(name, "not enforced");
          case DENY_ALL ->
              Check.problem(
                  name,
                  "all requests are denied, by " + seen.settingsFrom(),
                  "Set ENFORCE-MODE to enforce-policies or permit-all-requests in fedora.fcfg.");
          case ENFORCED ->
              Check.ok(
                  name,
                  isProfile()
                      ? "enforced, as shipped with Fedora"
                      : "enforced; --probe shows whether they permit this load");
        });
  }

  private void clock() {
    if (seen.target().isEmpty()) {
      return;
    }
    String name = "clock";
    if (seen.clock().isEmpty()) {
      checks.add(
          Check.unknown(
              name,
              "Fedora's responses have no time",
              "Check that NTP sets the clocks of both hosts."));
      return;
    }
    var clock = seen.clock().get();
    String found =
        String.format(
            Locale.ROOT,
            "Fedora's clock is %+.1f to %+.1f s from this host's",
            clock.minAheadMillis() / 1e3,
            clock.maxAheadMillis() / 1e3);
    checks.add(
        clock.exceeds(CLOCK_LIMIT)
            ? Check.warning(
                name,
                found,
                "Set the clocks of both hosts by NTP: times of the driver and of Fedora"
                    + " cannot be compared.")
            : Check.ok(name, found));
  }

  private boolean isProfile() {
    return seen.settings().isPresent() && seen.settings().get().folders().isEmpty();
  }

  private String workers() {
    return NumberFormats.count(load.workers(), "worker");
  }
}
