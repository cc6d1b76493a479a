package org.fedometer.cli.load;

import org.fedometer.cli.option.CollectorChoice;
import org.fedometer.cli.profile.ProfileChoice;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.UnknownProfileException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code run} and {@code stack up} for the stack they start. */
final class StackArguments {
  @Mixin private ProfileChoice profile;

  @Mixin private CollectorChoice collector;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Fedora's HTTP port (default: the last one of the home, or a free one).")
  private int port;

  Profile profile() throws UnknownProfileException {
    return profile.profile();
  }

  boolean isProfileGiven() {
    return profile.isGiven();
  }

  CollectorChoice collector() {
    return collector;
  }

  int port() {
    return port;
  }
}
