package org.fedometer.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the document matches the files. */
class ProfilesDocumentTest {

  /** A longer list is given with its length. */
  private static final int SHORT_LIST = 2;

  /** Lines that are moved in. */
  private static final Pattern EXAMPLE = Pattern.compile("(?m)(^ {4}.*\\n)+");

  private final ProfileFiles files = ProfileFiles.shipped();
  private String document;

  @BeforeEach
  void read() throws Exception {
    document = Files.readString(Path.of("../docs/profiles.md"));
  }

  @Test
  void theTableMatchesTheProfileFiles() throws Exception {
    List<String> lines = new ArrayList<>(List.of("| profile | what it is |", "| --- | --- |"));
    Profiles shipped = Profiles.shipped();
    for (String name : shipped.names()) {
      lines.add("| `%s` | %s |".formatted(name, shipped.profile(name).description()));
    }

    assertThat(section("## The profiles"))
        .as("docs/profiles.md, ## The profiles: replace it with what is expected")
        .isEqualTo(String.join("\n", lines));
  }

  @ParameterizedTest
  @EnumSource
  void theChoicesAndWhatTheySetAreThoseOfTheFiles(Dimension dimension) {
    assertThat(section("### " + dimension.key()))
        .as("docs/profiles.md, ### %s: replace it with what is expected", dimension.key())
        .isEqualTo(table(dimension) + "\n\nWhat they set:\n\n" + list(dimension));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shenandoah", "zgc", "cms"})
  void aCollectorsFlagsAreThereForEachJavaThatHasIt(String gc) {
    YamlFile.Mapping jvms =
        (YamlFile.Mapping) files.choice(Dimension.GC, gc).orElseThrow().entries().get("with-jvm");
    String item = section("### gc").split("\n- `" + gc + "`", 2)[1].split("\n- ", 2)[0];

    assertThat(item).contains("-XX:+Use");
    assertThat(jvms.entries().keySet().stream().filter(key -> !key.equals("otherwise")))
        .isNotEmpty()
        .allSatisfy(versions -> assertThat(item).contains("with jvm `" + versions + "`"));
  }

  @Test
  void theExampleOfACustomProfileIsValid(@TempDir Path folder) throws Exception {
    List<String> examples =
        EXAMPLE
            .matcher(section("## Writing your own") + "\n")
            .results()
            .map(example -> example.group().replaceAll("(?m)^ {4}", ""))
            .toList();
    assertThat(examples).hasSize(2);
    Path mine = Files.writeString(folder.resolve("mine.yaml"), examples.get(0));
    Files.writeString(
        Files.createDirectory(folder.resolve("database")).resolve("big-postgresql.yaml"),
        examples.get(1));

    assertThat(Profiles.shipped().with(folder).profile(mine.toString()).missing()).isEmpty();
    assertThatThrownBy(() -> Profiles.shipped().profile(mine.toString()))
        .as("no option names the folder of the profile")
        .hasMessageContaining("unknown database 'big-postgresql'")
        .hasMessageEndingWith("; those of your own are found with --profile-dir DIR");
  }

  /** Returns the text between a heading and the next. */
  private String section(String heading) {
    return document.split(heading + "\n", 2)[1].split("\n#", 2)[0].strip();
  }

  private String table(Dimension dimension) {
    List<String> lines = new ArrayList<>();
    lines.add("| choice | what it is | known to change | source |");
    lines.add("| --- | --- | --- | --- |");
    Profiles shipped = Profiles.shipped();
    for (String choice : shipped.choices(dimension)) {
      Map<String, String> about = shipped.about(dimension, choice);
      lines.add(
          "| `%s` | %s | %s | %s |"
              .formatted(
                  choice, about.get("description"), about.get("effect"), about.get("source")));
    }
    return String.join("\n", lines);
  }

  /** An item for each choice, and within it one for each choice of others that it is set beside. */
  private String list(Dimension dimension) {
    List<String> lines = new ArrayList<>();
    for (String name : Profiles.shipped().choices(dimension)) {
      YamlFile.Mapping choice = files.choice(dimension, name).orElseThrow();
      String own = customExample(choice);
      lines.add("- `" + name + "`" + (own.isEmpty() ? "" : ": " + own));
      besideOthers(choice).forEach(line -> lines.add("  - " + line));
    }
    return String.join("\n", lines);
  }

  private static String customExample(YamlFile.Mapping choice) {
    String own =
        choice.entries().get("settings") instanceof YamlFile.Mapping settings
            ? settings(settings)
            : "";
    return choice.entries().get("base") instanceof YamlFile.Scalar base
        ? "as `" + base.text() + "`" + (own.isEmpty() ? "" : ", but " + own)
        : own;
  }

  private static List<String> besideOthers(YamlFile.Mapping choice) {
    List<String> lines = new ArrayList<>();
    for (Dimension other : Dimension.values()) {
      if (choice.entries().get("with-" + other.key()) instanceof YamlFile.Mapping section) {
        section
            .entries()
            .forEach(
                (key, beside) -> {
                  if (beside instanceof YamlFile.Mapping more) {
                    String what = settings(more);
                    lines.add(
                        what.isEmpty()
                            ? "only with %s `%s`".formatted(other.key(), key)
                            : "with %s `%s`: %s".formatted(other.key(), key, what));
                  }
                });
      }
    }
    return lines;
  }

  private static String settings(YamlFile.Mapping settings) {
    return settings.entries().entrySet().stream()
        .map(setting -> setting(setting.getKey(), setting.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String setting(String key, YamlFile.Node value) {
    if (value instanceof YamlFile.Scalar scalar) {
      return "`%s=%s`".formatted(key, scalar.text());
    }
    List<YamlFile.Node> items = ((YamlFile.Sequence) value).items();
    if (items.size() > SHORT_LIST) {
      return "%d `%s`".formatted(items.size(), key);
    }
    return items.isEmpty()
        ? "no `%s`".formatted(key)
        : "`%s=%s`"
            .formatted(
                key,
                items.stream()
                    .map(item -> ((YamlFile.Scalar) item).text())
                    .collect(Collectors.joining(" ")));
  }
}
