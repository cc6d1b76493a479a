package org.fedometer.profiles.stack.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CommandTest {

  /** More than a pipe holds. */
  private static final String LONG_INPUT = "statement;\n".repeat(100_000);

  @TempDir private Path folder;

  @Test
  void aCommandReadsItsInputToTheEnd() throws Exception {
    Path log = folder.resolve("log");

    int status = new Command(List.of("cat"), folder, log).run(LONG_INPUT, Duration.ofMinutes(1));

    assertThat(status).isZero();
    assertThat(log).hasSize(LONG_INPUT.length());
  }

  @Test
  @Timeout(60)
  void aCommandThatReadsNothingIsKilledWhenItsTimeIsOver() throws Exception {
    Command command = new Command(List.of("sleep", "300"), folder, folder.resolve("log"));

    assertThat(command.run(LONG_INPUT, Duration.ofMillis(200))).isEqualTo(Command.KILLED);
  }
}
