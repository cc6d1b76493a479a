package org.fedometer.cli.profile;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.ProfileFileException;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.UnknownProfileException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "list",
    description = "List tuning profiles, and the choices of each dimension.",
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer profile list", "  fedometer profile list --json"},
    mixinStandardHelpOptions = true)
public final class ProfileListCommand implements Callable<Integer> {
  @Mixin private ProfileFolder folder;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    Profiles profiles = folder.profiles();
    Map<String, String> descriptions = new LinkedHashMap<>();
    for (String name : profiles.names()) {
      descriptions.put(name, description(profiles, name));
    }
    Map<String, Map<String, Map<String, String>>> choices = new LinkedHashMap<>();
    for (Dimension dimension : Dimension.values()) {
      Map<String, Map<String, String>> ofDimension = new LinkedHashMap<>();
      for (String choice : profiles.choices(dimension)) {
        ofDimension.put(choice, about(profiles, dimension, choice));
      }
      choices.put(dimension.key(), ofDimension);
    }
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("profiles", descriptions);
      all.put("choices", choices);
      StandardOutput.asJson(all);
      return ExitCode.DONE;
    }
    PrintStream out = StandardOutput.utf8();
    PlainTable.uncut(descriptions.entrySet())
        .left("PROFILE", Map.Entry::getKey)
        .left("DESCRIPTION", Map.Entry::getValue)
        .print(out);
    out.println();
    List<List<String>> rows = new ArrayList<>();
    choices.forEach(
        (dimension, ofDimension) ->
            ofDimension.forEach(
                (choice, about) ->
                    rows.add(List.of(dimension + "=", choice, about.get("description")))));
    PlainTable.uncut(rows, "--set", "CHOICE", "DESCRIPTION").print(out);
    out.flush();
    return ExitCode.DONE;
  }

  /** Returns the description, or the error of an invalid profile, which must not hide others. */
  private static String description(Profiles profiles, String name) throws UnknownProfileException {
    try {
      return profiles.profile(name).description();
    } catch (ProfileFileException e) {
      return "cannot be used: " + e.problems().get(0);
    }
  }

  private static Map<String, String> about(Profiles profiles, Dimension dimension, String choice) {
    try {
      return profiles.about(dimension, choice);
    } catch (ProfileFileException e) {
      return Map.of("description", "cannot be used: " + e.problems().get(0));
    }
  }
}
