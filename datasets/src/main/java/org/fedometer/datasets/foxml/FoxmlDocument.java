package org.fedometer.datasets.foxml;

import java.util.List;
import java.util.Set;

/**
 * Content of a FOXML file, as needed to send it, to count its triples and to verify its content.
 *
 * @param pid the object's PID, or null if the file has none
 * @param label the object's label, empty if it has none
 * @param datastreams the latest versions of datastreams, in order; without AUDIT, which Fedora
 *     stores separately, and without a DC that Fedora adds
 * @param triples the number of triples that Fedora makes of the unchanged file
 * @param maxLiteralBytes the size of the longest literal or URI, as stored by a triplestore
 * @param pidOccurrences the places where the object states its PID; empty unless requested
 * @param hasFixedIdentifier whether the PID is a dc:identifier in a base64 DC, which stays when the
 *     PID changes, so that Fedora adds another
 * @param warnings content that Fedora accepts although it may be unintended
 */
record FoxmlDocument(
    String pid,
    String label,
    List<Datastream> datastreams,
    int triples,
    int maxLiteralBytes,
    List<PidOccurrence> pidOccurrences,
    boolean hasFixedIdentifier,
    Set<FoxmlWarning> warnings) {

  FoxmlDocument {
    datastreams = List.copyOf(datastreams);
    pidOccurrences = List.copyOf(pidOccurrences);
    warnings = Set.copyOf(warnings);
  }

  enum Source {
    INLINE("inline"),
    MANAGED("managed"),
    MANAGED_BY_URL("managedByUrl"),
    EXTERNAL("external"),
    REDIRECTED("redirected");

    private final String parameter;

    Source(String parameter) {
      this.parameter = parameter;
    }

    /** Returns the name of the dataset's parameter that counts these. */
    String parameter() {
      return parameter;
    }
  }

  /**
   * A datastream in its latest version.
   *
   * @param binary the number of the file's binaryContent element, from 0; only of {@link
   *     Source#MANAGED}
   * @param text the position of its base64 in the file, or null if unknown
   * @param sizeBytes the size of the content; only of {@link Source#MANAGED}
   */
  record Datastream(
      String id,
      String label,
      String mediaType,
      Source source,
      int binary,
      Base64Place text,
      long sizeBytes) {}

  /**
   * Base64 in the file without CDATA, comments or references.
   *
   * @param from the offset of its first byte, after a start tag
   * @param to the offset of the end tag
   */
  record Base64Place(long from, long to) {}

  /**
   * A place where the object states its PID.
   *
   * @param from the offset of its first character: of a start tag, or of an element's text
   * @param to the offset after its last character
   * @param attribute the attribute with its prefix as written; null for an element's text
   * @param before the text before the PID there
   * @param after the text after the PID there
   */
  record PidOccurrence(long from, long to, String attribute, String before, String after) {}
}
