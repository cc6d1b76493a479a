package org.fedometer.profiles.stack;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fedometer.repair.Finding;

/**
 * What a {@link HomeScan} found in a stopped Fedora's home. Immutable.
 *
 * @param counts how many there are: {@code objects} (files of objects), {@code registered}, {@code
 *     inFieldIndex}, {@code contentFiles}, {@code triples}, {@code damaged} (PIDs of which not all
 *     is there that belongs together), {@code notNamed} (things seen of damaged PIDs that are not
 *     among the findings, because there are too many)
 * @param findings each damage, by PID
 * @param notes what is no damage and one should know
 * @param copies folder that holds everything that was removed, if something was
 */
public record HomeFindings(
    Map<String, Long> counts, List<Finding> findings, List<String> notes, Optional<Path> copies) {

  public HomeFindings {
    counts = Map.copyOf(counts);
    findings = List.copyOf(findings);
    notes = List.copyOf(notes);
  }

  /** Whether nothing is wrong, or all that was is mended. */
  public boolean isConsistent() {
    return counts.getOrDefault("notNamed", 0L) == 0
        && findings.stream().allMatch(finding -> finding.state() == Finding.State.REPAIRED);
  }
}
