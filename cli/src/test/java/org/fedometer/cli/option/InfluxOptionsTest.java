package org.fedometer.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.collector.influx.InfluxTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class InfluxOptionsTest {
  private static final String URL = "--influx=http://127.0.0.1:8086";

  @TempDir Path folder;

  @Test
  void withoutAnyNothingIsSent() {
    assertThat(of().targetOrNull()).isNull();
  }

  @Test
  void aDatabaseWithAPasswordOfAFile() throws Exception {
    Path password = Files.writeString(folder.resolve("password"), "p w\n");
    InfluxTarget target =
        of(
                URL,
                "--influx-database=fedometer",
                "--influx-retention-policy=month",
                "--influx-user=me",
                "--influx-password-file=" + password)
            .target();
    assertThat(target)
        .isEqualTo(
            new InfluxTarget(
                "http://127.0.0.1:8086",
                new InfluxTarget.Database("fedometer", "month", "me", "p w")));
    assertThat(target.toString()).doesNotContain("p w");
  }

  @Test
  void aBucketWithATokenOfAFile() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), " secret \n");
    InfluxTarget target =
        of(URL, "--influx-org=example", "--influx-bucket=fedometer", "--influx-token-file=" + token)
            .target();
    assertThat(target.destination())
        .isEqualTo(new InfluxTarget.Bucket("fedometer", "example", "secret"));
    assertThat(target.toString()).doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--influx=http://h:1 | either --influx-database",
        "--influx=http://h:1 --influx-database=d --influx-bucket=b | not both",
        "--influx-database=d | name the InfluxDB",
        "--influx=http://h:1 --influx-user=u | --influx-database is missing",
        "--influx=http://h:1 --influx-database=d --influx-ca=no/such | --influx-ca no/such",
        "--influx=http://h:1 --influx-bucket=b | belong together",
        "--influx=http://h:1 --influx-database=d --influx-password-file=f | needs --influx-user",
        "--influx=http://h:1 --influx-database=d --influx-user=u | the password of --influx-user",
        "--influx=http://h:1 --influx-database=d --influx-user=u --influx-password-file=no/such | "
            + "--influx-password-file cannot be read",
        "--influx=ftp://h:1 --influx-database=d | begin with http",
        "--influx=http://u:p@h:1 --influx-database=d | must not contain a user or password",
        "--influx=http://h:1/?q=1 --influx-database=d | must end with its path",
        "--influx=http://h:x^ --influx-database=d | is not a URL",
        "--influx=http:///x --influx-database=d | name a host"
      })
  void rejectsConflictingOptions(String options, String message) {
    assertThatThrownBy(() -> of(options.split(" ")).target())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void anExportWithoutARunOrAnInfluxDbIsBadUsage() {
    assertThat(Main.execute("runs", "export")).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(Main.execute("runs", "export")).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(Main.execute("runs", "export", "run", "--store", folder.toString()))
        .isEqualTo(ExitCode.BAD_USAGE);
    assertThat(
            Main.execute(
                "runs",
                "export",
                "influx",
                "no-such-run",
                "--store",
                folder.toString(),
                URL,
                "--influx-database=d"))
        .isEqualTo(ExitCode.BAD_USAGE);
  }

  private static InfluxOptions of(String... arguments) {
    InfluxOptions options = new InfluxOptions();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("influx", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs(arguments);
    return options;
  }
}
