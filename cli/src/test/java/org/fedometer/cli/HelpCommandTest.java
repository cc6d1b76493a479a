package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HelpCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void theHelpOfACommandIsThatWhichItPrintsItself() {
    assertThat(printed("help", "profile", "show"))
        .isEqualTo(printed("profile", "show", "--help"))
        .startsWith("Usage: fedometer profile show ");
    assertThat(printed("help", "run")).isEqualTo(printed("run", "--help"));
    assertThat(printed("help")).isEqualTo(printed("--help")).contains("fedometer help attach");
  }

  @Test
  void rejectsAnUnknownCommandAtItsLevel() {
    assertThat(execute("help", "profil")).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(err.toString())
        .contains("there is no command 'profil'; perhaps you mean profile", "fedometer --help");
    assertThat(execute("help", "profile", "shwo")).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(err.toString())
        .contains("there is no command 'shwo'; perhaps you mean show", "fedometer profile --help");
    assertThat(execute("help", "run", "away")).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(err.toString()).contains("there is no command 'away'", "fedometer run --help");
  }

  private String printed(String... arguments) {
    assertThat(execute(arguments)).isEqualTo(ExitCode.DONE);
    return out.toString();
  }

  private int execute(String... arguments) {
    CommandLine commandLine = Main.commandLine();
    for (StringWriter written : new StringWriter[] {out, err}) {
      written.getBuffer().setLength(0);
    }
    return commandLine
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
