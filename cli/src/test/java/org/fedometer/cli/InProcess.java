package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Output and exit code of a command run in this JVM. It replaces standard output and error
 * meanwhile, so other tests must not run in the same JVM.
 */
public record InProcess(int exitCode, String out, String err) {

  /** Runs {@code fedometer ARGUMENTS}. */
  public static InProcess fedometer(String... arguments) {
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      int exitCode = Main.execute(arguments);
      return new InProcess(
          exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
  }

  /** Fails with the command's output if the exit code differs. */
  public InProcess expect(int expected) {
    assertThat(exitCode).as("exit code; it said:\n%s", err).isEqualTo(expected);
    return this;
  }

  public JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out);
  }
}
