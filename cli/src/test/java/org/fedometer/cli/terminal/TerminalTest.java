package org.fedometer.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class TerminalTest {

  @Test
  void usesTheColumnsVariableWithoutATerminal() {
    assertThat(Terminal.knownColumns(false, "77")).isEqualTo(OptionalInt.of(77));
    for (String senseless : new String[] {null, "", "0", "-5", "wide", "99999999999"}) {
      assertThat(Terminal.knownColumns(false, senseless)).isEmpty();
    }
    assertThat(Terminal.knownColumns(true, "77")).isEmpty();
  }

  @Test
  void doesNotTruncateInAFileOrPipe() {
    assertThat(Terminal.isWidthUnlimited(false, null)).isTrue();
    assertThat(Terminal.isWidthUnlimited(false, "wide")).isTrue();
    assertThat(Terminal.isWidthUnlimited(false, "77")).isFalse();
    assertThat(Terminal.isWidthUnlimited(true, null)).isFalse();
  }

  @Test
  void dropsColumnsThatDoNotFit() {
    PlainTable<String> table =
        PlainTable.of(List.of("a-long-name"))
            .left("RUN", name -> name)
            .left("STATE", name -> "done")
            .right("SIZE", name -> "12 MB");

    assertThat(print(table, 25, List.of())).isEqualTo("RUN          STATE   SIZE");
    assertThat(print(table, 24, List.of("SIZE"))).isEqualTo("RUN          STATE");
    assertThat(print(table, 5, List.of("SIZE", "STATE"))).isEqualTo("RUN");
  }

  /** The first line. */
  private static String print(PlainTable<?> table, int columns, List<String> hidden) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    assertThat(table.print(out, columns, List.of("SIZE", "STATE"))).isEqualTo(hidden);
    String text = printed.toString(StandardCharsets.UTF_8);
    assertThat(text.lines().map(String::length))
        .allMatch(length -> length <= Math.max("a-long-name".length(), columns));
    return text.lines().findFirst().orElseThrow();
  }
}
