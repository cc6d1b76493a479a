package org.fedometer.experiments.check;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.fedometer.experiments.load.PlannedLoad;
import org.fedometer.profiles.stack.fedora.AccessPolicies;
import org.fedometer.profiles.stack.fedora.PolicyRequest;
import org.fedometer.wire.Counted;

/** Whether Fedora's policies let a load do what it does. Stateless; for {@link LoadChecks}. */
final class PoliciesCheck {
  private static final String NAME = "policies";

  private PoliciesCheck() {}

  static Check of(PlannedLoad load, RepositoryView seen) {
    if (seen.settings().isEmpty()) {
      return Check.unknown(
          NAME,
          "not seen",
          "Name Fedora's home by --home on its own host, or let --probe find out.");
    }
    AccessPolicies policies = seen.settings().get().policies();
    Set<String> refusals = new TreeSet<>();
    Set<String> doubts = new TreeSet<>();
    for (Action action : actions(load, seen)) {
      for (AccessPolicies.Denial denial : policies.denials(action.request())) {
        String what =
            denial.policy().isEmpty()
                ? "no policy permits " + action.name()
                : denial.policy() + " denies " + action.name();
        (denial.certain() && action.loads() ? refusals : doubts).add(what);
      }
    }
    if (!refusals.isEmpty()) {
      return Check.problem(
          NAME,
          String.join("; ", refusals),
          "Change the policy, the user or the way of the content: Fedora refuses each such"
              + " request.");
    }
    if (!doubts.isEmpty()) {
      return Check.warning(
          NAME,
          "it may be that " + String.join("; ", doubts),
          "Let --probe find out: it depends on what is not known before.");
    }
    if (!policies.unread().isEmpty()) {
      return Check.unknown(
          NAME,
          String.join(", ", policies.unread()) + ": not of the kind that can be read",
          "Let --probe find out.");
    }
    return Check.ok(NAME, policies.areEnforced() ? inForce(policies.count()) : "not enforced");
  }

  private static String inForce(int policies) {
    return policies == 0
        ? "enforced, those that Fedora brings along"
        : Counted.of(policies, "policy", "policies") + " enforced, none is in the way";
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

  private static List<Action> actions(PlannedLoad load, RepositoryView seen) {
    String pid = load.dataset().object(0).pid();
    List<Action> actions = new ArrayList<>();
    actions.add(
        new Action("ingests", from(seen, PolicyRequest.of("ingest", true, seen.user(), pid))));
    if (load.content().packaging() == Packaging.DATASTREAMS) {
      ContentPath path = load.content().path();
      String location = path.served() ? servedAt(load) : "uploaded://1";
      actions.add(
          new Action(
              path.served() ? "datastreams at " + location : "datastreams",
              from(
                  seen,
                  PolicyRequest.of("addDatastream", true, seen.user(), pid)
                      .withContent(location, controlGroup(path)))));
    }
    actions.add(
        new Action(
            "reading content back",
            from(seen, PolicyRequest.of("getDatastreamDissemination", false, seen.user(), pid)),
            false));
    return actions;
  }

  /** Which port is free is not known before. */
  private static String servedAt(PlannedLoad load) {
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

  private static PolicyRequest from(RepositoryView seen, PolicyRequest request) {
    return seen.clientAddress().map(request::from).orElse(request);
  }
}
