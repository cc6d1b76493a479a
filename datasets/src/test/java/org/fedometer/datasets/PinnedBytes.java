package org.fedometer.datasets;

import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.fedometer.datasets.catalogue.Datasets;

/** The first objects of every small generated dataset, and what they have to be, in any JVM. */
final class PinnedBytes {

  private static final int OBJECTS = 40;

  private static final List<String> SPECS =
      List.of(
          "ndltd:W2,levels=3",
          "collections",
          "nested",
          "files:bytes=3001",
          "container-binary:max=9000",
          "datastreams:max=100");

  /** Changes with any byte of any of them: then {@code PINNED} changes, and runs do not compare. */
  static final String PINNED = "42928d2e42ca8d09d652b88836da9003a91da8f6f64c58d1d9660b4d1d5cd149";

  private PinnedBytes() {}

  static String sha256() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      for (String spec : SPECS) {
        Dataset dataset = Datasets.open(spec, DatasetOptions.unlimited("fm"));
        for (int index = 0; index < OBJECTS; index++) {
          dataset.object(index).writeFoxml(out);
        }
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
