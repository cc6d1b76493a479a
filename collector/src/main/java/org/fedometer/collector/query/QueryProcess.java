package org.fedometer.collector.query;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.query.QueryException;
import org.fedometer.wire.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes queries in a separate process ({@link QueryWorker}), in order. The kernel enforces its
 * memory limit, including what DuckDB allocates beyond its own. The process yields the CPU to the
 * collector and is the first to be killed if the machine runs out of memory. One thread executes;
 * any thread kills it.
 *
 * <pre>{@code
 * QueryProcess process = QueryProcess.start(store, spill, limits);
 * process.execute("{\"sql\": \"SELECT 42\"}", piece -> send(piece));
 * }</pre>
 */
final class QueryProcess implements AutoCloseable {
  /** Frames: one byte of type, four of length, then content. */
  static final int READY = 'R';

  static final int MORE = 'M';
  static final int LAST = 'L';
  static final int FAILED = 'F';

  /** As FAILED, for unexpected errors: standard error has the stack trace. */
  static final int BROKEN = 'B';

  static final int PIECE_BYTES = 64 * 1024;

  /** Content of FAILED if the JVM ran out of memory. */
  static final String NO_MEMORY = "no memory";

  /** Resident memory that the kernel does not count as data: code and constants of libraries. */
  private static final long FILE_BYTES = 80L << 20;

  private static final long EXIT_TIMEOUT_SECONDS = 10;
  private static final int REASON_CHARACTERS = 2_000;

  /** Last messages of a JVM, of DuckDB and of the C and C++ libraries. */
  private static final Pattern OUT_OF_MEMORY =
      Pattern.compile(
          "OutOfMemoryError|bad_alloc|insufficient memory|errno=12|cannot allocate memory",
          Pattern.CASE_INSENSITIVE);

  /** Exit code after {@code abort}. */
  private static final int ABORTED = 128 + 6;

  /**
   * Variables that change a JVM's output and behavior, and a secret that statements must not see.
   */
  private static final List<String> REMOVED_VARIABLES =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "FEDOMETER_TOKEN");

  private static final Logger LOG = LoggerFactory.getLogger(QueryProcess.class);

  /** Limits private writable memory (Linux 4.7 and newer). A lower limit already in force stays. */
  private static final String LIMITED_COMMAND =
      "ulimit -c 0; ulimit -d %d 2>/dev/null || [ \"$(ulimit -d)\" != unlimited ] || exit 1; "
          + "echo 1000 2>/dev/null >/proc/self/oom_score_adj; exec nice -n 5 \"$0\" \"$@\"";

  private final Process process;
  private final DataInputStream in;
  private final Path folder;
  private final long memoryBytes;

  private boolean ready;
  private volatile boolean killed;

  private long idleSinceNanos;

  private QueryProcess(Process process, Path folder, long memoryBytes) {
    this.process = process;
    this.in = new DataInputStream(new BufferedInputStream(process.getInputStream(), PIECE_BYTES));
    this.folder = folder;
    this.memoryBytes = memoryBytes;
  }

  /** Creates a spill folder in {@code spill}. */
  static QueryProcess start(Path store, Path spill, QueryServiceLimits limits) throws IOException {
    Path folder = Files.createTempDirectory(spill, "process-");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command(store, folder, limits)).redirectError(errors(folder).toFile());
      builder.environment().keySet().removeAll(REMOVED_VARIABLES);
      // Per-thread pools would keep freed memory.
      builder.environment().put("MALLOC_ARENA_MAX", "2");
      return new QueryProcess(builder.start(), folder, limits.memoryBytes());
    } catch (IOException e) {
      RunDeletion.delete(folder);
      throw new IOException(
          "The collector cannot start a query process (" + e.getMessage() + ")", e);
    }
  }

  private static List<String> command(Path store, Path folder, QueryServiceLimits limits) {
    long dataBytes = limits.memoryBytes() - FILE_BYTES;
    List<String> command = new ArrayList<>();
    command.addAll(List.of("/bin/sh", "-c", LIMITED_COMMAND.formatted(dataBytes >> 10)));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xms16m",
            "-Xmx" + limits.memoryBytes() / 4,
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            // Running out of memory is no reason for a crash report.
            "-XX:-CreateCoredumpOnCrash",
            "-XX:+SuppressFatalErrorMessage",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + folder,
            "-cp",
            System.getProperty("java.class.path"),
            QueryWorker.class.getName(),
            store.toAbsolutePath().toString(),
            folder.toString(),
            // With more, statements would reach the kernel's limit before they spill.
            Long.toString(limits.memoryBytes() / 2),
            Long.toString(limits.spillBytes())));
    return command;
  }

  private void awaitReady() throws IOException, InterruptedException {
    int type = in.read();
    if (type != READY || in.readInt() != 0) {
      throw new IOException("The query process did not start: " + awaitExit());
    }
    ready = true;
  }

  /**
   * @param line JSON without a line break: {@code run}, {@code sql}, {@code parameters}
   * @throws QueryException if the statement fails; the message is one sentence
   * @throws IOException if the process has exited without a result; the message is one sentence
   */
  void execute(String line, Sink sink) throws QueryException, IOException, InterruptedException {
    if (!ready) {
      awaitReady();
    }
    boolean began = false;
    try {
      OutputStream out = process.getOutputStream();
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      while (true) {
        int type = in.readUnsignedByte();
        int length = in.readInt();
        if (length < 0 || length > PIECE_BYTES) {
          // The JVM's last message.
          throw new EOFException();
        }
        byte[] content = new byte[length];
        in.readFully(content);
        switch (type) {
          case MORE -> {
            began = true;
            sink.accept(content);
          }
          case LAST -> {
            idleSinceNanos = System.nanoTime();
            return;
          }
          case FAILED -> throw failed(new String(content, StandardCharsets.UTF_8));
          case BROKEN -> {
            LOG.error("A query failed: {}", errors());
            throw failed(new String(content, StandardCharsets.UTF_8));
          }
          default -> throw new EOFException();
        }
      }
    } catch (IOException e) {
      if (killed) {
        throw new QueryException("the query was abandoned", e);
      }
      Exit exit = awaitExit();
      LOG.warn("A query process ended during a query: {}", exit);
      if (exit.isOutOfMemory()) {
        throw new QueryException(outOfMemoryMessage(), e);
      }
      String sentence = "The query process has ended (" + exit.code() + ")";
      if (began) {
        throw new QueryException(sentence, e);
      }
      throw new IOException(sentence, e);
    }
  }

  private QueryException failed(String reason) {
    return new QueryException(reason.equals(NO_MEMORY) ? outOfMemoryMessage() : reason);
  }

  private String outOfMemoryMessage() {
    return ("The statement needs more than its limit of %d MiB of memory, results and values"
            + " included; query less at a time, by a condition, fewer columns or a LIMIT")
        .formatted(memoryBytes >> 20);
  }

  /**
   * @param exitCode -1 if it has not exited yet
   * @param output its last output; possibly empty
   */
  private record Exit(int exitCode, String output) {
    String code() {
      return "exit code " + (exitCode < 0 ? "unknown" : exitCode);
    }

    /**
     * Returns whether it ran out of memory. A crashed JVM is configured to print nothing, and exits
     * with code 1.
     */
    boolean isOutOfMemory() {
      return exitCode == ABORTED
          || exitCode == 1 && output.isEmpty()
          || OUT_OF_MEMORY.matcher(output).find();
    }

    @Override
    public String toString() {
      return output.isEmpty() ? code() : code() + ", " + output;
    }
  }

  private Exit awaitExit() throws InterruptedException {
    if (!process.waitFor(EXIT_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor(EXIT_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
    if (process.isAlive()) {
      return new Exit(-1, errors());
    }
    String output = errors();
    try {
      byte[] rest = in.readNBytes(REASON_CHARACTERS);
      output = (output + " " + new String(rest, StandardCharsets.UTF_8)).strip();
    } catch (IOException e) {
      // Its other output is all there is.
    }
    return new Exit(process.exitValue(), output);
  }

  private String errors() {
    try {
      String errors = Files.readString(errors(folder)).strip();
      return errors.substring(0, Math.min(errors.length(), REASON_CHARACTERS));
    } catch (IOException e) {
      return FailureText.of(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long idleNanos() {
    return System.nanoTime() - idleSinceNanos;
  }

  /** Kills the process and its current statement; any thread. */
  void kill() {
    killed = true;
    process.destroyForcibly();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
    process.waitFor(EXIT_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    try {
      RunDeletion.delete(folder);
    } catch (IOException e) {
      LOG.warn("Cannot delete {}: {}", folder, FailureText.of(e));
    }
  }

  private static Path errors(Path folder) {
    return folder.resolve("errors.txt");
  }

  @FunctionalInterface
  interface Sink {
    void accept(byte[] piece) throws QueryException, InterruptedException;
  }
}
