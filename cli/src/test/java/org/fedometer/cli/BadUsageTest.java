package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fedometer.cli.agent.AgentLimits;
import org.fedometer.cli.agent.AgentSize;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A command line that cannot be meant is answered by what is wrong with it, and little else. */
class BadUsageTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "runs list --what              | Unknown option: '--what'            | fedometer runs list",
        "attach java              | 'java' is not a process id          | fedometer attach",
        "attach 1 --memory much   | 'much' is not a size                | fedometer attach",
        "ingest --target h:1/fedora    | begins with http:// or https:// | fedometer ingest",
        "verify r --target http:fedora | begins with http:// or https:// | fedometer verify",
        "doctor --target ftp://h/f     | 'ftp://h/f' is no address of a  | fedometer doctor",
        "doctor --target http://my_fedora:8080/f | 'my_fedora:8080' is not a valid host | fedometer doctor",
        "attach 1 --log-level warning | not 'warning'; perhaps you mean warn | fedometer attach",
        "runs import f --format jmetr  | [durations, jmeter, ycsb, k6, gatling, hyperfine], not 'jmetr'; perhaps you mean jmeter | fedometer runs import",
        "runs query --format xml       | expected one of [table, csv, json], not 'xml' | fedometer runs query",
        "run --rate fast          | 'fast' is not a number              | fedometer run",
        "run --workers a          | 'a' is not a whole number              | fedometer run",
        "run --sweep 1,x          | 'x' is not a whole number              | fedometer run",
        "report big extra         | unexpected argument: 'extra' | fedometer report",
        "run --profil x --objcts 5 | Unknown options: '--profil', '--objcts'; perhaps you mean --profile and --objects | fedometer run",
        "report                   | Missing required parameter: 'RUN'   | fedometer report",
        "stack repair --dry-run         | Missing required option: '--home=DIR' | fedometer stack repair",
        "reprot night             | 'reprot'; perhaps you mean report   | fedometer",
        "rnu                      | there is no command 'rnu'; perhaps you mean run | fedometer",
        "up                       | there is no command 'up'; perhaps you mean stack up | fedometer",
        "run --shard 1/3          | Unknown option: '--shard'; it is an option of 'fedometer ingest' | fedometer run",
        "help rnu                 | there is no command 'rnu'; perhaps you mean run | fedometer",
        "profile chek            | 'chek'; perhaps you mean check      | fedometer profile",
        "dataset shwo            | 'shwo'; perhaps you mean show       | fedometer dataset",
        "stage show              | Missing required parameter: 'STAGE'     | fedometer stage show",
        "help frobnicate          | there is no command 'frobnicate'    | fedometer"
      })
  void printsTheErrorAndAHintToHelp(String line, String wrong, String command) {
    String errors = badUsage(line.split(" "));

    assertThat(errors.lines()).hasSize(2);
    assertThat(errors.lines().findFirst().orElseThrow()).startsWith("fedometer: ").contains(wrong);
    assertThat(errors).endsWith(System.lineSeparator() + "try '" + command + " --help'\n");
  }

  @Test
  void anOptionThatIsNearlyOneIsGuessed() {
    assertThat(badUsage("attach", "1", "--memry", "32m")).contains("perhaps you mean --memory");
  }

  @Test
  void aProfileThatIsNearlyOneIsGuessed() {
    assertThat(badUsage("profile", "show", "mptstore-postgresq"))
        .isEqualTo(
            "fedometer: no profile is called 'mptstore-postgresq'; perhaps you mean"
                + " mptstore-postgresql\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--transport log4j2: needs --collector H:P",
        "--collector 127.0.0.1:0: give a port of 1 to 65535",
        "--collector 127.0.0.1:0 --transport log4j2: give a port of 1 to 65535",
        "--token-file /no --transport log4j2 --collector 127.0.0.1:1: leave it out",
        "--memory 3m: give 4m to 4096m,",
        "--memory 5g: give 4m to 4096m,",
        "--memory 15m --spool s: give 16m to 4096m with --spool,",
        "--spool-size 1m --spool s: a spool has at least 4m;",
        "--log-rate 0: give 1 to 100000 lines per second,",
        "--telemetry-interval 99ms: give 100ms to 1h",
        "--name a/b: letters, digits",
        "--name : letters, digits",
        "--source-name : leave it out for 'fedora'"
      })
  void rejectsAgentOptionsBeforeAttaching(String arguments) {
    String[] optionsAndError = arguments.split(": ", 2);
    String[] options = ("attach 4194304 " + optionsAndError[0]).split(" ", -1);

    String errors = badUsage(options);

    assertThat(errors.lines()).hasSize(1);
    assertThat(errors).startsWith("fedometer: " + options[2] + " ").contains(optionsAndError[1]);
  }

  @Test
  void aFolderThatHoldsNoStackIsNotRepaired() {
    assertThat(badUsage("stack", "repair", "--home", "/no/such/home"))
        .isEqualTo(
            "fedometer: /no/such/home holds no stack; name the home of 'fedometer stack up' or"
                + " 'run --keep-home'\n");
  }

  @Test
  void missingHomeIsAnErrorUnlessDeleting() {
    assertThat(badUsage("stack", "down", "--home", "/no/such/home"))
        .isEqualTo(
            "fedometer: --home /no/such/home: there is no such folder; 'fedometer stack list' shows the"
                + " homes of stacks that run\n");
    assertThat(Main.execute("stack", "down", "--home", "/no/such/home", "--delete")).isZero();
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aFileOfPidsThatIsNoTextOrNoFileIsRefusedBeforeTheHomeIsLookedFor(@TempDir Path folder)
      throws Exception {
    Path file = Files.write(folder.resolve("pids"), new byte[] {'a', ':', (byte) 0xFF, '\n'});
    Path blank = Files.writeString(folder.resolve("blank"), " \n\n");
    Path pipe = folder.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start();
    assertThat(made.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(made.exitValue()).isZero();

    assertThat(
            badUsage("stack", "repair", "--home", "/no/such/home", "--pids-file", file.toString()))
        .isEqualTo("fedometer: --pids-file " + file + " is not UTF-8\n");
    assertThat(
            badUsage("stack", "repair", "--home", "/no/such/home", "--pids-file", blank.toString()))
        .isEqualTo("fedometer: --pids-file " + blank + " names no PID\n");
    assertThat(
            badUsage("stack", "repair", "--home", "/no/such/home", "--pids-file", pipe.toString()))
        .isEqualTo("fedometer: --pids-file " + pipe + " is not a regular file\n");
  }

  @Test
  void rejectsAnUnusableRunNameBeforeCreatingTheHome() {
    assertThat(badUsage("stack", "up", "--home", "/no/such/home", "--no-agent", "--name", "night"))
        .contains("--name needs the agent", "--no-agent");
    assertThat(badUsage("stack", "up", "--home", "/no/such/home", "--name", ".night"))
        .contains("--name '.night'");
    assertThat(badUsage("stack", "up", "--home", "/no/such/home", "--name=-night"))
        .contains("--name '-night'", "neither a dot nor a hyphen");
  }

  @Test
  void rejectsAnIncompleteProfileBeforeStarting() {
    for (String command : List.of("run", "study scale", "study datastreams")) {
      assertThat(badUsage((command + " --profile fiz-remote-database").split(" ")))
          .contains("--set database.url=...", "--set database.triplesUrl=...")
          .contains("--set database.passwordFile=...");
    }
  }

  @Test
  void acceptsMinimumAndMaximum() {
    AgentLimits.checkMemory("4m", false);
    AgentLimits.checkMemory("16m", true);
    AgentLimits.checkMemory("4g", true);
    AgentLimits.checkMemory(null, true);
    AgentLimits.checkSpoolSize("4096k");
    AgentLimits.checkSourceName("Bibliothek, 2. Stock");
    assertThat(AgentSize.bytes("3k")).isEqualTo(3072);
  }

  private static String badUsage(String... arguments) {
    StringWriter err = new StringWriter();
    int exitCode = Main.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
    assertThat(exitCode).isEqualTo(ExitCode.BAD_USAGE);
    return err.toString();
  }
}
