package org.fedometer.collector.receive;

import java.nio.file.Path;
import org.fedometer.wire.TestCertificates;

/** The two files of a collector that has a test's certificate. */
public final class CollectorFiles {
  private CollectorFiles() {}

  /** Writes both into the folder. */
  public static TlsFiles of(TestCertificates certificates, String alias, Path folder)
      throws Exception {
    return new TlsFiles(
        certificates.chain(alias, folder.resolve("collector.pem")),
        certificates.key(alias, folder.resolve("collector.key")));
  }
}
