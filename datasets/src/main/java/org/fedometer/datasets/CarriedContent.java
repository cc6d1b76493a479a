package org.fedometer.datasets;

import java.util.Objects;
import java.util.Optional;

/**
 * A content stream and its way into Fedora.
 *
 * @param checksum the checksum that Fedora stores; empty for that of its configuration
 */
public record CarriedContent(
    ContentStream content, Carriage carriage, Optional<Checksum> checksum) {

  /** The place where Fedora finds the bytes. */
  public sealed interface Carriage {}

  /** Managed content inside the request, in FOXML as base64. */
  public record Enclosed() implements Carriage {}

  /**
   * Inline XML, control group X.
   *
   * @param prologBytes the length of the part before the root element, which cannot be inlined, see
   *     {@link XmlProlog}
   */
  public record InlineXml(int prologBytes) implements Carriage {}

  /**
   * Content at another place.
   *
   * @param controlGroup M for content that Fedora fetches and stores, E and R for content that
   *     stays there
   * @param location a URL, or {@code uploaded://N} for an earlier upload to Fedora
   */
  public record Referenced(char controlGroup, String location) implements Carriage {

    public Referenced {
      if ("MER".indexOf(controlGroup) < 0) {
        throw new IllegalArgumentException(
            "content at " + location + " cannot be of control group " + controlGroup);
      }
      Objects.requireNonNull(location, "location");
    }
  }

  /**
   * The checksum that Fedora stores.
   *
   * @param digest the digest in lower-case hexadecimal, which Fedora compares with its own and
   *     refuses the content if they differ; empty if Fedora only computes one
   */
  public record Checksum(ChecksumAlgorithm algorithm, Optional<String> digest) {}

  private static final Enclosed ENCLOSED = new Enclosed();

  /** Returns content inside the request, without a checksum. */
  public static CarriedContent enclosed(ContentStream content) {
    return new CarriedContent(content, ENCLOSED, Optional.empty());
  }

  public CarriedContent at(char controlGroup, String location) {
    return new CarriedContent(content, new Referenced(controlGroup, location), checksum);
  }

  /** Returns Fedora's letter for the way: X, M, E or R. */
  public char controlGroup() {
    if (carriage instanceof InlineXml) {
      return 'X';
    }
    return carriage instanceof Referenced referenced ? referenced.controlGroup() : 'M';
  }
}
