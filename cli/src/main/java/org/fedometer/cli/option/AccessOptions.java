package org.fedometer.cli.option;

import java.io.IOException;
import java.nio.file.Path;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.wire.tls.TlsTrust;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options to access a named collector: token and TLS. */
public final class AccessOptions {
  @Mixin private TokenOption token;

  @Option(
      names = "--tls",
      description = "Connect to the collector by TLS, and trust the CAs of this Java.")
  private boolean tls;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description = "Connect to the collector by TLS, and trust the certificates in this PEM file.")
  private Path caFile;

  @Mixin private ClientCertificateOptions clientCertificate;

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException if one is unusable
   */
  public CollectorAccess access() {
    return new CollectorAccess(token.token(), token.fileOrNull(), trustOrNull());
  }

  /**
   * Returns access for a Log4j2 receiver, which gets no token; the variable applies to collectors
   * only.
   *
   * @throws IllegalArgumentException if a token file is given, or a file is unusable
   */
  CollectorAccess receiverAccess() {
    if (token.fileOrNull() != null) {
      throw new IllegalArgumentException(
          "--token-file is for a collector: leave it out with --transport log4j2");
    }
    return new CollectorAccess("", null, trustOrNull());
  }

  /**
   * Returns these options for another command on the same collector, with a leading space; or
   * empty.
   */
  String hint() {
    return hint("--token-file", token.fileOrNull())
        + (tls ? " --tls" : "")
        + hint("--tls-ca", caFile)
        + clientCertificate.hint();
  }

  /** Returns an option with its file and a leading space; empty without a file. */
  static String hint(String option, Path fileOrNull) {
    return fileOrNull == null ? "" : " " + option + " " + ShellWord.of(fileOrNull.toString());
  }

  /**
   * Rejects TLS options of a command that names no collector.
   *
   * @param option the option that would name one
   * @throws IllegalArgumentException if TLS is requested
   */
  void rejectTls(String option) {
    if (tls || caFile != null || clientCertificate.isGiven()) {
      throw new IllegalArgumentException(
          (tls ? "--tls" : caFile != null ? "--tls-ca" : "--tls-certificate")
              + " needs a remote collector: give "
              + option
              + " H:P, or leave out TLS");
    }
  }

  private TlsTrust trustOrNull() {
    if (caFile == null && !tls) {
      if (clientCertificate.isGiven()) {
        throw new IllegalArgumentException(
            "--tls-certificate needs TLS: give --tls-ca FILE or --tls as well");
      }
      return null;
    }
    TlsTrust trust;
    try {
      trust = caFile == null ? TlsTrust.ofJvm() : TlsTrust.ofPemFile(caFile);
    } catch (IOException e) {
      throw new IllegalArgumentException("--tls-ca: " + e.getMessage(), e);
    }
    return clientCertificate.addTo(trust);
  }
}
