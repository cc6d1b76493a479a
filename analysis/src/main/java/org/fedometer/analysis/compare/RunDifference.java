package org.fedometer.analysis.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fedometer.analysis.compare.RunFacts.Extent;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunView;

/**
 * Differences between two runs besides their results, part of every comparison: those not due to
 * the profile invalidate it. Immutable.
 *
 * @param profilesNotCompared why profiles are not compared, a sentence; null if they are
 * @param atStart variable conditions at each run's start, even if equal
 * @param remarks notes on what could not be compared, a sentence each
 */
public record RunDifference(
    EnvironmentDifference difference,
    String profilesNotCompared,
    List<AtStart> atStart,
    List<String> remarks) {

  public RunDifference {
    atStart = List.copyOf(atStart);
    remarks = List.copyOf(remarks);
  }

  /** A variable condition, such as the machine's load; null if unknown. */
  public record AtStart(String name, String first, String second) {

    boolean differs() {
      return !Objects.equals(first, second);
    }
  }

  /** Returns the conditions at the start that differ. */
  List<AtStart> differingAtStart() {
    return atStart.stream().filter(AtStart::differs).toList();
  }

  /**
   * Computes the differences without reading tables.
   *
   * @throws IOException if a document of a run is unreadable; the message is one sentence
   */
  public static RunDifference of(
      RunView first, RunDocument firstDocument, RunView second, RunDocument secondDocument)
      throws IOException {
    RunFacts firstFacts = RunFacts.of(first, firstDocument);
    RunFacts secondFacts = RunFacts.of(second, secondDocument);
    // A fact known for only one of them is no difference.
    Extent extent = Collections.min(List.of(firstFacts.extent(), secondFacts.extent()));
    Map<String, RunFacts.Fact> firstAll = firstFacts.upTo(extent);
    Map<String, RunFacts.Fact> secondAll = secondFacts.upTo(extent);
    for (RunFacts facts : List.of(firstFacts, secondFacts)) {
      for (String path : facts.missingFiles()) {
        String key = RunFacts.Fact.key("configuration", path);
        firstAll.remove(key);
        secondAll.remove(key);
      }
    }
    List<String> remarks = new ArrayList<>();
    if ((firstDocument.profile() == null) != (secondDocument.profile() == null)) {
      remarks.add(
          "The run %s has no profile on record: settings are not compared."
              .formatted(firstDocument.profile() == null ? first.name() : second.name()));
    }
    addRemarks(remarks, first.name(), firstFacts);
    addRemarks(remarks, second.name(), secondFacts);
    return new RunDifference(
        EnvironmentDifference.of(firstDocument, firstAll, secondDocument, secondAll),
        profilesNotCompared(first.name(), firstDocument, second.name(), secondDocument),
        atStart(firstFacts.moment(), secondFacts.moment()),
        remarks);
  }

  private static String profilesNotCompared(
      String first, RunDocument firstDocument, String second, RunDocument secondDocument) {
    if (firstDocument.profile() != null && secondDocument.profile() != null) {
      return null;
    }
    if (firstDocument.profile() == null && secondDocument.profile() == null) {
      return "Not compared: neither %s nor %s has a profile on record.".formatted(first, second);
    }
    return "Not compared: %s has no profile on record."
        .formatted(firstDocument.profile() == null ? first : second);
  }

  private static List<AtStart> atStart(Map<String, String> first, Map<String, String> second) {
    return EnvironmentDifference.union(first, second).stream()
        .map(name -> new AtStart(name, first.get(name), second.get(name)))
        .toList();
  }

  private static void addRemarks(List<String> remarks, String name, RunFacts facts) {
    if (facts.extent() == Extent.RUN_JSON) {
      remarks.add(
          "The run %s has no %s: only the environment facts in run.json are compared."
              .formatted(name, EnvironmentDocument.PATH));
    } else if (facts.extent() == Extent.BEGINNING) {
      remarks.add(
          (facts.hasProfile()
                      ? "The %s of the run %s ends before Fedora was up"
                      : "The %s of the run %s does not cover Fedora, which ran before the run")
                  .formatted(EnvironmentDocument.PATH, name)
              + ": only workload, host and Fedometer are compared.");
    }
    if (facts.hasNewerSchema()) {
      remarks.add(
          "A later Fedometer wrote the %s of the run %s: fields unknown here are not compared."
              .formatted(EnvironmentDocument.PATH, name));
    }
    for (String path : facts.missingFiles()) {
      remarks.add("The run %s lacks its %s: this file is not compared.".formatted(name, path));
    }
    for (String path : facts.shortenedFiles()) {
      remarks.add(
          "Only the first 4 MiB of the %s of the run %s are compared; the last line of these may be cut."
              .formatted(path, name));
    }
  }
}
