package org.fedometer.cli.option;

import java.nio.file.Path;
import org.fedometer.experiments.collect.CollectorAccess;
import picocli.CommandLine.Option;

/**
 * The secret that a collector shares with those who may use it. Never an argument: ps shows those.
 */
public final class TokenOption {
  private static final String VARIABLE = CollectorAccess.TOKEN_VARIABLE;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the collector's token (default: the variable " + VARIABLE + ").")
  private Path file;

  /** Null where the token comes from the variable, if at all. */
  Path fileOrNull() {
    return file;
  }

  /** Empty for none. */
  public String token() {
    if (file == null) {
      String variable = System.getenv(VARIABLE);
      return variable == null ? "" : variable.strip();
    }
    return SecretFile.read("--token-file", file);
  }
}
