package org.fedometer.profiles.stack.home;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the caller decides about a stack, apart from its profile.
 *
 * @param home folder for everything of the stack; must be missing, empty, or what is left of a
 *     provisioning that did not end
 * @param httpPort Fedora's port, or 0 for a free one
 * @param jvmArguments arguments for Fedora's JVM after those of the profile
 * @param expectedDataBytes what the caller means to put into the repository, for the check of free
 *     disk space
 * @param startTimeout how long Fedora may take to answer
 */
public record StackOptions(
    Path home,
    int httpPort,
    List<String> jvmArguments,
    long expectedDataBytes,
    Duration startTimeout) {

  /** How the argument of a JVM begins that gives it a Java agent. */
  public static final String JAVA_AGENT = "-javaagent:";

  /** How long Fedora may take where the caller does not say. */
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

  /** A stack in {@code home} on a free port. */
  public static StackOptions at(Path home) {
    return new StackOptions(home, 0, List.of(), 0, START_TIMEOUT);
  }

  /** With a port of the caller's, or 0 for a free one. */
  public StackOptions withHttpPort(int port) {
    return new StackOptions(home, port, jvmArguments, expectedDataBytes, startTimeout);
  }

  /** With a Java agent in Fedora's JVM; {@code agentOptions} may be empty. */
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
