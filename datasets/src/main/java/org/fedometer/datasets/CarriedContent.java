package org.fedometer.datasets;

import java.util.Objects;
import java.util.Optional;

/**
 * A content stream and the way in which it gets into Fedora.
 *
 * @param checksum what Fedora is to keep of it; empty for what its configuration says
 */
public record CarriedContent(
    ContentStream content, Carriage carriage, Optional<Checksum> checksum) {

  /** Where Fedora finds the bytes. */
  public sealed interface Carriage {}

  /** Managed content that travels with what is sent, in FOXML as base64. */
  public record Enclosed() implements Carriage {}

  /**
   * Inline XML, control group X.
   *
   * @param prologBytes length of what stands before the root element and cannot be inlined, see
   *     {@link XmlProlog}
   */
  public record InlineXml(int prologBytes) implements Carriage {}

  /**
   * Somewhere else.
   *
   * @param controlGroup M for content that Fedora fetches and keeps, E and R for what stays there
   * @param location a URL, or {@code uploaded://N} for what Fedora was given before
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
   * What Fedora is to keep.
   *
   * @param digest lower-case hexadecimal, which Fedora compares with its own and refuses the
   *     content if they differ; empty if it is to compute one only
   */
  public record Checksum(ChecksumAlgorithm algorithm, Optional<String> digest) {}

  private static final Enclosed ENCLOSED = new Enclosed();

  /** Content that travels with what is sent, without a checksum. */
  public static CarriedContent enclosed(ContentStream content) {
    return new CarriedContent(content, ENCLOSED, Optional.empty());
  }

  public CarriedContent at(char controlGroup, String location) {
    return new CarriedContent(content, new Referenced(controlGroup, location), checksum);
  }

  /** Fedora's letter for the way: X, M, E or R. */
  public char controlGroup() {
    if (carriage instanceof InlineXml) {
      return 'X';
    }
    return carriage instanceof Referenced referenced ? referenced.controlGroup() : 'M';
  }
}
