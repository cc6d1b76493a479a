package org.fedometer.datasets.foxml;

import java.util.List;
import java.util.Set;

/**
 * What was found in a FOXML file: all that is needed to send it, to count its triples and to read
 * back its content.
 *
 * @param pid the object's, or null if the file has none
 * @param label the object's, empty if it has none
 * @param datastreams in their latest versions, in order; without AUDIT, which Fedora keeps apart,
 *     and without a DC that Fedora adds
 * @param triples that Fedora makes of it as it stands
 * @param maxLiteralBytes of the longest literal or URI, as a triplestore keeps it
 * @param pidOccurrences where the object's PID stands as its own; empty unless they were asked for
 * @param hasFixedIdentifier whether the PID is a dc:identifier that stays where the PID is changed,
 *     so that Fedora adds another: in a DC that is base64
 * @param warnings what Fedora takes although it may not be meant
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

    /** Name of the dataset's parameter that counts these. */
    String parameter() {
      return parameter;
    }
  }

  /**
   * A datastream in its latest version.
   *
   * @param binary which one of the file's binaryContent elements it is, from 0; only of {@link
   *     Source#MANAGED}
   * @param text where its base64 is in the file, or null where that is not known
   * @param sizeBytes of the content; only of {@link Source#MANAGED}
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
   * Base64 that stands in the file as it is, without CDATA, comments or references.
   *
   * @param from offset of its first byte, behind a start tag
   * @param to offset of the end tag
   */
  record Base64Place(long from, long to) {}

  /**
   * A place where the object's PID stands as its own.
   *
   * @param from offset of its first character: of a start tag, or of an element's text
   * @param to offset behind its last character
   * @param attribute as written with its prefix, whose value it is; null for an element's text
   * @param before what stands before the PID there
   * @param after what stands behind it there
   */
  record PidOccurrence(long from, long to, String attribute, String before, String after) {}
}
