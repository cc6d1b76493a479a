package org.fedometer.cli.option;

import java.io.IOException;
import java.nio.file.Path;
import org.fedometer.experiments.collect.CollectorAccess;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.wire.tls.TlsTrust;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What it takes to talk to the collector that a command names: its token, and TLS. */
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
   * @throws IllegalArgumentException one of them is of no use
   */
  public CollectorAccess access() {
    return new CollectorAccess(token.token(), token.fileOrNull(), trustOrNull());
  }

  /**
   * For a Log4j2 receiver, which is told no token; the variable counts for collectors only.
   *
   * @throws IllegalArgumentException there is a token file all the same, or a file is of no use
   */
  CollectorAccess receiverAccess() {
    if (token.fileOrNull() != null) {
      throw new IllegalArgumentException(
          "--token-file is for a collector: leave it out with --transport log4j2");
    }
    return new CollectorAccess("", null, trustOrNull());
  }

  /** What another command needs to talk to the same collector, with a blank first; or nothing. */
  String hint() {
    return hint("--token-file", token.fileOrNull())
        + (tls ? " --tls" : "")
        + hint("--tls-ca", caFile)
        + clientCertificate.hint();
  }

  /** An option with its file, and a blank first; nothing where no file is given. */
  static String hint(String option, Path fileOrNull) {
    return fileOrNull == null ? "" : " " + option + " " + ShellWord.of(fileOrNull.toString());
  }

  /**
   * For a command that names no collector.
   *
   * @param option by which it could
   * @throws IllegalArgumentException TLS is asked for all the same
   */
  void rejectTls(String option) {
    if (tls || caFile != null || clientCertificate.isGiven()) {
      throw new IllegalArgumentException(
          (tls ? "--tls" : caFile != null ? "--tls-ca" : "--tls-certificate")
              + " is for a collector elsewhere: name it by "
              + option
              + " H:P, or leave TLS out");
    }
  }

  private TlsTrust trustOrNull() {
    if (caFile == null && !tls) {
      if (clientCertificate.isGiven()) {
        throw new IllegalArgumentException(
            "--tls-certificate is shown by TLS only: give --tls-ca FILE or --tls as well");
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
