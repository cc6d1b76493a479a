package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A network of its own (a namespace of Linux) whose connections can be broken by port. Nothing in
 * it reaches this machine's network, and no rule of it counts outside. It is gone when it is
 * closed, or when this JVM ends.
 */
final class Network implements AutoCloseable {
  private static final Path NAMESPACES = Path.of("/run/netns");
  private static int made;

  private final String name = "fedometer-" + ProcessHandle.current().pid() + "-" + ++made;
  private final Thread shutdownHook = new Thread(this::delete);

  /** Faults of TCP segments, as seen from the listener of a port. */
  enum Fault {
    /** They vanish, in both directions: a cable is pulled. */
    CUT("tcp dport %1$d drop", "tcp sport %1$d drop"),
    /** Only the listener's segments vanish: those to it arrive. */
    HALF_OPEN("tcp sport %1$d drop"),
    /** Connections break at once, and no new one is made. */
    TORN("tcp dport %1$d reject with tcp reset");

    private final List<String> rules;

    Fault(String... rules) {
      this.rules = List.of(rules);
    }
  }

  private Network() {}

  /** Skipped where this machine cannot make one. */
  static Network createOrSkip() throws Exception {
    Requirement.require(
        isInstalled("nft") && isInstalled("ip") && isInstalled("nsenter"),
        "there is nft: apt-get install --no-install-recommends nftables iproute2 util-linux");
    Requirement.require(
        Files.readString(Path.of("/proc/self/status")).contains("\nUid:\t0\t"),
        "this is root, who may make networks");
    Network network = new Network();
    boolean allowed = run(List.of("ip", "netns", "add", network.name), "").isEmpty();
    Requirement.require(allowed, "networks can be made: ip netns add");
    Runtime.getRuntime().addShutdownHook(network.shutdownHook);
    network.runInside("", "ip", "link", "set", "lo", "up");
    return network;
  }

  private static boolean isInstalled(String program) {
    return Stream.of("/usr/sbin", "/usr/bin", "/sbin", "/bin")
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** Returns the prefix of commands that run in it; the process stays the same. */
  List<String> commandPrefix() {
    // Not by "ip netns exec", which gives each command other mounts as well, like a container.
    return List.of("nsenter", "--net=" + NAMESPACES.resolve(name));
  }

  /** Until {@link #heal}; one fault at a time. */
  void breakAt(int port, Fault fault) throws Exception {
    StringBuilder rules = new StringBuilder("add table inet faults\nflush table inet faults\n");
    rules.append("add chain inet faults input { type filter hook input priority 0; }\n");
    for (String rule : fault.rules) {
      rules.append("add rule inet faults input ").append(rule.formatted(port)).append('\n');
    }
    runInside(rules.toString(), "nft", "-f", "-");
  }

  void heal() throws Exception {
    runInside("add table inet faults\ndelete table inet faults\n", "nft", "-f", "-");
  }

  private void runInside(String input, String... command) throws Exception {
    List<String> all = new ArrayList<>(commandPrefix());
    all.addAll(Arrays.asList(command));
    assertThat(run(all, input)).as(String.join(" ", all) + "\n" + input).isEmpty();
  }

  /** Returns the output; throws if the command failed. */
  private static String run(List<String> command, String input) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var to = process.getOutputStream()) {
      to.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? output : output + "\nexit code " + process.exitValue();
  }

  /** Processes in it keep it alive, without a name: end them before. */
  @Override
  public void close() {
    delete();
    Runtime.getRuntime().removeShutdownHook(shutdownHook);
  }

  private void delete() {
    try {
      assertThat(run(List.of("ip", "netns", "delete", name), ""))
          .as("the network " + name + " is gone")
          .isEmpty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException("the network " + name + " is left", e);
    }
  }
}
