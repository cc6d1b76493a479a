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
 * Finds the collector of a store, or starts one in a process of its own. Any number of processes
 * may call at once, and one collector comes of it. The collector found or started waits at least a
 * minute for its first source.
 */
public final class BackgroundCollector {
  /** A collector that is going down first seals what is open. */
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private static final int PROBE_TIMEOUT_MILLIS = 3_000;
  private static final long POLL_MILLIS = 50;
  private static final int LOG_LINES_SHOWN = 5;

  private BackgroundCollector() {}

  /**
   * Gives the address of the store's collector, once it answers.
   *
   * @param storeDirectory made if it does not exist
   * @param commandToStartCollector starts a collector of that store on a free port of the loopback
   *     address and stays in the foreground; it is put into a session of its own where {@code
   *     setsid} exists, so that the terminal's signals do not reach it
   * @param token that the collector asks for, or empty
   * @throws IOException one sentence, with the path of the collector's log where one was started;
   *     also where the store's collector asks for another token
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
          // Also where another store's collector has the port that a killed one had.
          return start(store, commandToStartCollector, token, deadlineNanos);
        }
        if (refused != null) {
          throw new IOException(
              "%s; it is that of the store %s: where it asks for a token, give that by --token-file"
                  .formatted(refused.getMessage(), store),
              refused);
        }
        refuseTls(store);
        // It comes up, or it goes down.
        pause(deadlineNanos, "the collector of " + store + " neither answers nor ends");
      }
    } finally {
      startLock.close();
    }
  }

  /**
   * Where a browser finds what the store's collector shows, such as {@code http://127.0.0.1:4712/};
   * empty where none runs, or it answers nobody by HTTP.
   *
   * @param collector where sources connect to: only that one's dashboard is meant
   */
  public static Optional<String> dashboard(Path storeDirectory, InetSocketAddress collector)
      throws IOException {
    return CollectorFile.read(storeDirectory)
        .filter(file -> file.address().equals(collector))
        .map(CollectorFile::http);
  }

  /** Its certificate may be for any name, of which neither this process nor an agent knows. */
  private static void refuseTls(Path store) throws IOException {
    Optional<CollectorFile> file = CollectorFile.read(store);
    if (file.isPresent()
        && file.get().tlsCertificate() != null
        && ProcessHandle.of(file.get().pid()).isPresent()) {
      throw new IOException(
          "The collector of %s takes TLS connections only: name it by --collector HOST:%d and --tls-ca FILE (its certificate is %s)"
              .formatted(store, file.get().port(), file.get().tlsCertificate()));
    }
  }

  /**
   * Where a collector in the background says what it does. The command that starts it is to name
   * this file, too: then it is put aside when it is large, while the collector runs, which may be
   * for months.
   */
  public static Path logOf(Path store) {
    return store.resolve("collector.log");
  }

  private static Path prepare(Path directory) throws IOException {
    try {
      PrivateFiles.createFolders(directory.toAbsolutePath().normalize());
      return directory.toRealPath();
    } catch (IOException e) {
      throw new IOException("The store " + directory + " cannot be made: " + FailureText.of(e), e);
    }
  }

  private static StoreLock awaitStartLock(Path store, long deadlineNanos)
      throws IOException, InterruptedException {
    while (true) {
      Optional<StoreLock> lock = StoreLock.tryLock(store.resolve("collector-start.lock"));
      if (lock.isPresent()) {
        return lock.get();
      }
      pause(deadlineNanos, "another process has been starting the collector of " + store);
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
   * Empty unless the collector that the store's file names answers and is this store's.
   *
   * @throws CollectorRejectedException it does not let us in, and will not
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

  /** Of what this collector has written: the file may have lines of earlier ones. */
  private static String logTail(Path log, long from) {
    try {
      byte[] all = Files.readAllBytes(log);
      // A collector that puts the file aside begins it anew.
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
