package org.fedometer.driver.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraResponse;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.FedoraUnreachableException;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.driver.fedora.ObjectCounter;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.wire.Counted;

/**
 * Census of the field index and the triplestore: the run's objects, and others in their namespaces.
 * Filled by the conducting thread; readers query it once complete.
 *
 * <p>Keeps four bytes and a bit per object, and two bytes more if all triples are read.
 */
final class IndexCensus {

  /** Maximum number of foreign PIDs that are looked up. */
  static final int MAX_OTHERS = 100_000;

  private final RunClaim claim;
  private final Dataset dataset;
  private final boolean orphans;
  private final CheckFindings findings;
  private final BitSet inFieldIndex = new BitSet();

  /** Objects of other origin, in the field index, the triplestore or both. */
  private final Map<String, Origin> others = new TreeMap<>();

  private boolean othersLeftOut;
  private PidNumbers numbers;
  private boolean fieldSearchWorks;
  private long inNamespaces;

  /** Triples by index from the first; null if not read. */
  private char[] triplesOf;

  /** Excess counts of the few objects that overflow a {@code char}. */
  private final Map<Integer, Long> triplesAbove = new HashMap<>();

  private static final class Origin {
    private boolean fieldIndex;
    private boolean triplestore;
  }

  /**
   * @param orphans true to keep foreign PIDs for a look-up
   */
  IndexCensus(RunClaim claim, boolean orphans, CheckFindings findings) {
    this.claim = claim;
    this.dataset = claim.dataset();
    this.orphans = orphans;
    this.findings = findings;
  }

  /** Returns whether the whole field index could be read. */
  boolean fieldSearchWorks() {
    return fieldSearchWorks;
  }

  long inNamespaces() {
    return inNamespaces;
  }

  boolean isInFieldIndex(long index) {
    return inFieldIndex.get(claim.place(index));
  }

  /** Returns the number of the run's objects in the field index, without failed ones. */
  long foundInFieldIndex() {
    long[] found = {inFieldIndex.cardinality()};
    claim
        .notIngested()
        .iterator()
        .forEachRemaining(
            (long index) -> found[0] -= isOfRun(index) && isInFieldIndex(index) ? 1 : 0);
    return found[0];
  }

  boolean triplesRead() {
    return triplesOf != null;
  }

  /** Returns the triples of an object of the run, if all were read. */
  long triplesOf(long index) {
    int place = claim.place(index);
    return triplesOf[place] + triplesAbove.getOrDefault(place, 0L);
  }

  /** Returns the triples of all objects of the run; null if not read. */
  Long triplesFound() {
    if (triplesOf == null) {
      return null;
    }
    long found = 0;
    for (char count : triplesOf) {
      found += count;
    }
    for (long more : triplesAbove.values()) {
      found += more;
    }
    return found;
  }

  /**
   * Makes Fedora flush, and counts all triples.
   *
   * @return null on failure, which is reported as a problem
   */
  Long countTriples(FedoraSession session) throws IOException {
    findings.progress("counting triples", 0, 0);
    TripleCounter counter = new TripleCounter(session);
    try {
      counter.flush();
    } catch (FedoraRefusalException e) {
      findings.reportRepositoryProblem(
          "Fedora could not write the triples that it holds in memory: " + Messages.of(e));
    }
    long counted;
    try {
      counted = counter.count(false);
    } catch (FedoraRefusalException e) {
      findings.reportRepositoryProblem("The triples could not be counted: " + Messages.of(e));
      return null;
    }
    Long expected = claim.triplesInAll();
    if (expected != null && counted < expected) {
      findings.reportRepositoryProblem(
          String.format(
              Locale.ROOT,
              "The triplestore holds %s and should hold %,d: %s missing.",
              Counted.of(counted, "triple"),
              expected,
              Counted.of(expected - counted, "is", "are")));
    } else if (expected != null && counted > expected) {
      findings.note(
          "The triplestore holds "
              + Counted.of(counted - expected, "triple")
              + " more than after the run: from another client, or left over.");
    }
    return counted;
  }

  /** Reads the field index in the dataset's namespaces; call before reading the triples. */
  void walkFieldIndex(FedoraSession session) throws IOException {
    numbers = new PidNumbers(dataset, claim.endIndex());
    try {
      for (String namespace : dataset.pidNamespaces()) {
        long before = inNamespaces;
        inNamespaces =
            before
                + new ObjectCounter(session)
                    .walk(
                        namespace,
                        this::recordPid,
                        soFar -> {
                          findings.progress("reading the field index", before + soFar, 0);
                          findings.requireNotStopped();
                        });
      }
      fieldSearchWorks = true;
    } catch (FedoraUnreachableException | LoginRefusedException e) {
      throw e;
    } catch (IOException e) {
      findings.requireNotStopped();
      // Fedora's message if the search meets a field index row without an object.
      Optional<String> orphan = FedoraResponse.pidNotStored(Messages.of(e));
      String why =
          " One row of the field index without an object makes every search fail. Stop"
              + " Fedora and run 'fedometer stack repair --home DIR --dry-run' to list such rows.";
      findings.report(
          List.of(
              orphan.isPresent()
                  ? new Problem(
                      Problem.Kind.FIELD_INDEX_ORPHAN,
                      orphan.get(),
                      "Fedora's field search fails: its field index has "
                          + orphan.get()
                          + ", which Fedora does not have."
                          + why)
                  : new Problem(
                      Problem.Kind.WHOLE,
                      "",
                      "Fedora's field search fails: " + Messages.of(e) + "." + why)));
    }
  }

  private void recordPid(String pid) {
    long index = numbers.indexOf(pid);
    if (isOfRun(index)) {
      inFieldIndex.set(claim.place(index));
    } else {
      Origin origin = other(pid);
      if (origin != null) {
        origin.fieldIndex = true;
      }
    }
  }

  private boolean isOfRun(long index) {
    return index >= claim.firstIndex() && index < claim.endIndex();
  }

  /** Returns null if the PID is not to be looked up. */
  private Origin other(String pid) {
    if (!orphans) {
      return null;
    }
    if (others.size() >= MAX_OTHERS && !others.containsKey(pid)) {
      othersLeftOut = true;
      return null;
    }
    return others.computeIfAbsent(pid, none -> new Origin());
  }

  void readTriples(FedoraSession session) throws IOException {
    char[] counts = new char[claim.place(claim.endIndex())];
    HashSet<String> namespaces = new HashSet<>(dataset.pidNamespaces());
    long[] read = {0};
    String[] last = {"", ""};
    long[] lastIndex = {-1};
    try {
      new TripleCounter(session)
          .subjects(
              () -> {
                Arrays.fill(counts, (char) 0);
                triplesAbove.clear();
                read[0] = 0;
              },
              pid -> {
                if (++read[0] % 100_000 == 0) {
                  findings.progress("reading triples", read[0], 0);
                  findings.requireNotStopped();
                }
                if (!pid.equals(last[0])) {
                  int colon = pid.indexOf(':');
                  boolean ours = colon > 0 && namespaces.contains(pid.substring(0, colon));
                  last[0] = pid;
                  last[1] = ours ? pid : "";
                  lastIndex[0] = ours ? numbers.indexOf(pid) : -1;
                }
                if (last[1].isEmpty()) {
                  return;
                }
                if (isOfRun(lastIndex[0])) {
                  int place = claim.place(lastIndex[0]);
                  if (counts[place] < Character.MAX_VALUE) {
                    counts[place]++;
                  } else {
                    triplesAbove.merge(place, 1L, Long::sum);
                  }
                } else {
                  Origin origin = other(pid);
                  if (origin != null) {
                    origin.triplestore = true;
                  }
                }
              });
      triplesOf = counts;
    } catch (FedoraRefusalException e) {
      findings.reportRepositoryProblem("The triples could not be read: " + Messages.of(e));
    }
  }

  /** Looks up foreign PIDs that were found. */
  void checkOthers(FedoraSession session) throws IOException {
    long checked = 0;
    long there = 0;
    for (Map.Entry<String, Origin> other : others.entrySet()) {
      findings.requireNotStopped();
      findings.progress("checking other objects", ++checked, others.size());
      String pid = other.getKey();
      boolean given;
      try {
        given = exists(session, pid);
      } catch (IllegalArgumentException e) {
        given = false; // not a valid PID for Fedora
      }
      if (given) {
        there++;
        continue;
      }
      List<Problem> found = new ArrayList<>();
      if (other.getValue().fieldIndex) {
        found.add(
            new Problem(
                Problem.Kind.FIELD_INDEX_ORPHAN,
                pid,
                "The field search finds " + pid + ", which Fedora does not have."));
      }
      if (other.getValue().triplestore) {
        found.add(
            new Problem(
                Problem.Kind.TRIPLESTORE_ORPHAN,
                pid,
                "The triplestore has triples of " + pid + ", which Fedora does not have."));
      }
      findings.report(found);
    }
    if (there > 0) {
      findings.note(
          Counted.of(there, "other object is", "other objects are")
              + " in the namespaces of the run; they were not compared.");
    }
    if (othersLeftOut) {
      findings.note(
          String.format(
              Locale.ROOT,
              "More than %,d PIDs do not belong to the run; the others were not checked.",
              MAX_OTHERS));
    }
  }

  static boolean exists(FedoraSession session, String pid) throws IOException {
    try {
      return session.profile(pid).isPresent();
    } catch (FedoraRefusalException e) {
      return true; // an object exists that Fedora cannot deliver
    }
  }
}
