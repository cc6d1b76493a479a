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
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String READY = "ready ";

  private final int port;
  private final Process process;
  private final Writer orders;
  private final BufferedReader answers;

  /**
   * @param entrance what its command line begins with, such as {@link Network#entrance}
   * @param target port that it leads to
   */
  RelayProcess(List<String> entrance, int target) throws IOException {
    List<String> command = new ArrayList<>(entrance);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", Path.of("target", "test-classes").toAbsolutePath().toString()));
    command.addAll(List.of(Relay.class.getName(), Integer.toString(target)));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    orders = process.outputWriter();
    answers = process.inputReader();
    try {
      port = Integer.parseInt(awaitAnswer());
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
    order(millis, 0, 0);
  }

  /** From now on no connection carries more than that. */
  void narrow(int bytesPerSecond) throws IOException {
    order(0, bytesPerSecond, 0);
  }

  /** The next answers are lost, each with its connection. */
  void loseAnswers(int number) throws IOException {
    order(0, 0, number);
  }

  /**
   * From now on nothing is held up or lost.
   *
   * @return how many pieces of what was sent were held up before
   */
  long heal() throws IOException {
    return order(0, 0, 0);
  }

  private long order(int delayMillis, int bytesPerSecond, int answersToLose) throws IOException {
    orders.write(delayMillis + " " + bytesPerSecond + " " + answersToLose + "\n");
    orders.flush();
    return awaitReady();
  }

  private long awaitReady() throws IOException {
    String answer = awaitAnswer();
    assertThat(answer).startsWith(READY);
    return Long.parseLong(answer.substring(READY.length()));
  }

  private String awaitAnswer() throws IOException {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .failFast("the relay ended", () -> !process.isAlive())
        .until(answers::ready);
    return answers.readLine();
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly().waitFor();
  }
}
