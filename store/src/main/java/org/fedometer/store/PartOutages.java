package org.fedometer.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Outages of a run with several drivers, on one clock: Fedora was away if any of them noticed it,
 * drivers were away if none was running. Stateless.
 */
final class PartOutages {
  private PartOutages() {}

  /** One end of an outage of one driver; at the same time, starts come first. */
  private record Edge(long nanos, int change, RunDocument.Outage of) {}

  /** Returns the run's outages by start; {@code byPart} has a list for each part, even if empty. */
  static List<RunDocument.Outage> joined(List<List<RunDocument.Outage>> byPart) {
    List<Edge> fedora = new ArrayList<>();
    List<Edge> drivers = new ArrayList<>();
    for (List<RunDocument.Outage> part : byPart) {
      for (RunDocument.Outage outage : part) {
        List<Edge> edges = RunDocument.Outage.DRIVER.equals(outage.who()) ? drivers : fedora;
        edges.add(new Edge(outage.startNanos(), 1, outage));
        edges.add(new Edge(outage.endNanos(), -1, outage));
      }
    }
    List<RunDocument.Outage> all = new ArrayList<>(concurrent(fedora, 1));
    all.addAll(concurrent(drivers, byPart.size()));
    all.sort(Comparator.comparingLong(RunDocument.Outage::startNanos));
    return all;
  }

  /**
   * Returns the intervals with so many concurrent outages; the last one to start supplies the
   * reason.
   */
  private static List<RunDocument.Outage> concurrent(List<Edge> edges, int number) {
    edges.sort(
        Comparator.comparingLong(Edge::nanos)
            .thenComparing(Edge::change, Comparator.reverseOrder()));
    List<RunDocument.Outage> found = new ArrayList<>();
    int under = 0;
    Edge first = null;
    for (Edge edge : edges) {
      under += edge.change();
      if (edge.change() > 0 && under == number) {
        first = edge;
      } else if (edge.change() < 0 && under == number - 1 && first != null) {
        found.add(
            new RunDocument.Outage(
                first.of().who(), first.nanos(), edge.nanos(), first.of().reason()));
        first = null;
      }
    }
    return found;
  }
}
