package org.fedometer.cli.profile;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fedometer.cli.option.CompletionValues;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.profiles.Dimension;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.ProfileSetting;
import org.fedometer.profiles.Profiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "show",
    description = "Show every setting of a profile, and where its value is written.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer profile show mulgara-mysql --set gc=g1",
    mixinStandardHelpOptions = true)
public final class ProfileShowCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "PROFILE",
      completionCandidates = CompletionValues.ProfileNames.class,
      description = "Name of a profile, or a .yaml file.")
  private String name;

  @Mixin private ProfileChanges changes;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    Profiles profiles = changes.profiles();
    Profile profile = changes.profile(profiles, name);
    StandardOutput.jsonOrText(json, asJson(profile), out -> print(profiles, profile, out));
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
      // A heap may have any size, without a file.
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
      PlainTable.uncut(rows, "SETTING", "VALUE", "FROM").print(out);
    }
    if (!profile.missing().isEmpty()) {
      out.println();
      profile.missing().forEach(out::println);
    }
  }

  /** Adds a setting; lists have a row per value. */
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
