package org.fedometer.collector;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.client.CollectorReader;
import org.fedometer.wire.client.CollectorRejectedException;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * Finds the collector of a store, or starts one in a separate process.
 *
 * <p>Concurrent calls of any number of processes yield one collector. It waits at least a minute
 * for its first source.
 */
public final class BackgroundCollector {
  /** Long, since a collector that shuts down first seals open segments. */
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private static final int PROBE_TIMEOUT_MILLIS = 3_000;
  private static final long POLL_MILLIS = 50;
  private static final int LOG_LINES_SHOWN = 5;

  private BackgroundCollector() {}

  /**
   * Returns the address of the store's collector once it answers.
   *
   * @param storeDirectory created if missing
   * @param commandToStartCollector starts a collector of that store on a free loopback port and
   *     stays in the foreground; runs in a new session where {@code setsid} exists, so that
   *     terminal signals do not reach it
   * @param token the collector's token, or empty
   * @throws IOException if no collector answers or it requires another token; the message is one
   *     sentence, with the path of the log of a started collector
   */
  public static InetSocketAddress startOrReuse(
      Path storeDirectory, List<String> commandToStartCollector, String token)
      throws IOException, InterruptedException {
    Path store = prepare(storeDirectory);
    long deadlineNanos = System.nanoTime() + TIMEOUT.toNanos();
    StoreLock startLock = awaitStartLock(store, deadlineNanos);
    try {
      while (true) {
        CollectorRejectedException refused = null;
        try {
          Optional<InetSocketAddress> running = findRunning(store, token);
          if (running.isPresent()) {
            return running.get();
          }
        } catch (CollectorRejectedException e) {
          refused = e;
        }
        if (isFree(store)) {
          // Another store's collector may now own the port of a killed one.
          return start(store, commandToStartCollector, token, deadlineNanos);
        }
        if (refused != null) {
          throw new IOException(
              "%s; it serves the store %s; if it requires a token, give the token by --token-file"
                  .formatted(refused.getMessage(), store),
              refused);
        }
        refuseTls(store);
        // The collector is starting or shutting down.
        pause(deadlineNanos, "the collector of " + store + " neither answers nor stops");
      }
    } finally {
      startLock.close();
    }
  }

  /**
   * Returns the dashboard's URL, such as {@code http://127.0.0.1:4712/}. Empty if no collector runs
   * or it does not serve HTTP.
   *
   * @param collector the address that sources connect to; other collectors are ignored
   */
  public static Optional<String> dashboard(Path storeDirectory, InetSocketAddress collector)
      throws IOException {
    return CollectorFile.read(storeDirectory)
        .filter(file -> file.address().equals(collector))
        .map(CollectorFile::http);
  }

  /**
   * Refuses a TLS collector: its certificate may be for a name that neither this process nor an
   * agent knows.
   */
  private static void refuseTls(Path store) throws IOException {
    Optional<CollectorFile> file = CollectorFile.read(store);
    if (file.isPresent()
        && file.get().tlsCertificate() != null
        && ProcessHandle.of(file.get().pid()).isPresent()) {
      throw new IOException(
          ("The collector of %s accepts only TLS connections; give --collector HOST:%d and"
                  + " --tls-ca FILE (its certificate is %s)")
              .formatted(store, file.get().port(), file.get().tlsCertificate()));
    }
  }

  /**
   * Returns the log file of a background collector.
   *
   * <p>The command that starts the collector must name this file, too. The collector then rotates
   * it when it is large.
   */
  public static Path logOf(Path store) {
    return store.resolve("collector.log");
  }

  private static Path prepare(Path directory) throws IOException {
    try {
      PrivateFiles.createFolders(directory.toAbsolutePath().normalize());
      return directory.toRealPath();
    } catch (IOException e) {
      throw new IOException(
          "The store " + directory + " cannot be created: " + FailureText.of(e), e);
    }
  }

  private static StoreLock awaitStartLock(Path store, long deadlineNanos)
      throws IOException, InterruptedException {
    while (true) {
      Optional<StoreLock> lock = StoreLock.tryLock(store.resolve("collector-start.lock"));
      if (lock.isPresent()) {
        return lock.get();
      }
      pause(deadlineNanos, "another process is still starting the collector of " + store);
    }
  }

  private static boolean isFree(Path store) throws IOException {
    Optional<StoreLock> lock = StoreLock.tryLock(StoreLock.ofCollector(store));
    if (lock.isPresent()) {
      lock.get().close();
    }
    return lock.isPresent();
  }

  /**
   * Returns the collector that the store's file names, or empty if it does not answer or serves
   * another store.
   *
   * @throws CollectorRejectedException if it rejects this process permanently
   */
  private static Optional<InetSocketAddress> findRunning(Path store, String token)
      throws IOException {
    Optional<CollectorFile> file = CollectorFile.read(store);
    if (file.isEmpty() || file.get().tlsCertificate() != null) {
      return Optional.empty();
    }
    InetSocketAddress address = file.get().address();
    try {
      boolean ofThisStore =
          CollectorReader.probe(file.get().host(), file.get().port(), token, PROBE_TIMEOUT_MILLIS)
              .storeDirectory()
              .equals(store.toString());
      return ofThisStore ? Optional.of(address) : Optional.empty();
    } catch (CollectorRejectedException e) {
      if (!e.isTemporary()) {
        throw e;
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static InetSocketAddress start(
      Path store, List<String> commandToStartCollector, String token, long deadlineNanos)
      throws IOException, InterruptedException {
    CollectorFile.delete(store);
    Path log = logOf(store);
    long logBegins = Files.exists(log) ? Files.size(log) : 0;
    PrivateFiles.createFile(log);
    List<String> command = new ArrayList<>();
    setsid().ifPresent(path -> command.add(path.toString()));
    command.addAll(commandToStartCollector);
    Process process =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .redirectErrorStream(true)
            .start();
    try {
      return awaitReady(store, token, process, log, logBegins, deadlineNanos);
    } catch (IOException | InterruptedException | RuntimeException e) {
      process.destroy();
      throw e;
    }
  }

  private static InetSocketAddress awaitReady(
      Path store, String token, Process process, Path log, long logBegins, long deadlineNanos)
      throws IOException, InterruptedException {
    while (true) {
      Optional<InetSocketAddress> running = findRunning(store, token);
      if (running.isPresent()) {
        return running.get();
      }
      if (!process.isAlive()) {
        throw new IOException(
            "The collector ended at once with exit code "
                + process.exitValue()
                + logTail(log, logBegins)
                + "; its log is "
                + log);
      }
      pause(deadlineNanos, "the collector does not answer; its log is " + log);
    }
  }

  private static Optional<Path> setsid() {
    return List.of("/usr/bin/setsid", "/bin/setsid").stream()
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Returns the last lines that this collector wrote; the file may have lines of earlier ones. */
  private static String logTail(Path log, long from) {
    try {
      byte[] all = Files.readAllBytes(log);
      // The collector has rotated the file.
      int begin = from <= all.length ? (int) from : 0;
      List<String> lines =
          new String(all, begin, all.length - begin, StandardCharsets.UTF_8)
              .strip()
              .lines()
              .toList();
      List<String> last = lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size());
      return last.isEmpty() ? "" : ": " + String.join(" | ", last);
    } catch (IOException e) {
      return "";
    }
  }

  private static void pause(long deadlineNanos, String otherwise)
      throws IOException, InterruptedException {
    if (System.nanoTime() - deadlineNanos >= 0) {
      throw new IOException("Gave up after " + TIMEOUT.toSeconds() + " s: " + otherwise);
    }
    Thread.sleep(POLL_MILLIS);
  }
}
