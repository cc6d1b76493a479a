package org.fedometer.experiments;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.fedometer.profiles.Profile;

/**
 * What the user asked of {@code fedometer up}.
 *
 * @param profile the tuning profile
 * @param isProfileChosen whether the user chose it; else a home that holds a stack keeps its own
 * @param home folder for everything of the stack
 * @param httpPort Fedora's port, or 0 for a free one
 * @param agentJar the agent for Fedora's JVM, or empty for a Fedora without one
 * @param agentOptions for the agent besides collector and name, by name
 * @param store the run store of the background collector
 * @param collector a collector to send to, or null for one in the background on loopback
 * @param access to that collector
 * @param collectorCommand command line that starts a background collector for {@code store}
 */
public record UpOptions(
    Profile profile,
    boolean isProfileChosen,
    Path home,
    int httpPort,
    Optional<Path> agentJar,
    Map<String, String> agentOptions,
    Path store,
    InetSocketAddress collector,
    CollectorAccess access,
    List<String> collectorCommand) {

  public UpOptions {
    Objects.requireNonNull(profile, "profile");
    home = home.toAbsolutePath().normalize();
    Objects.requireNonNull(access, "access");
    collectorCommand = List.copyOf(collectorCommand);
    agentOptions = Collections.unmodifiableMap(new LinkedHashMap<>(agentOptions));
    if (httpPort < 0 || httpPort > 65535) {
      throw new IllegalArgumentException("--port " + httpPort + ": give 0 to 65535");
    }
  }
}
