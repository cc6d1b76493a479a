package org.fedometer.profiles.stack.home;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Options of a stack apart from its profile.
 *
 * @param home the folder of the stack; must be missing, empty, or left by an unfinished
 *     provisioning
 * @param httpPort Fedora's port, or 0 for a free one
 * @param jvmArguments arguments for Fedora's JVM after those of the profile
 * @param expectedDataBytes the expected amount of data in the repository, for the check of free
 *     disk space
 * @param startTimeout the time limit for Fedora's first answer
 */
public record StackOptions(
    Path home,
    int httpPort,
    List<String> jvmArguments,
    long expectedDataBytes,
    Duration startTimeout) {

  /** Prefix of the JVM argument for a Java agent. */
  public static final String JAVA_AGENT = "-javaagent:";

  /** Default time limit for Fedora's first answer. */
  public static final Duration START_TIMEOUT = Duration.ofMinutes(4);

  public StackOptions {
    home = home.toAbsolutePath().normalize();
    if (httpPort < 0 || httpPort > 65_535) {
      throw new IllegalArgumentException(
          "HTTP port " + httpPort + " is not a port; give 1 to 65535, or 0 for a free one");
    }
    jvmArguments = List.copyOf(jvmArguments);
    if (expectedDataBytes < 0) {
      throw new IllegalArgumentException(
          "expected data of " + expectedDataBytes + " bytes; give 0 or more");
    }
    if (startTimeout.isNegative() || startTimeout.isZero()) {
      throw new IllegalArgumentException("start timeout " + startTimeout + "; give a positive one");
    }
  }

  /** Returns options for a stack in {@code home} on a free port. */
  public static StackOptions at(Path home) {
    return new StackOptions(home, 0, List.of(), 0, START_TIMEOUT);
  }

  /** Returns a copy with a requested port, or 0 for a free one. */
  public StackOptions withHttpPort(int port) {
    return new StackOptions(home, port, jvmArguments, expectedDataBytes, startTimeout);
  }

  /** Returns a copy with a Java agent in Fedora's JVM; {@code agentOptions} may be empty. */
  public StackOptions withAgent(Path agentJar, String agentOptions) {
    return withJvmArgument(agentArgument(agentJar, agentOptions));
  }

  public static String agentArgument(Path agentJar, String agentOptions) {
    String argument = JAVA_AGENT + agentJar.toAbsolutePath();
    return agentOptions.isEmpty() ? argument : argument + "=" + agentOptions;
  }

  public StackOptions withJvmArgument(String argument) {
    List<String> more = new ArrayList<>(jvmArguments);
    more.add(argument);
    return new StackOptions(home, httpPort, more, expectedDataBytes, startTimeout);
  }

  public StackOptions withExpectedDataBytes(long bytes) {
    return new StackOptions(home, httpPort, jvmArguments, bytes, startTimeout);
  }

  public StackOptions withStartTimeout(Duration timeout) {
    return new StackOptions(home, httpPort, jvmArguments, expectedDataBytes, timeout);
  }
}
