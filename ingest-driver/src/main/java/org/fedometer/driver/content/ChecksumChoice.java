package org.fedometer.driver.content;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.fedometer.datasets.ChecksumAlgorithm;

/**
 * The checksum that Fedora keeps for datastreams with content.
 *
 * @param algorithm empty for the default of Fedora's configuration
 * @param stated true if the driver computes and states the digest, so that Fedora rejects differing
 *     content; else Fedora alone computes it
 */
public record ChecksumChoice(Optional<ChecksumAlgorithm> algorithm, boolean stated) {

  /** The default of Fedora's configuration: no checksum unless changed. */
  public static final ChecksumChoice NONE = new ChecksumChoice(Optional.empty(), false);

  private static final String NONE_ID = "none";
  private static final String BY_FEDORA = ":by-fedora";

  public ChecksumChoice {
    Objects.requireNonNull(algorithm, "algorithm");
    if (stated && algorithm.isEmpty()) {
      throw new IllegalArgumentException("no digest can be stated without an algorithm");
    }
  }

  /**
   * Parses {@code none}, {@code SHA-256} or {@code SHA-256:by-fedora}, ignoring case.
   *
   * @throws IllegalArgumentException listing the valid names
   */
  public static ChecksumChoice named(String text) {
    String upper = text.strip().toUpperCase(Locale.ROOT);
    if (upper.equals(NONE_ID.toUpperCase(Locale.ROOT))) {
      return NONE;
    }
    boolean byFedora = upper.endsWith(BY_FEDORA.toUpperCase(Locale.ROOT));
    String name = byFedora ? upper.substring(0, upper.length() - BY_FEDORA.length()) : upper;
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      if (algorithm.fedoraName().equals(name)) {
        return new ChecksumChoice(Optional.of(algorithm), !byFedora);
      }
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "' is not a checksum; expected none, "
            + String.join(", ", ChecksumAlgorithm.fedoraNames())
            + ", each but none optionally with "
            + BY_FEDORA);
  }

  /** Returns the name used on the command line and in the record of a run. */
  public String id() {
    return algorithm.map(a -> a.fedoraName() + (stated ? "" : BY_FEDORA)).orElse(NONE_ID);
  }
}
