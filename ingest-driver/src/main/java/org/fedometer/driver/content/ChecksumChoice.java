package org.fedometer.driver.content;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.fedometer.datasets.ChecksumAlgorithm;

/**
 * Which checksum Fedora is to keep of the datastreams with content, and who computes it first.
 *
 * @param algorithm empty for what Fedora's own configuration says
 * @param stated whether the driver reads the content and states the digest, so that Fedora compares
 *     and refuses what differs; else Fedora computes it alone
 */
public record ChecksumChoice(Optional<ChecksumAlgorithm> algorithm, boolean stated) {

  /** What Fedora's own configuration says, which is no checksum unless changed. */
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
   * Reads {@code none}, {@code SHA-256}, {@code SHA-256:by-fedora}, in whatever case.
   *
   * @throws IllegalArgumentException naming what there is
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
            + "' is no checksum; there are none, "
            + String.join(", ", ChecksumAlgorithm.fedoraNames())
            + ", each but none also with "
            + BY_FEDORA);
  }

  /** As on the command line and in the record of a run. */
  public String id() {
    return algorithm.map(a -> a.fedoraName() + (stated ? "" : BY_FEDORA)).orElse(NONE_ID);
  }
}
