package org.fedometer.datasets.foxml;

/**
 * A version of a datastream while it is read, with the properties common to all versions. For one
 * thread.
 */
final class DatastreamVersion {
  String id;
  String controlGroup;
  String label;
  String mediaType;
  Long createdMillis;
  String digestType;
  String digest;
  FoxmlDocument.Source source;
  int binary = -1;
  FoxmlDocument.Base64Place text;
  long sizeBytes = -1;
  boolean isBase64;
  Metadata metadata;
  UnusableFoxmlException problem;

  boolean isLaterThan(DatastreamVersion other) {
    // Fedora gives versions without a date the time of the ingest, and prefers the first.
    return other == null
        || other.createdMillis != null
            && (createdMillis == null || createdMillis > other.createdMillis);
  }

  /** Returns whether Fedora computes a checksum of it, for which it parses inline XML. */
  boolean isSummed() {
    return digestType != null && !digestType.equals("DISABLED");
  }

  boolean hasDigest() {
    return digest != null && !digest.isEmpty() && !digest.equals("none");
  }
}
