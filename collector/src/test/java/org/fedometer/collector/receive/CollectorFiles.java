package org.fedometer.collector.receive;

import java.nio.file.Path;
import org.fedometer.collector.logs.AssumedEvents;
import org.fedometer.collector.logs.LogIntake;
import org.fedometer.wire.tls.TestCertificates;

/** Settings of a test's collector: certificate and key, and logs. */
public final class CollectorFiles {
  /** Logs of everybody, of a store that is none. */
  static final LogIntake ANY_LOGS =
      new LogIntake((peer, tls) -> null, null, "0a1b2c3d", new AssumedEvents());

  private CollectorFiles() {}

  /** Writes both into the folder. */
  public static TlsFiles of(TestCertificates certificates, String alias, Path folder)
      throws Exception {
    return new TlsFiles(
        certificates.chain(alias, folder.resolve("collector.pem")),
        certificates.key(alias, folder.resolve("collector.key")));
  }
}
