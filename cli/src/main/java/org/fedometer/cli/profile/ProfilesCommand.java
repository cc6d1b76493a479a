package org.fedometer.cli.profile;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fedometer.cli.option.OfferedValues;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.ProfileFileException;
import org.fedometer.profiles.ProfileSetting;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.UnknownProfileException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(
    name = "profiles",
    description = "Lists tuning profiles and choices; 'show' resolves one, 'check' finds mistakes.",
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer profiles", "  fedometer profiles show tuned --set gc=zgc"},
    mixinStandardHelpOptions = true,
    subcommands = {
      ProfilesCommand.ListCommand.class,
      ProfilesCommand.ShowCommand.class,
      ProfilesCommand.CheckCommand.class
    })
public final class ProfilesCommand implements Callable<Integer> {
  @Mixin private ProfileFolder folder;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    return list(folder.profiles(), json);
  }

  /** What was named before the subcommand holds for it as well. */
  private Profiles profiles() {
    return folder.profiles();
  }

  private static int list(Profiles profiles, boolean json) throws Exception {
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
    PlainTable.whole(descriptions.entrySet())
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
    PlainTable.whole(rows, "--set", "CHOICE", "DESCRIPTION").print(out);
    out.flush();
    return ExitCode.DONE;
  }

  /** A profile that is wrong must not hide the others. */
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

  @Command(
      name = "list",
      description = "Lists profiles, and the choices of each dimension.",
      footerHeading = Headings.EXAMPLES,
      footer = {"  fedometer profiles list", "  fedometer profiles list --json"},
      mixinStandardHelpOptions = true)
  static final class ListCommand implements Callable<Integer> {
    @ParentCommand private ProfilesCommand command;

    @Mixin private ProfileFolder folder;

    @Option(names = "--json", description = "Print a JSON object.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
      return list(folder.before(command.profiles()), json || command.json);
    }
  }

  @Command(
      name = "show",
      description = "Shows every setting of a profile and where its value was written.",
      footerHeading = Headings.EXAMPLES,
      footer = "  fedometer profiles show mulgara-mysql --set gc=g1",
      mixinStandardHelpOptions = true)
  static final class ShowCommand implements Callable<Integer> {
    @ParentCommand private ProfilesCommand command;

    @Parameters(
        paramLabel = "P",
        completionCandidates = OfferedValues.ProfileNames.class,
        description = "A profile's name, or a .yaml file.")
    private String name;

    @Mixin private ProfileChanges changes;

    @Option(names = "--json", description = "Print a JSON object.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
      Profiles profiles = changes.before(command.profiles());
      Profile profile = changes.profile(profiles, name);
      StandardOutput.jsonOrText(
          json || command.json, asJson(profile), out -> print(profiles, profile, out));
      return ExitCode.DONE;
    }

    private record SettingJson(String value, String origin) {}

    private static Map<String, Object> asJson(Profile profile) {
      Map<String, Object> settings = new LinkedHashMap<>();
      profile
          .settings()
          .forEach(
              (name, setting) ->
                  settings.put(name, new SettingJson(setting.text(), setting.origin().toString())));
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("name", profile.name());
      all.put("description", profile.description());
      all.put("changes", profile.changes());
      all.put("choices", profile.choicesAsText());
      all.put("settings", settings);
      all.put("missing", profile.missing());
      return all;
    }

    private static void print(Profiles profiles, Profile profile, PrintStream out) {
      out.println(profile.label() + ": " + profile.description());
      for (Dimension dimension : Dimension.values()) {
        String choice = profile.choice(dimension);
        out.println();
        out.print(dimension.key() + " " + choice);
        // Any size is a choice of the heap, without a file.
        if (profiles.choices(dimension).contains(choice)) {
          Map<String, String> about = profiles.about(dimension, choice);
          out.println(": " + about.get("description"));
          about.forEach(
              (key, text) -> {
                if (!key.equals("description")) {
                  out.println("  " + key + ": " + text);
                }
              });
        } else {
          out.println();
        }
        List<List<String>> rows = new ArrayList<>();
        for (ProfileSetting setting : profile.settings().values()) {
          if (setting.name().startsWith(dimension.key() + ".")) {
            addTo(rows, setting);
          }
        }
        PlainTable.whole(rows, "SETTING", "VALUE", "FROM").print(out);
      }
      if (!profile.missing().isEmpty()) {
        out.println();
        profile.missing().forEach(out::println);
      }
    }

    /** A list has a row for each of its values. */
    private static void addTo(List<List<String>> rows, ProfileSetting setting) {
      String name = setting.name();
      String origin = setting.origin().toString();
      for (String value : setting.values().isEmpty() ? List.of("-") : setting.values()) {
        rows.add(List.of(name, value, origin));
        name = "";
        origin = "";
      }
    }
  }

  @Command(
      name = "check",
      description = "Says whether a stack can be made of a profile, without starting anything.",
      footerHeading = Headings.EXAMPLES,
      footer = "  fedometer profiles check mine.yaml --set heap=2g",
      mixinStandardHelpOptions = true)
  static final class CheckCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @ParentCommand private ProfilesCommand command;

    @Parameters(
        paramLabel = "P",
        completionCandidates = OfferedValues.ProfileNames.class,
        description = "A profile's name, or a .yaml file.")
    private String name;

    @Mixin private ProfileChanges changes;

    @Override
    public Integer call() throws Exception {
      if (command.json) {
        throw new ParameterException(
            spec.commandLine(), "'profiles check' prints no JSON; leave --json out");
      }
      Profile profile = changes.profile(changes.before(command.profiles()), name);
      if (!profile.missing().isEmpty()) {
        PrintWriter err = spec.commandLine().getErr();
        profile.missing().forEach(sentence -> err.println("fedometer: " + sentence));
        return ExitCode.BAD_USAGE;
      }
      System.out.println(profile.label() + " is in order");
      return ExitCode.DONE;
    }
  }
}
