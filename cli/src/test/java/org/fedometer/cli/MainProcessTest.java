package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects of a command's environment: streams, locale, home; in a separate process. */
class MainProcessTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"profile list", "runs logs night --file fedora.log"})
  void outputThatCannotBeWrittenIsAnError(String line) throws Exception {
    File full = new File("/dev/full");
    Assumptions.assumeTrue(full.exists(), "there is no /dev/full here");
    keepALog();
    Process process = command(List.of(), line.split(" ")).redirectOutput(full).start();

    assertThat(errorsOf(process).lines())
        .singleElement()
        .asString()
        .contains("standard output could not be written");
    assertThat(process.waitFor()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"profile list", "runs logs night --file fedora.log"})
  void aClosedPipeIsNoError(String line) throws Exception {
    keepALog();
    Process process = command(List.of(), line.split(" ")).start();
    process.getInputStream().close();

    assertThat(errorsOf(process)).isEmpty();
    assertThat(process.waitFor()).isZero();
  }

  /** The file has holes only, and is larger than could be read within the time. */
  @Test
  void stopsReadingALogWhenThePipeIsClosed() throws Exception {
    keepALog();
    Path log = folder.resolve("fedometer-store/runs/night/logs/fedora.log");
    try (RandomAccessFile holes = new RandomAccessFile(log.toFile(), "rw")) {
      holes.setLength(1L << 40);
    }
    Process process = command(List.of(), "runs", "logs", "night", "--file", "fedora.log").start();
    try {
      assertThat(process.getInputStream().readNBytes(6)).asString().isEqualTo("INFO a");
      process.getInputStream().close();

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it has ended").isTrue();
      assertThat(errorsOf(process)).isEmpty();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void digitsAreTheSameInEveryLanguage() throws Exception {
    List<String> arabic = List.of("-Duser.language=ar", "-Duser.country=EG");
    String described =
        outputOf(arabic, "dataset", "describe", "--dataset", "patents:small", "--objects", "3");

    assertThat(described).contains("3").doesNotContainPattern("[\\p{Nd}&&[^0-9]]");
    assertThat(described)
        .isEqualTo(
            outputOf(
                List.of(), "dataset", "describe", "--dataset", "patents:small", "--objects", "3"));
  }

  @Test
  void takesTheHomeFromTheEnvironment() throws Exception {
    Path profiles = Files.createDirectories(folder.resolve(".config/fedometer/profiles"));
    Files.writeString(profiles.resolve("athome.yaml"), "description: lies at home\n");

    assertThat(outputOf(List.of("-Duser.home=?"), "profile", "list")).contains("athome");
    assertThat(folder.resolve("?")).doesNotExist();
  }

  @Test
  void reportsAPathTheLocaleCannotEncode() throws Exception {
    // The name as bytes: this JVM's own locale may not be able to say it.
    ProcessBuilder builder = command(List.of(), "runs", "list", "--store");
    builder
        .command()
        .addAll(0, List.of("sh", "-c", "exec \"$@\" \"$(printf 'd\\303\\274')\"", "sh"));
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();

    assertThat(errorsOf(process)).contains("locale", "LC_ALL").doesNotContain("Exception");
    assertThat(process.waitFor()).isEqualTo(2);
  }

  /** More of it than is buffered anywhere. */
  private void keepALog() throws IOException {
    Path logs = Files.createDirectories(folder.resolve("fedometer-store/runs/night/logs"));
    Files.writeString(logs.resolve("fedora.log"), "INFO a line\n".repeat(10_000));
  }

  private String outputOf(List<String> javaOptions, String... arguments) throws Exception {
    Path errors = folder.resolve("errors");
    Process process = command(javaOptions, arguments).redirectError(errors.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output + Files.readString(errors)).isZero();
    return output;
  }

  private static String errorsOf(Process process) throws IOException {
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private ProcessBuilder command(List<String> javaOptions, String... arguments) {
    List<String> command = new ArrayList<>(List.of(JAVA, "-XX:TieredStopAtLevel=1"));
    command.addAll(javaOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("HOME", folder.toString());
    builder.environment().keySet().removeIf(name -> name.startsWith("XDG_"));
    return builder;
  }
}
