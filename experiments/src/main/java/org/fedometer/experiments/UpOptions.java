package org.fedometer.experiments;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.profiles.Profile;

/**
 * Options of {@code fedometer stack up}.
 *
 * @param isProfileChosen true if the user chose it; else an existing stack keeps its own
 * @param home folder for everything of the stack
 * @param httpPort Fedora's port, or 0 for a free one
 * @param agentJar the agent for Fedora's JVM, or empty for none
 * @param agentOptions further options of the agent by name, besides collector and source
 */
public record UpOptions(
    Profile profile,
    boolean isProfileChosen,
    Path home,
    int httpPort,
    Optional<Path> agentJar,
    Map<String, String> agentOptions,
    CollectorTarget collector) {

  public UpOptions {
    Objects.requireNonNull(profile, "profile");
    home = home.toAbsolutePath().normalize();
    Objects.requireNonNull(collector, "collector");
    agentOptions = Collections.unmodifiableMap(new LinkedHashMap<>(agentOptions));
    if (httpPort < 0 || httpPort > 65535) {
      throw new IllegalArgumentException("--port " + httpPort + ": give 0 to 65535");
    }
  }
}
