package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The unit file of the distribution, as systemd reads it. Skipped where {@code systemd-analyze} is
 * not installed, unless {@code FEDOMETER_REQUIRE_ALL=1}.
 */
class SystemdUnitTest {
  private static final Path UNIT =
      Path.of("src/main/distribution/systemd/fedometer-collector.service");

  /** On systemd's scale from 0, safe, to 100. */
  private static final String MAX_EXPOSURE = "--threshold=20";

  @TempDir Path folder;

  @BeforeAll
  static void isInstalled() {
    boolean installed =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(entry -> Files.isExecutable(Path.of(entry, "systemd-analyze")));
    if (!installed) {
      String sentence = "there is no systemd-analyze (package systemd)";
      if ("1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
        throw new IllegalStateException(sentence);
      }
      System.err.println("SKIPPED SystemdUnitTest: " + sentence);
      assumeTrue(false, sentence);
    }
  }

  @Test
  void unitPassesSystemdAnalyze() throws Exception {
    assertThat(analyze("verify", "--man=no", unit().toString())).isEmpty();
  }

  @Test
  void unitIsSandboxed() throws Exception {
    // Fails beyond the threshold.
    analyze("security", "--offline=true", "--no-pager", MAX_EXPOSURE, unit().toString());
  }

  @Test
  void unitCommandIsValid() throws Exception {
    String line =
        Files.readAllLines(UNIT).stream()
            .filter(each -> each.startsWith("ExecStart="))
            .findFirst()
            .orElseThrow();
    String[] arguments = line.substring(line.indexOf(' ') + 1).split(" ");
    assertThat(arguments[0]).isEqualTo("collect");
    CommandLine.ParseResult parsed = Main.commandLine().parseArgs(arguments);
    assertThat(parsed.subcommand().matchedOptionValue("--token-file", Path.of("none")))
        .isEqualTo(Path.of("${CREDENTIALS_DIRECTORY}/token"));
    assertThat(parsed.subcommand().matchedOptionValue("--http", new InetSocketAddress(0)))
        .isEqualTo(new InetSocketAddress("127.0.0.1", 4712));
  }

  /** The same, with a command that this machine has. */
  private Path unit() throws Exception {
    String text = Files.readString(UNIT);
    assertThat(text).contains("ExecStart=/opt/fedometer/bin/fedometer collect ");
    return Files.writeString(
        folder.resolve(UNIT.getFileName()),
        text.replace("/opt/fedometer/bin/fedometer", "/bin/sh"));
  }

  private String analyze(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("systemd-analyze"));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("said");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    int exitCode = process.waitFor();
    String text = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(exitCode).as(text).isZero();
    return text;
  }
}
