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

  public String user() {
    return user;
  }

  /** Whether there is a password, be it of use or not. */
  public boolean isPasswordGiven() {
    String variable = System.getenv(VARIABLE);
    return passwordFile != null || variable != null && !variable.isBlank();
  }

  /**
   * The login at a Fedora. Where no password is given, and this user has brought up a stack of that
   * address on this host, it is that of the stack.
   *
   * @throws IllegalArgumentException there is no password, in words for the user
   * @throws IOException the stack's password cannot be read
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

  /** Whether another address leads to a Fedora of this host; paths may end with a slash. */
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
