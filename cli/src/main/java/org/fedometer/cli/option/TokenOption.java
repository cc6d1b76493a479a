package org.fedometer.cli.option;

import java.nio.file.Path;
import org.fedometer.experiments.collect.CollectorAccess;
import picocli.CommandLine.Option;

/** The secret that grants access to a collector. Never an argument, since ps shows those. */
public final class TokenOption {
  private static final String VARIABLE = CollectorAccess.TOKEN_VARIABLE;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the collector's token (default: the variable " + VARIABLE + ").")
  private Path file;

  /** Returns null if the token comes from the variable, or there is none. */
  Path fileOrNull() {
    return file;
  }

  /** Returns the token; empty for none. */
  public String token() {
    if (file == null) {
      String variable = System.getenv(VARIABLE);
      return variable == null ? "" : variable.strip();
    }
    return SecretFile.read("--token-file", file);
  }
}
