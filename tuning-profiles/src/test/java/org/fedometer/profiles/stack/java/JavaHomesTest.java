package org.fedometer.profiles.stack.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders that look like Javas, in all places where Javas are looked for. */
class JavaHomesTest {

  @TempDir Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private Path user;
  private Path distribution;

  @BeforeEach
  void makeFolders() throws IOException {
    user = Files.createDirectories(folder.resolve("user"));
    distribution = Files.createDirectories(folder.resolve("jvm"));
  }

  @Test
  void theDistributionsJavaIsFound() throws Exception {
    Path home = java(distribution.resolve("java-21-openjdk-amd64"), "21.0.5");
    java(distribution.resolve("java-11-openjdk-amd64"), "11.0.20");

    assertThat(find("jvm=21").home()).isEqualTo(home);
    assertThat(find("jvm=21").version()).isEqualTo("21.0.5");
  }

  @Test
  void aVariableForTheVersionComesFirst() throws Exception {
    java(distribution.resolve("java-21-openjdk-amd64"), "21.0.5");
    Path named = java(folder.resolve("runner/21"), "21.0.1");
    environment.put("JAVA_HOME_21_X64", named.toString());

    assertThat(find("jvm=21").home()).isEqualTo(named);
  }

  @Test
  void aVariableForAnotherProcessorIsPassedOver() throws Exception {
    Path here = java(distribution.resolve("21"), "21.0.5");
    for (String other : List.of("ARM64", "X86", "ARM32", "AARCH64")) {
      environment.put("JAVA_HOME_21_" + other, java(folder.resolve(other), "21.0.1").toString());
    }
    assertThat(find("jvm=21").home()).isEqualTo(here);

    Path named = java(folder.resolve("runner/21"), "21.0.1");
    environment.put("JAVA_HOME_21_amd64", named.toString());
    assertThat(find("jvm=21").home()).isEqualTo(named);
  }

  /** It starts with any -XX option, and does not heed it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "IMPLEMENTOR=\"Eclipse OpenJ9\"\nJVM_VARIANT=\"Openj9\"",
        "IMPLEMENTOR=\"AdoptOpenJDK\"\nJVM_VARIANT=\"OpenJ9\"",
        "IMPLEMENTOR=\"IBM Corporation\"",
        "IMPLEMENTOR=\"International Business Machines Corporation\""
      })
  void aJavaThatIsNoHotSpotIsPassedOver(String release) throws Exception {
    Path other = java(folder.resolve("semeru"), "21.0.5");
    Files.writeString(other.resolve("release"), release + "\nJAVA_VERSION=\"21.0.5\"\n");
    environment.put("JAVA_HOME_21_X64", other.toString());

    assertThatThrownBy(() -> find("jvm=21"))
        .hasMessageContaining(
            " (the one in " + other + " is not a HotSpot JVM, which a profile needs). Install one");
    assertThatThrownBy(() -> find("jvm=21", "jvm.home=" + other))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageStartingWith(
            "The Java in " + other + " is not a HotSpot JVM: it ignores unknown options");
    Path hotSpot = java(distribution.resolve("21"), "21.0.5");
    assertThat(find("jvm=21").home()).isEqualTo(hotSpot);
  }

  @Test
  void detectsNonHotSpotByRunningJava() throws Exception {
    Path home = distribution.resolve("ibm-8/jre");
    executable(home.resolve("bin/java"));
    Files.writeString(
        home.resolve("bin/java"),
        "#!/bin/sh\nprintf '    java.vm.name = IBM J9 VM\\n    java.version = 1.8.0_504\\n' >&2\n");

    assertThat(InstalledJava.in(home)).get().matches(java -> !java.isHotSpot());
  }

  @Test
  void aVariableThatLiesIsPassedOver() throws Exception {
    Path right = java(distribution.resolve("21"), "21.0.5");
    environment.put("JAVA_HOME_21_X64", java(folder.resolve("wrong"), "17.0.1").toString());
    environment.put("JAVA_HOME", folder.resolve("nowhere").toString());

    assertThat(find("jvm=21").home()).isEqualTo(right);
  }

  @Test
  void mavensToolchainsAreLookedThrough() throws Exception {
    Path home = java(folder.resolve("opt/jdk-11"), "11.0.20");
    Path file = Files.createDirectories(user.resolve(".m2")).resolve("toolchains.xml");
    Files.writeString(
        file,
        "<toolchains><toolchain><type>jdk</type><provides><version>11</version></provides>"
            + "<configuration><jdkHome> "
            + home
            + " </jdkHome></configuration></toolchain></toolchains>");

    assertThat(find("jvm=11").home()).isEqualTo(home);
  }

  @Test
  void sdkmansFolderIsLookedThrough() throws Exception {
    Path home = java(user.resolve(".sdkman/candidates/java/8.0.402-tem"), "1.8.0_402");

    assertThat(find("jvm=8").home()).isEqualTo(home);
  }

  @Test
  void theJreWithinAJdk8IsOneToo() throws Exception {
    Path jdk = distribution.resolve("jdk8");
    executable(jdk.resolve("jre/bin/java"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"1.8.0_402\"\n");

    assertThat(find("jvm=8").home()).isEqualTo(jdk.resolve("jre"));
  }

  @Test
  void runsAJavaWithoutReleaseFile() throws Exception {
    Path home = distribution.resolve("java-8-openjdk-amd64/jre");
    executable(home.resolve("bin/java"));
    Files.writeString(
        home.resolve("bin/java"),
        "#!/bin/sh\nprintf 'Property settings:\\n    java.vendor = B\\n    java.version ="
            + " 1.8.0_504\\n' >&2\n");

    assertThat(find("jvm=8")).isEqualTo(new InstalledJava(home, "1.8.0_504", "B", true));
  }

  @Test
  void usesTheFolderOfTheProfile() throws Exception {
    java(distribution.resolve("21"), "21.0.5");
    Path named = java(folder.resolve("mine"), "21.0.2");

    assertThat(find("jvm=21", "jvm.home=" + named).home()).isEqualTo(named);
  }

  @Test
  void aNamedFolderWithAnotherJavaIsRefused() throws IOException {
    Path named = java(folder.resolve("mine"), "11.0.20");

    assertThatThrownBy(() -> find("jvm=21", "jvm.home=" + named))
        .isInstanceOf(ProvisioningException.class)
        .hasMessage(
            named
                + " holds Java 11.0.20, the profile needs 21; name another folder with --set"
                + " jvm.home=DIR, or choose --set jvm=11.");
  }

  @Test
  void aNamedFolderWithoutJavaIsRefused() {
    assertThatThrownBy(() -> find("jvm=21", "jvm.home=" + folder))
        .hasMessageStartingWith("There is no Java in " + folder + " that runs;");
  }

  @Test
  void anInterruptIsNotReportedAsMissingJava() throws Exception {
    Path slow = folder.resolve("slow");
    executable(slow.resolve("bin/java"));
    Files.writeString(slow.resolve("bin/java"), "#!/bin/sh\nexec sleep 60\n");
    Profile profile =
        Profiles.shipped().profile("mulgara-derby", List.of("jvm=8", "jvm.home=" + slow));
    JavaHomes homes = new JavaHomes(environment, user, distribution, "amd64");

    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> homes.forProfile(profile)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void reportsHowToInstallAMissingJava() throws IOException {
    java(distribution.resolve("11"), "11.0.20");
    int current = Runtime.version().feature();

    assertThatThrownBy(() -> find("jvm=8"))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageStartingWith("This machine has no Java 8, only 11, " + current + ". Install one")
        .hasMessageContaining("apt-get install openjdk-8-jre-headless")
        .hasMessageContaining("--set jvm.home=DIR or JAVA_HOME_8_X64");
  }

  @Test
  void currentIsTheJavaOfThisProcess() throws Exception {
    assertThat(find("jvm=current").home()).isEqualTo(Path.of(System.getProperty("java.home")));
  }

  @ParameterizedTest
  @CsvSource({"17.0.15, 17", "1.8.0_402, 8", "25, 25", "21-ea, 21", "11.0.2+9, 11", "x, 0"})
  void theFeatureOfAVersionIsKnown(String version, int feature) {
    assertThat(InstalledJava.featureOf(version)).isEqualTo(feature);
  }

  private InstalledJava find(String... changes) throws Exception {
    return new JavaHomes(environment, user, distribution, "amd64")
        .forProfile(Profiles.shipped().profile("mulgara-derby", List.of(changes)));
  }

  private static Path java(Path home, String version) throws IOException {
    executable(home.resolve("bin/java"));
    Files.writeString(
        home.resolve("release"), "IMPLEMENTOR=\"A\"\nJAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private static void executable(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.createFile(file);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
