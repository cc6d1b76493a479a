package org.fedometer.cli.option;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.experiments.host.ThisHost;
import org.fedometer.experiments.stack.StackLogin;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import picocli.CommandLine.Option;

/** Login at Fedora. The password is never an argument, since ps shows those. */
public final class FedoraLoginOptions {
  /** Environment variable with the password, if no file is named. */
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
      description =
          "File with the password (default: the variable "
              + VARIABLE
              + "; else that of a running stack of this host).")
  private Path passwordFile;

  @Option(
      names = "--fedora-ca",
      paramLabel = "FILE",
      description =
          "PEM file with Fedora's certificate or its CA, for https (default: the CAs of"
              + " this Java).")
  private Path ca;

  /**
   * Returns the file of trusted certificates; null for those of this JVM.
   *
   * @throws IllegalArgumentException if the file is unreadable
   */
  public Path ca() {
    if (ca != null && !Files.isReadable(ca)) {
      throw new IllegalArgumentException("--fedora-ca " + ca + " cannot be read");
    }
    return ca;
  }

  public String user() {
    return user;
  }

  /** Returns whether a password is given, valid or not. */
  public boolean isPasswordGiven() {
    String variable = System.getenv(VARIABLE);
    return passwordFile != null || variable != null && !variable.isBlank();
  }

  /**
   * Returns the login at a Fedora. Without a password, uses that of this user's running stack at
   * this address on this host.
   *
   * @throws IllegalArgumentException if there is no password, with a message for the user
   * @throws IOException if the stack's password cannot be read
   */
  public FedoraLogin at(URI fedora) throws IOException {
    if (!isPasswordGiven()) {
      for (Stack stack : StackRegistry.ofUser().running()) {
        if (stack.user().equals(user) && isAt(stack.url(), fedora)) {
          return new FedoraLogin(fedora, user, StackLogin.of(stack).password(), ca());
        }
      }
    }
    return new FedoraLogin(fedora, user, password(), ca());
  }

  /**
   * Returns whether an address refers to a given Fedora of this host; paths may end with a slash.
   */
  static boolean isAt(URI ofThisHost, URI fedora) {
    return ThisHost.isNamedBy(fedora)
        && ofThisHost.getScheme().equals(fedora.getScheme())
        && ofThisHost.getPort() == fedora.getPort()
        && path(ofThisHost).equals(path(fedora));
  }

  private static String path(URI address) {
    return address.getPath().replaceFirst("/+$", "");
  }

  /**
   * @throws IllegalArgumentException if there is none, with a message for the user
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
