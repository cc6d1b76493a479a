package org.fedometer.experiments.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.fedometer.experiments.job.Reason;

/**
 * Client for this user's runs in other processes; the counterpart of {@link RunControl}.
 * Thread-safe.
 */
public final class RunningRuns {
  private static final long TIMEOUT_SECONDS = 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RunFiles files;

  RunningRuns(RunFiles files) {
    this.files = files;
  }

  public static RunningRuns ofUser() {
    return new RunningRuns(RunFiles.ofUser());
  }

  /**
   * @param done true if the run performed the request
   * @param message a sentence: the run's activity, or why it rejected the request
   * @param json the whole response, a line
   */
  public record RunResponse(boolean done, String message, String json) {}

  /**
   * Sends a request to a run and waits for the response.
   *
   * @param run name or ULID
   * @param request as {@link RunControl} accepts it
   * @return empty if no run of that name is running here
   * @throws IOException with a one-sentence message, if the run does not answer
   */
  public Optional<RunResponse> send(String run, String request) throws IOException {
    List<RunFiles.Entry> all = files.all();
    List<RunFiles.Entry> named =
        all.stream().filter(one -> one.id().equals(run) || one.name().equals(run)).toList();
    List<RunFiles.Entry> alive = named.stream().filter(RunFiles.Entry::alive).toList();
    if (alive.size() > 1) {
      throw new IOException(
          alive.size()
              + " runs are called "
              + run
              + "; give one by its id: "
              + String.join(", ", alive.stream().map(RunFiles.Entry::id).toList())
              + ".");
    }
    if (alive.isEmpty() && !named.isEmpty()) {
      removeStale(named);
      throw new IOException(
          "The driver of "
              + run
              + " (process "
              + named.get(0).pid()
              + ") has been killed. 'fedometer stack list' shows processes that it left running,"
              + " 'fedometer report "
              + run
              + "' its results.");
    }
    return alive.isEmpty() ? Optional.empty() : Optional.of(send(alive.get(0), request));
  }

  private void removeStale(List<RunFiles.Entry> dead) {
    for (RunFiles.Entry entry : dead) {
      files.remove(entry.id());
      try {
        Files.deleteIfExists(Path.of(entry.socket()));
      } catch (IOException e) {
        // A useless but harmless file.
      }
    }
  }

  private static RunResponse send(RunFiles.Entry run, String request) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(run.socket()))) {
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  channel.write(ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8)));
                  return RunControl.readLine(channel);
                } catch (IOException e) {
                  throw new IllegalStateException(Reason.of(e), e);
                }
              });
      String line = answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      JsonNode json = JSON.readTree(line);
      return new RunResponse(json.at("/done").asBoolean(), json.at("/message").asText(), line);
    } catch (TimeoutException e) {
      throw doesNotAnswer(run, "no reply within " + TIMEOUT_SECONDS + " s", e);
    } catch (ExecutionException e) {
      throw doesNotAnswer(run, Reason.of(e.getCause()), e);
    } catch (IOException e) {
      throw doesNotAnswer(run, Reason.of(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw doesNotAnswer(run, "interrupted", e);
    }
  }

  private static IOException doesNotAnswer(RunFiles.Entry run, String why, Exception cause) {
    return new IOException(
        "The driver of "
            + run.name()
            + " (process "
            + run.pid()
            + ") does not answer: "
            + why
            + ". It may be about to end.",
        cause);
  }
}
