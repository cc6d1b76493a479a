package org.fedometer.cli;

import java.net.InetSocketAddress;
import org.fedometer.experiments.CollectorAccess;
import org.fedometer.profiles.Profiles;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code run} and {@code up} let a user say of the stack that they bring up. */
final class StackArguments {
  @Option(
      names = "--profile",
      paramLabel = "P",
      defaultValue = Profiles.DEFAULT,
      completionCandidates = ProfileNames.class,
      description = "Tuning profile: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private String profile;

  @Option(
      names = "--collector",
      paramLabel = "H:P",
      converter = HostPort.class,
      description =
          "Collector to send to (default: one in the background on loopback, started or reused).")
  private InetSocketAddress collector;

  @Mixin private AccessOptions access;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Fedora's HTTP port (default: a free one).")
  private int port;

  String profile() {
    return profile;
  }

  /** Null for one in the background. */
  InetSocketAddress collector() {
    return collector;
  }

  CollectorAccess access() {
    if (collector == null) {
      access.refuseTls("--collector");
    }
    return access.given();
  }

  int port() {
    return port;
  }
}
