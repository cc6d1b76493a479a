package org.fedometer.cli.load;

import java.nio.file.Path;
import org.fedometer.cli.agent.CustomStageOptions;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.option.TelemetryOption;
import org.fedometer.experiments.RunOptions;
import org.fedometer.experiments.load.Endurance;
import org.fedometer.experiments.load.LoadSpec;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.UnknownProfileException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a run that starts a Fedora. */
final class FreshRunOptions {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the run (default: time, profile and dataset).")
  private String name;

  @Option(names = "--keep-home", description = "Keep Fedora's home after the run.")
  private boolean keepHome;

  @Mixin private TelemetryOption telemetry;
  @Mixin private StackArguments stack;
  @Mixin private StoreOption store;
  @Mixin private CustomStageOptions customStages;

  /**
   * @throws IllegalArgumentException if the profile lacks settings
   */
  Profile profile() throws UnknownProfileException {
    Profile chosen = stack.profile();
    if (!chosen.missing().isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", chosen.missing()));
    }
    return chosen;
  }

  Path storeFolder() {
    return store.directory();
  }

  /**
   * Returns the run's options.
   *
   * @param profileOrNull null for a resumed run
   * @throws IllegalArgumentException with a message for the user
   */
  RunOptions options(
      Installation installation, Profile profileOrNull, LoadSpec load, Endurance endurance) {
    return new RunOptions(
        profileOrNull,
        load,
        name,
        stack.collector().place(store.directory(), installation),
        installation.agentJar(),
        customStages.agentOptions(installation.agentJar()),
        telemetry.interval(),
        stack.port(),
        keepHome,
        endurance);
  }
}
