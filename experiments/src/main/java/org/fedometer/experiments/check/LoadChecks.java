package org.fedometer.experiments.check;

import java.io.File;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.Deflater;
import org.fedometer.analysis.Figures;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.PackagedObject;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.StoredLiteral;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.fedometer.experiments.host.ThisHost;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.profiles.stack.FedoraSettings;
import org.fedometer.profiles.stack.fedora.AccessPolicies;
import org.fedometer.profiles.stack.fedora.PolicyRequest;
import org.fedometer.store.DiskRoom;

/**
 * Whether a load and a Fedora go together, by what is known of both; sends nothing. For one thread.
 */
public final class LoadChecks {

  /** Beyond it times of day on both sides are not to be compared. */
  static final Duration CLOCK_LIMIT = Duration.ofSeconds(1);

  /** Of literals, while a run starts. */
  private static final Duration SAMPLING = Duration.ofMillis(150);

  private static final int SAMPLE = 200;
  private static final int FEWEST_SAMPLED = 10;

  /** With less than this share of what is needed to spare, the disk is tight. */
  private static final double SPARE = 0.1;

  /** As Fedora is shipped: content is fetched by so many connections. */
  private static final int SHIPPED_FETCHES = 5;

  /** MPTStore's narrowest column, on MySQL, with the quotes that are stored around a literal. */
  private static final int NARROWEST_LITERAL_BYTES = 255;

  private static final String HOME_ADVICE = "Name Fedora's home by --home on its own host.";

  private final PlannedLoad load;
  private final RepositoryView seen;
  private final List<Check> checks = new ArrayList<>();

  private LoadChecks(PlannedLoad load, RepositoryView seen) {
    this.load = load;
    this.seen = seen;
  }

  /** All that can be asked without sending anything. */
  public static List<Check> of(PlannedLoad load, RepositoryView seen) {
    LoadChecks all = new LoadChecks(load, seen);
    all.version();
    all.resourceIndex();
    all.literals();
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
    String version = seen.description().map(said -> said.version()).orElse("");
    String at = " at " + seen.target().get() + ", and takes the login of " + seen.user();
    if (version.isEmpty()) {
      checks.add(
          Check.unknown(
              name,
              "something that does not say its version answers" + at,
              "See that --target is the address of Fedora's web application."));
    } else if (!version.startsWith("3.")) {
      checks.add(
          Check.problem(
              name,
              "version " + version + " answers" + at,
              "Fedometer loads Fedora 3: name another --target."));
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
                  "No triples are kept nor counted: set level to 1 in fedora.fcfg and rebuild the"
                      + " index if they are wanted."));
    } else if (!answers) {
      checks.add(
          Check.warning(
              name,
              "Fedora's triplestore does not answer " + seen.user(),
              "No triples will be counted: switch the resource index on (level in fedora.fcfg),"
                  + " or let this user ask it."));
    } else if (settings.isPresent() && settings.get().resourceIndex()) {
      checks.add(
          Check.ok(
              name,
              "on, "
                  + settings.get().triplestore().name()
                  + (settings.get().syncUpdates()
                      ? "; triples are there when an object is"
                      : "; triples are written after an object is answered, all at a flush")));
    } else if (seen.triples().isPresent()) {
      checks.add(Check.ok(name, "on, it answers; how soon triples are written is not seen"));
    } else {
      checks.add(Check.unknown(name, "not seen", "Give --target or --home."));
    }
  }

  private void literals() {
    String name = "literals";
    Optional<FedoraSettings.Triplestore> store = seen.settings().map(FedoraSettings::triplestore);
    if (store.isPresent() && store.get().literalLimitBytes() == Integer.MAX_VALUE) {
      checks.add(
          Check.ok(
              name,
              store.get().name().equals("none")
                  ? "no triplestore keeps them"
                  : store.get().name() + " keeps them of any length, as far as is known"));
      return;
    }
    if (store.isEmpty() && seen.triples().equals(Optional.of(RepositoryView.Triples.NOT))) {
      checks.add(Check.ok(name, "no triplestore that answers"));
      return;
    }
    int most = load.dataset().longestLiteralBytes();
    int compressFromBytes =
        store
            .filter(FedoraSettings.Triplestore::compresses)
            .map(FedoraSettings.Triplestore::literalLimitBytes)
            .orElse(Integer.MAX_VALUE);
    Sample sample = Sample.of(load, SAMPLING, compressFromBytes);
    String longest =
        String.format(
            Locale.ROOT,
            "%,d bytes in the first %s",
            sample.longestBytes,
            sample.objects == 1 ? "object" : sample.objects + " objects");
    if (store.isEmpty() && seen.triples().equals(Optional.of(RepositoryView.Triples.WITH_ITQL))) {
      checks.add(
          Check.ok(
              name, "up to " + longest + "; a triplestore with iTQL, such as Mulgara, keeps it"));
      return;
    }
    if (store.isEmpty()) {
      checks.add(
          most <= NARROWEST_LITERAL_BYTES
              ? Check.ok(name, "at most " + most + " bytes, which any triplestore keeps")
              : Check.unknown(
                  name,
                  "up to " + longest + "; what the triplestore keeps is not seen",
                  "If it is MPTStore, give --longest-literal: 2692 on PostgreSQL, 255 on MySQL, 512"
                      + " on Derby."));
      return;
    }
    FedoraSettings.Triplestore known = store.get();
    int kept = known.literalLimitBytes();
    String keeps =
        String.format(
            Locale.ROOT,
            "%s there keeps %,d%s",
            known.name(),
            kept,
            known.compresses() ? ", compressed" : "");
    String advice =
        "Give --longest-literal "
            + kept
            + ": with one that is too long its whole batch of triples is lost without a word.";
    int least = known.compresses() ? sample.longestCompressedBytes : sample.longestBytes;
    if (least > kept) {
      checks.add(Check.problem(name, "up to " + longest + ", and " + keeps, advice));
    } else if (sample.longestBytes > kept || most > kept) {
      checks.add(
          Check.warning(
              name, "up to " + longest + ", up to " + most + " in all; " + keeps, advice));
    } else {
      checks.add(Check.ok(name, "up to " + longest + "; " + keeps));
    }
  }

  /**
   * What a beginning of the dataset has.
   *
   * @param longestCompressedBytes of the literals that are known one by one and too long as they
   *     are, by a compression that is better than any database's: what is longer even so is too
   *     long for sure
   */
  private record Sample(int longestBytes, int longestCompressedBytes, int objects) {

    /**
     * @param compressFromBytes a longer one is compressed before it is kept
     */
    static Sample of(PlannedLoad load, Duration time, int compressFromBytes) {
      long endNanos = System.nanoTime() + time.toNanos();
      int longest = 0;
      int compressed = 0;
      int objects = 0;
      long most = Math.min(SAMPLE, load.objects());
      while (objects < most && (objects < FEWEST_SAMPLED || System.nanoTime() - endNanos < 0)) {
        RepositoryObject object = load.dataset().object(objects++);
        if (object instanceof PackagedObject) {
          longest = load.dataset().longestLiteralBytes();
        }
        for (String literal : literals(object)) {
          int bytes = StoredLiteral.storedBytes(literal);
          longest = Math.max(longest, bytes);
          if (bytes > compressFromBytes) {
            compressed = Math.max(compressed, compressedBytes(literal));
          }
        }
      }
      return new Sample(longest, compressed, objects);
    }

    private static List<String> literals(RepositoryObject object) {
      List<String> literals = new ArrayList<>(List.of(object.label()));
      if (object instanceof ComposedObject composed) {
        composed.dublinCore().forEach(value -> literals.add(value.value()));
        composed.relationships().forEach(statement -> literals.add(statement.object()));
      }
      return literals;
    }

    private static int compressedBytes(String literal) {
      Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
      try {
        byte[] text = literal.getBytes(StandardCharsets.UTF_8);
        deflater.setInput(text);
        deflater.finish();
        return deflater.deflate(new byte[text.length + 64]);
      } finally {
        deflater.end();
      }
    }
  }

  private void disk() {
    String name = "disk";
    long neededBytes = load.expectedBytes();
    boolean endless = load.objects() == Long.MAX_VALUE;
    String needed =
        endless
            ? "; about " + Figures.bytes(neededBytes) + " an object, and no last object"
            : String.format(
                Locale.ROOT,
                "; about %s needed for %,d objects",
                Figures.bytes(neededBytes),
                load.objects());
    Set<Path> folders = new TreeSet<>();
    seen.settings().ifPresent(settings -> folders.addAll(settings.folders()));
    boolean sure = !folders.isEmpty() || isProfile();
    if (folders.isEmpty()) {
      seen.disk().ifPresent(folders::add);
    }
    Optional<Path> fullest =
        folders.stream()
            .map(DiskRoom::existing)
            .min((one, other) -> Long.compare(usableBytes(one), usableBytes(other)));
    if (fullest.isEmpty()) {
      checks.add(Check.unknown(name, "Fedora's disk is not seen" + needed, HOME_ADVICE));
      return;
    }
    long usableBytes = usableBytes(fullest.get());
    String found = Figures.bytes(usableBytes) + " free for " + fullest.get() + needed;
    if (usableBytes < neededBytes && sure) {
      checks.add(Check.problem(name, found, "Make room, or load fewer objects."));
    } else if (usableBytes < neededBytes * (1 + SPARE)) {
      checks.add(
          Check.warning(
              name,
              found + (sure ? "" : ", if that is Fedora's disk"),
              "Make room, or end the load in time by --until-disk-left."));
    } else {
      checks.add(Check.ok(name, found));
    }
  }

  private static long usableBytes(Path folder) {
    File file = folder.toFile();
    return file.getUsableSpace();
  }

  /**
   * Fedora 3.4 to 3.8.1 keep the PID that a request names whatever retainPIDs says (seen in
   * DefaultDOManager, and tried); its PID generator is then not told of it.
   */
  private void namespaces() {
    String name = "pid-namespaces";
    Set<String> wanted = new TreeSet<>(load.dataset().pidNamespaces());
    Optional<Set<String>> retained =
        seen.description()
            .map(said -> said.retainedNamespaces())
            .filter(namespaces -> !namespaces.isEmpty())
            .or(() -> seen.settings().map(it -> it.retainedNamespaces().orElse(Set.of("*"))));
    if (retained.isEmpty()) {
      checks.add(
          Check.unknown(name, "which ones Fedora retains is not seen", "Give --target or --home."));
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
            "retainPIDs has "
                + String.join(" ", new TreeSet<>(retained.get()))
                + " and not "
                + String.join(" ", missing),
            "Add it in fedora.fcfg: requests that name their PID keep it all the same, but Fedora's"
                + " PID generator is not told and may make it again for somebody."));
  }

  private void databasePool() {
    String name = "database-pool";
    if (seen.settings().isEmpty()) {
      checks.add(Check.unknown(name, "not seen", HOME_ADVICE));
      return;
    }
    int connections = seen.settings().get().databaseConnections();
    String found =
        connections == Integer.MAX_VALUE
            ? "any number of connections"
            : number(connections, "connection");
    checks.add(
        connections < load.workers()
            ? Check.warning(
                name,
                found + " for " + workers(),
                "Raise maxActive of Fedora's datastore in fedora.fcfg, or give fewer --workers:"
                    + " they wait for one another there.")
            : Check.ok(name, found + " for " + workers()));
  }

  /** Its writes go by a session of their own. */
  private void triplestorePool() {
    int readers = seen.settings().map(it -> it.triplestore().readers()).orElse(Integer.MAX_VALUE);
    if (readers == Integer.MAX_VALUE) {
      return;
    }
    String name = "triplestore-pool";
    String found =
        number(readers, "session") + " for questions, besides that by which triples are written";
    checks.add(
        load.questions() && readers < load.workers()
            ? Check.warning(
                name,
                found + "; " + workers() + " may ask at once",
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
              seen.settings().isEmpty() ? "not seen" : "no connector of a Tomcat in Fedora's home",
              seen.settings().isEmpty()
                  ? HOME_ADVICE
                  : "See that the servlet container has a thread for each worker."));
      return;
    }
    int queue = seen.settings().get().httpQueue();
    String found = number(threads.get(), "thread") + " for " + workers();
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
              "Raise maxThreads in Tomcat's server.xml, or give fewer --workers: the others wait in"
                  + " its queue, and their time counts."));
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
              "Fedora is on another host, and is to fetch content from "
                  + address.getHostAddress()
                  + " of this one",
              "Give --content-server H:P, by which Fedora's host reaches this machine."));
      return;
    }
    int fetches = seen.settings().map(FedoraSettings::fetchConnections).orElse(SHIPPED_FETCHES);
    String found =
        "Fedora fetches by "
            + number(fetches, "connection")
            + (seen.settings().isEmpty() ? ", if it is as shipped" : "")
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

  private void policies() {
    String name = "policies";
    if (seen.settings().isEmpty()) {
      checks.add(
          Check.unknown(
              name,
              "not seen",
              "Name Fedora's home by --home on its own host, or let --probe find out."));
      return;
    }
    AccessPolicies policies = seen.settings().get().policies();
    Set<String> refusals = new TreeSet<>();
    Set<String> doubts = new TreeSet<>();
    for (Action action : actions()) {
      for (AccessPolicies.Denial denial : policies.denials(action.request())) {
        String what =
            denial.policy().isEmpty()
                ? "no policy permits " + action.name()
                : denial.policy() + " denies " + action.name();
        (denial.certain() && action.loads() ? refusals : doubts).add(what);
      }
    }
    if (!refusals.isEmpty()) {
      checks.add(
          Check.problem(
              name,
              String.join("; ", refusals),
              "Change the policy, the user or the way of the content: Fedora refuses each such"
                  + " request."));
    } else if (!doubts.isEmpty()) {
      checks.add(
          Check.warning(
              name,
              "it may be that " + String.join("; ", doubts),
              "Let --probe find out: it depends on what is not known before."));
    } else if (!policies.unread().isEmpty()) {
      checks.add(
          Check.unknown(
              name,
              String.join(", ", policies.unread()) + ": not of the kind that can be read",
              "Let --probe find out."));
    } else {
      checks.add(
          Check.ok(
              name,
              policies.areEnforced()
                  ? policies.count() == 0
                      ? "enforced, those that Fedora brings along"
                      : number(policies.count(), "policy", "policies")
                          + " enforced, none is in the way"
                  : "not enforced"));
    }
  }

  /**
   * Something that a load does to Fedora.
   *
   * @param name in words
   * @param loads whether nothing can be loaded without it
   */
  private record Action(String name, PolicyRequest request, boolean loads) {
    Action(String name, PolicyRequest request) {
      this(name, request, true);
    }
  }

  private List<Action> actions() {
    String pid = load.dataset().object(0).pid();
    List<Action> actions = new ArrayList<>();
    actions.add(new Action("ingests", from(PolicyRequest.of("ingest", true, seen.user(), pid))));
    if (load.content().packaging() == Packaging.DATASTREAMS) {
      ContentPath path = load.content().path();
      String location = path.served() ? servedAt() : "uploaded://1";
      actions.add(
          new Action(
              path.served() ? "datastreams at " + location : "datastreams",
              from(
                  PolicyRequest.of("addDatastream", true, seen.user(), pid)
                      .withContent(location, controlGroup(path)))));
    }
    actions.add(
        new Action(
            "reading content back",
            from(PolicyRequest.of("getDatastreamDissemination", false, seen.user(), pid)),
            false));
    return actions;
  }

  /** Which port is free is not known before. */
  private String servedAt() {
    InetSocketAddress server = load.content().server();
    String host = server.getAddress().getHostAddress();
    return "http://"
        + (server.getAddress() instanceof Inet6Address ? "[" + host + "]" : host)
        + (server.getPort() == 0 ? "" : ":" + server.getPort())
        + "/objects/0/CONTENT";
  }

  private static char controlGroup(ContentPath path) {
    return switch (path) {
      case EXTERNAL -> 'E';
      case REDIRECT -> 'R';
      case INLINE_XML -> 'X';
      default -> 'M';
    };
  }

  private PolicyRequest from(PolicyRequest request) {
    return seen.clientAddress().map(request::from).orElse(request);
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
              "Fedora's answers do not say the time",
              "See that both hosts have their clocks set by NTP."));
      return;
    }
    var clock = seen.clock().get();
    String found =
        String.format(
            Locale.ROOT,
            "Fedora's is %+.1f to %+.1f s from this host's",
            clock.leastAheadMillis() / 1e3,
            clock.mostAheadMillis() / 1e3);
    checks.add(
        clock.isBeyond(CLOCK_LIMIT)
            ? Check.warning(
                name,
                found,
                "Set the clocks of both hosts by NTP: times of day of the driver and of Fedora do"
                    + " not compare.")
            : Check.ok(name, found));
  }

  private boolean isProfile() {
    return seen.settings().isPresent() && seen.settings().get().folders().isEmpty();
  }

  private String workers() {
    return number(load.workers(), "worker");
  }

  private static String number(int count, String one) {
    return number(count, one, one + "s");
  }

  private static String number(int count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }
}
