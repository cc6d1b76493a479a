package org.fedometer.cli;

import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** How an agent shows itself to its collector; the files are read in Fedora's JVM. */
final class AgentCollectorOptions {
  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the collector's token; Fedora's user has to be able to read it.")
  private Path tokenFile;

  @Option(names = "--tls", description = "Speak TLS with the collector.")
  private boolean tls;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description =
          "Certificates (PEM) to know the collector by; speaks TLS (default: those of Fedora's"
              + " JVM).")
  private Path tlsCa;

  /** Adds what was given to an agent's options. */
  void addTo(Map<String, String> agentOptions) {
    if (tokenFile != null) {
      agentOptions.put("token-file", absolute(tokenFile));
    }
    if (tls) {
      agentOptions.put("tls", "true");
    }
    if (tlsCa != null) {
      agentOptions.put("tls-ca", absolute(tlsCa));
    }
  }

  /** Fedora's JVM has another working folder. */
  static String absolute(Path path) {
    return path.toAbsolutePath().normalize().toString();
  }
}
