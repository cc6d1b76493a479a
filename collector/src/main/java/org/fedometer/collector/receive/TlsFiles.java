package org.fedometer.collector.receive;

import java.nio.file.Path;

/**
 * What a collector proves with who it is.
 *
 * @param certificate PEM file: the collector's own certificate first, then those that issued it, if
 *     any
 * @param key PEM file: the private key of the first certificate, as PKCS#8, not encrypted
 */
public record TlsFiles(Path certificate, Path key) {

  public TlsFiles {
    certificate = certificate.toAbsolutePath().normalize();
    key = key.toAbsolutePath().normalize();
  }
}
