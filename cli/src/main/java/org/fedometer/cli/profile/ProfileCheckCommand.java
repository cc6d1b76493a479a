package org.fedometer.cli.profile;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.fedometer.cli.option.CompletionValues;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.profiles.Profile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "check",
    description = "Check whether a stack can be made of a profile.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer profile check mine.yaml --set heap=2g",
    mixinStandardHelpOptions = true)
public final class ProfileCheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PROFILE",
      completionCandidates = CompletionValues.ProfileNames.class,
      description = "Name of a profile, or a .yaml file.")
  private String name;

  @Mixin private ProfileChanges changes;

  @Override
  public Integer call() throws Exception {
    Profile profile = changes.profile(name);
    if (!profile.missing().isEmpty()) {
      PrintWriter err = spec.commandLine().getErr();
      profile.missing().forEach(message -> err.println("fedometer: " + message));
      return ExitCode.BAD_USAGE;
    }
    System.out.println(profile.label() + " is valid");
    return ExitCode.DONE;
  }
}
