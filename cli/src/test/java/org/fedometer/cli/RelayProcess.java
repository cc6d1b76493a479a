package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A {@link Relay} that runs. */
final class RelayProcess implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final String READY = "ready ";

  private final int port;
  private final Process process;
  private final Writer output;
  private final BufferedReader input;

  /**
   * @param entrance what its command line begins with, such as {@link Network#commandPrefix}
   * @param target port that it leads to
   */
  RelayProcess(List<String> entrance, int target) throws IOException {
    List<String> command = new ArrayList<>(entrance);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", Path.of("target", "test-classes").toAbsolutePath().toString()));
    command.addAll(List.of(Relay.class.getName(), Integer.toString(target)));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    output = process.outputWriter();
    input = process.inputReader();
    try {
      port = Integer.parseInt(awaitReply());
      awaitReady();
    } catch (IOException | RuntimeException | AssertionError failed) {
      process.destroyForcibly();
      throw failed;
    }
  }

  int port() {
    return port;
  }

  /** From now on everything arrives so much later. */
  void delay(int millis) throws IOException {
    send(millis, 0, 0);
  }

  /** From now on no connection carries more than that. */
  void limitRate(int bytesPerSecond) throws IOException {
    send(0, bytesPerSecond, 0);
  }

  /** The next answers are lost, each with its connection. */
  void dropResponses(int number) throws IOException {
    send(0, 0, number);
  }

  /**
   * From now on nothing is held up or lost.
   *
   * @return how many pieces of what was sent were held up before
   */
  long heal() throws IOException {
    return send(0, 0, 0);
  }

  private long send(int delayMillis, int bytesPerSecond, int responsesToDrop) throws IOException {
    output.write(delayMillis + " " + bytesPerSecond + " " + responsesToDrop + "\n");
    output.flush();
    return awaitReady();
  }

  private long awaitReady() throws IOException {
    String answer = awaitReply();
    assertThat(answer).startsWith(READY);
    return Long.parseLong(answer.substring(READY.length()));
  }

  private String awaitReply() throws IOException {
    await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(10))
        .failFast("the relay ended", () -> !process.isAlive())
        .until(input::ready);
    return input.readLine();
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly().waitFor();
  }
}
