package org.fedometer.profiles.stack;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fedometer.repair.Finding;
import org.fedometer.repair.Pipe;

/**
 * Findings of a {@link HomeScan} in a stopped Fedora's home. Immutable.
 *
 * @param counts number of {@code objects} (files of objects), {@code registered}, {@code
 *     inFieldIndex}, {@code contentFiles}, {@code triples}, {@code inconsistentObjects}, and {@code
 *     unlistedObjects} (those omitted from the findings, as there are too many)
 * @param findings each inconsistency, by PID
 * @param notes remarks that are no inconsistencies
 * @param copies folder with everything that was removed, if anything
 */
public record HomeFindings(
    Map<String, Long> counts, List<Finding> findings, List<String> notes, Optional<Path> copies) {

  public HomeFindings {
    counts = Map.copyOf(counts);
    findings = List.copyOf(findings);
    notes = List.copyOf(notes);
  }

  /** Returns whether there is no inconsistency, or all were repaired. */
  public boolean isConsistent() {
    return counts.getOrDefault(Pipe.UNLISTED_OBJECTS, 0L) == 0
        && findings.stream().allMatch(finding -> finding.state() == Finding.State.REPAIRED);
  }
}
