package org.fedometer.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profiles from YAML files: what is shipped, and what a mistake in a file answers. */
class ProfilesTest {

  @TempDir Path folder;

  @BeforeEach
  void copyTheShippedFiles() throws IOException {
    Path shipped = Path.of("src/main/profiles");
    try (var paths = Files.walk(shipped)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Path copy = folder.resolve(shipped.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(path, copy);
        }
      }
    }
  }

  @Test
  void everyShippedProfileLoads() throws Exception {
    assertThat(Profiles.names()).containsExactly("mptstore-postgresql", "mulgara-derby");
    for (String name : Profiles.names()) {
      assertThat(Profiles.load(name).choices()).hasSize(Dimension.values().length);
    }
  }

  @Test
  void theyAreFoundInAJarToo() throws Exception {
    Path jar = folder.resolve("a b.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
        Stream<Path> paths = Files.walk(Path.of("src/main/profiles"))) {
      for (Path path : (Iterable<Path>) paths.filter(Files::isRegularFile)::iterator) {
        zip.putNextEntry(new ZipEntry("p/" + Path.of("src/main/profiles").relativize(path)));
        Files.copy(path, zip);
      }
    }
    URL anchor = URI.create("jar:" + jar.toUri() + "!/p/" + Profiles.DEFAULT + ".yaml").toURL();

    assertThat(Profiles.beside(anchor).profileNames()).isEqualTo(Profiles.names());
    assertThat(Profiles.beside(anchor).profile("mulgara-derby"))
        .isEqualTo(Profiles.load("mulgara-derby"));
  }

  @Test
  void theDefaultIsMptstoreOnPostgresqlWithItsLiteralLimit() throws Exception {
    Profile profile = Profiles.load(Profiles.DEFAULT);

    assertThat(profile.choice(Dimension.TRIPLESTORE)).isEqualTo("mptstore");
    assertThat(profile.choice(Dimension.DATABASE)).isEqualTo("postgresql");
    assertThat(profile.literalLimitBytes()).isEqualTo(2690);
    assertThat(profile.list("jvm.libraries")).contains("javax.jws:javax.jws-api:1.1");
    assertThat(profile.settings().get("database.maxActive").origin())
        .matches("database/postgresql\\.yaml:\\d+");
  }

  @Test
  void mulgaraKnowsNoLiteralLimit() throws Exception {
    assertThat(Profiles.load("mulgara-derby").literalLimitBytes()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void anUnknownProfileListsWhatExists() {
    assertThatThrownBy(() -> Profiles.load("mptstore-oracle"))
        .isInstanceOf(UnknownProfileException.class)
        .hasMessage(
            "No profile is named 'mptstore-oracle'. There are: mptstore-postgresql,"
                + " mulgara-derby.");
  }

  @Test
  void aFileOfADimensionIsNoProfile() {
    assertThatThrownBy(() -> Profiles.load("gc/default"))
        .isInstanceOf(UnknownProfileException.class);
  }

  @Test
  void anUnknownSettingIsNamedWithFileAndLine() throws IOException {
    write("gc/default.yaml", "description: d", "settings:", "  arguments: []", "  argments: []");

    assertThatThrownBy(this::load)
        .isInstanceOf(ProfileFileException.class)
        .hasMessage("gc/default.yaml:4: unknown setting 'argments' of gc; there are: arguments");
  }

  @Test
  void aWrongUnitSaysWhatIsAllowed() throws IOException {
    write("heap/1g.yaml", "description: d", "settings:", "  minimum: 1g", "  maximum: 1 GB");

    assertThatThrownBy(this::load)
        .hasMessage("heap/1g.yaml:4: maximum: '1 GB' is not a size such as 512m or 2g");
  }

  @Test
  void anItemOfAListIsFoundOnItsOwnLine() throws IOException {
    write(
        "gc/default.yaml",
        "description: d",
        "settings:",
        "  arguments:",
        "    - -XX:+UseG1GC",
        "    - UseZGC");

    assertThatThrownBy(this::load)
        .hasMessageStartingWith("gc/default.yaml:5: arguments: 'UseZGC' is not an argument");
  }

  @Test
  void anUnknownChoiceListsWhatExists() throws IOException {
    write("mine.yaml", mine("triplestore: blazegraph"));

    assertThatThrownBy(this::load)
        .hasMessage("mine.yaml:2: unknown triplestore 'blazegraph'; there are: mptstore, mulgara");
  }

  @Test
  void anImpossibleCombinationIsRefused() throws IOException {
    write("mine.yaml", mine("triplestore: mptstore"));

    assertThatThrownBy(this::load)
        .hasMessage(
            "mine.yaml:2: triplestore mptstore cannot be combined with database derby, only with"
                + " postgresql");
  }

  @Test
  void aProfileOverridesASingleSetting() throws Exception {
    write(
        "mine.yaml", mine("triplestore: mulgara", "settings:", "  triplestore.syncUpdates: true"));

    Profile profile = load();

    assertThat(profile.text("triplestore.syncUpdates")).isEqualTo("true");
    assertThat(profile.settings().get("triplestore.syncUpdates").origin()).isEqualTo("mine.yaml:4");
  }

  @Test
  void anOverrideOfNothingIsRefused() throws IOException {
    write("mine.yaml", mine("triplestore: mulgara", "settings:", "  syncUpdates: true"));

    assertThatThrownBy(this::load)
        .hasMessage("mine.yaml:4: unknown setting 'syncUpdates'; expected dimension.key");
  }

  @Test
  void aKeyThatIsThereTwiceIsRefused() throws IOException {
    write("heap/1g.yaml", "description: d", "settings:", "  minimum: 1g", "  minimum: 2g");

    assertThatThrownBy(this::load)
        .isInstanceOf(ProfileFileException.class)
        .hasMessageStartingWith("heap/1g.yaml:4: Duplicate field 'minimum'");
  }

  @Test
  void brokenYamlSaysWhere() throws IOException {
    write("heap/1g.yaml", "description: d", "settings: {minimum: 1g");

    assertThatThrownBy(this::load)
        .isInstanceOf(ProfileFileException.class)
        .hasMessageStartingWith("heap/1g.yaml:");
  }

  private Profile load() throws UnknownProfileException {
    String name = Files.exists(folder.resolve("mine.yaml")) ? "mine" : Profiles.DEFAULT;
    return Profiles.in(folder).profile(name);
  }

  private void write(String file, String... lines) throws IOException {
    Files.write(folder.resolve(file), List.of(lines));
  }

  private static String[] mine(String... lines) {
    List<String> all = new ArrayList<>(List.of("description: mine"));
    all.addAll(List.of(lines));
    all.addAll(
        List.of(
            "database: derby",
            "jvm: current",
            "gc: default",
            "heap: 1g",
            "fedora: 3.8.1",
            "lowlevel: akubra-fs"));
    return all.toArray(String[]::new);
  }
}
