package org.fedometer.profiles.stack.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackOptions;
import org.fedometer.profiles.stack.program.Processes;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments that a JVM refuses, with the JVM of this test and with scripts in place of a JVM. */
class JavaTrialTest {

  private static final Path CURRENT = Path.of(System.getProperty("java.home"));

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"gc=default", "gc=serial", "gc=parallel", "gc=g1", "jvm.jfr=default"})
  void acceptsOptionsOfEveryJvm(String change) {
    assertThatCode(() -> tryWith(CURRENT, change)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jvm.arguments+=-XX:+NoSuchOption | -XX:+NoSuchOption of jvm.arguments: Unrecognized VM option 'NoSuchOption'; leave it out.
          heap=1m | this heap (-Xms1m -Xmx1m -XX:+DisableExplicitGC):
          gc.arguments+=-XX:+UseSerialGC gc.arguments+=-XX:+UseG1GC | gc default (-XX:+UseSerialGC -XX:+UseG1GC):
          """)
  void whatTheJvmRefusesIsNamed(String changes, String message) {
    assertThatThrownBy(() -> tryWith(CURRENT, changes.strip().split(" ")))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageStartingWith("Java " + System.getProperty("java.version") + " (")
        .hasMessageContaining(" in " + CURRENT + " does not start with ")
        .hasMessageContaining(message.strip());
  }

  @Test
  void reportsAMissingCollector() throws IOException {
    Path java =
        script(
            """
            case "$*" in *UseShenandoahGC*)
              echo "Error occurred during initialization of VM"
              echo "Option -XX:+UseShenandoahGC not supported"
              exit 1;;
            esac
            """);

    assertThatThrownBy(() -> tryWith(java, "gc=shenandoah"))
        .hasMessage(
            "Java 17.0.1 (A) in "
                + java
                + " does not start with gc shenandoah (-XX:+UseShenandoahGC): Option"
                + " -XX:+UseShenandoahGC not supported; choose another garbage collector, such as"
                + " --set gc=g1, or another Java, with --set jvm or --set jvm.home=DIR.");
    assertThatCode(() -> tryWith(java, "gc=g1")).doesNotThrowAnyException();
  }

  @Test
  void reportsAJavaThatCannotRun() throws IOException {
    Path java = script("echo \"java: version GLIBC_2.38 not found\"\nexit 1\n");

    assertThatThrownBy(() -> tryWith(java))
        .hasMessageEndingWith(
            " does not start even without arguments: java: version GLIBC_2.38 not found; name the"
                + " folder of another one with --set jvm.home=DIR.");
  }

  /** As one that waits for a debugger does. */
  @Test
  void killsAndReportsAJvmThatHangs() throws IOException {
    Path java = script("case \"$*\" in *suspend=y*) echo Listening; sleep 600;; esac\n");
    String argument = "-agentlib:jdwp=transport=dt_socket,suspend=y";

    assertThatThrownBy(() -> tryWith(java, Duration.ofSeconds(1), "jvm.arguments+=" + argument))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageEndingWith(
            " does not start with "
                + argument
                + " of jvm.arguments: it does not end within 1 s; leave it out.");
    assertThat(Processes.naming(java)).isEmpty();
  }

  @Test
  void whatAJvmWritesWhereItStandsIsNotLeft() throws IOException {
    Path java = script("pwd > " + folder.resolve("where") + "\necho x > gc.log\n");

    assertThatCode(() -> tryWith(java)).doesNotThrowAnyException();

    assertThat(Path.of(Files.readString(folder.resolve("where")).strip()))
        .isNotEqualTo(Path.of("").toAbsolutePath())
        .doesNotExist();
  }

  private static void tryWith(Path home, String... changes) throws Exception {
    tryWith(home, Duration.ofSeconds(30), changes);
  }

  private static void tryWith(Path home, Duration limit, String... changes) throws Exception {
    InstalledJava java = InstalledJava.in(home).orElseThrow();
    StackDocument document =
        StackDocument.of(
            "1",
            Profiles.shipped().profile("mulgara-derby", List.of(changes)),
            StackOptions.at(home),
            home);
    new JavaTrial(java, document, limit).run();
  }

  private Path script(String body) throws IOException {
    Path home = folder.resolve("java");
    Path program = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(program, "#!/bin/sh\n" + body);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"A\"\nJAVA_VERSION=\"17.0.1\"\n");
    return home;
  }
}
