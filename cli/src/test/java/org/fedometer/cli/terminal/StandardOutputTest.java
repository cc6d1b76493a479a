package org.fedometer.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandardOutputTest {

  @Test
  void jsonIsUtf8WhereTheLocaleKnowsNoUmlauts() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.US_ASCII));
    try {
      StandardOutput.asJson(Map.of("home", "/h\u00e4user"));
    } finally {
      System.setOut(before);
    }

    assertThat(printed.toString(StandardCharsets.UTF_8))
        .isEqualToNormalizingNewlines("{\n  \"home\" : \"/h\u00e4user\"\n}\n");
  }
}
