package org.fedometer.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Who logs in at Fedora. The password is never an argument: ps shows those. */
public final class FedoraLoginOptions {
  /** The environment variable that has the password where no file is named. */
  public static final String VARIABLE = "FEDOMETER_FEDORA_PASSWORD";

  @Option(
      names = "--user",
      paramLabel = "USER",
      defaultValue = "fedoraAdmin",
      description = "Fedora's user (default: ${DEFAULT-VALUE}).")
  private String user;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "File with that user's password (default: the variable " + VARIABLE + ").")
  private Path passwordFile;

  @Option(
      names = "--fedora-ca",
      paramLabel = "FILE",
      description =
          "PEM file with Fedora's certificate, or that of its authority, for an https address"
              + " (default: those that this Java trusts).")
  private Path ca;

  /**
   * Which certificates to trust; null for those that this Java trusts.
   *
   * @throws IllegalArgumentException the file cannot be read
   */
  public Path ca() {
    if (ca != null && !Files.isReadable(ca)) {
      throw new IllegalArgumentException("--fedora-ca " + ca + " cannot be read");
    }
    return ca;
  }

  /** Whose name Fedora is told; {@code fedoraAdmin} where none was given. */
  public String user() {
    return user;
  }

  /** Whether there is a password, be it of use or not. */
  public boolean given() {
    String variable = System.getenv(VARIABLE);
    return passwordFile != null || variable != null && !variable.isBlank();
  }

  /**
   * @throws IllegalArgumentException there is none, in words for the user
   */
  public char[] password() {
    if (passwordFile == null) {
      String variable = System.getenv(VARIABLE);
      if (variable == null || variable.isBlank()) {
        throw new IllegalArgumentException(
            "Fedora's password is missing: give --password-file FILE or the variable " + VARIABLE);
      }
      return variable.strip().toCharArray();
    }
    return SecretFile.read("the password file", passwordFile).toCharArray();
  }
}
