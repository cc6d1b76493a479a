package org.fedometer.experiments.record;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.fedometer.driver.Controllable;
import org.fedometer.driver.IngestProgress;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.load.ProgressPanel;
import org.fedometer.experiments.threads.DaemonThreads;
import org.fedometer.wire.Counted;

/**
 * Control socket of a run: other processes of the same user pause, resume, change and stop it by a
 * Unix domain socket in a private folder. A request is a line of text, its response a line of JSON.
 * Thread-safe. {@link RunningRuns} is the client.
 *
 * <p>No run fails without it: if there can be no socket, {@link #problem} explains it.
 */
public final class RunControl implements AutoCloseable {

  /** The kernel's limit is 108 bytes, including a final zero. */
  private static final int MAX_PATH_BYTES = 100;

  private static final int MAX_REQUEST_BYTES = 1024;
  private static final Duration ACCEPT_RETRY_INTERVAL = Duration.ofMillis(200);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String id;
  private final String name;
  private final Runnable stop;
  private final RunFiles files;
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private ServerSocketChannel server;
  private Path fallbackFolder;
  private String problem;

  /** True if the socket is this one's, not another process's of the run. */
  private boolean bound;

  private volatile Controllable load;
  private volatile boolean stopping;
  private volatile boolean closed;

  private RunControl(String id, String name, Runnable stop, RunFiles files) {
    this.id = id;
    this.name = name;
    this.stop = stop;
    this.files = files;
  }

  /**
   * Starts to listen.
   *
   * @param id ULID of the run
   * @param stop ends the run cleanly in any state; called by any thread, possibly twice
   */
  public static RunControl open(String id, String name, Runnable stop) {
    return open(id, name, stop, RunFiles.ofUser());
  }

  static RunControl open(String id, String name, Runnable stop, RunFiles files) {
    RunControl control =
        new RunControl(
            Objects.requireNonNull(id, "id"),
            Objects.requireNonNull(name, "name"),
            Objects.requireNonNull(stop, "stop"),
            files);
    try {
      control.listen();
    } catch (IOException | RuntimeException e) {
      control.problem =
          "This run cannot be paused or changed from another terminal: " + Reason.of(e);
      control.close();
    }
    return control;
  }

  private void listen() throws IOException {
    Path socket = files.folder().resolve(id + ".sock");
    if (socket.toString().getBytes(StandardCharsets.UTF_8).length > MAX_PATH_BYTES) {
      fallbackFolder =
          Files.createTempDirectory(
              "fedometer-",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      socket = fallbackFolder.resolve("run.sock");
    }
    deleteIfStale(socket);
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    bound = true;
    files.write(new RunFiles.Entry(id, name, ProcessHandle.current().pid(), socket.toString()));
    DaemonThreads.newThread("fedometer-run-control", this::accept).start();
  }

  /** Deletes the socket of a killed process of this run. */
  private static void deleteIfStale(Path socket) throws IOException {
    if (!Files.exists(socket)) {
      return;
    }
    try {
      SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
    } catch (IOException refused) {
      Files.deleteIfExists(socket);
    }
  }

  /** Returns why it is unreachable, a sentence, or null. */
  public String problem() {
    return problem;
  }

  public void loadBegins(Controllable begun) {
    load = Objects.requireNonNull(begun, "begun");
  }

  public void loadEnds() {
    load = null;
  }

  private void accept() {
    while (!closed) {
      try {
        SocketChannel channel = server.accept();
        open.add(channel);
        DaemonThreads.newThread("fedometer-run-control-answer", () -> serve(channel)).start();
      } catch (IOException e) {
        if (!server.isOpen()) {
          return;
        }
        // A temporary failure, such as too many open files, must not end the control of a run of
        // weeks.
        LockSupport.parkNanos(ACCEPT_RETRY_INTERVAL.toNanos());
      }
    }
  }

  private void serve(SocketChannel channel) {
    try (channel) {
      String request = readLine(channel);
      byte[] answer = (answer(request) + "\n").getBytes(StandardCharsets.UTF_8);
      ByteBuffer buffer = ByteBuffer.wrap(answer);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException e) {
      // The client has gone, or the run has ended.
    } finally {
      open.remove(channel);
    }
  }

  static String readLine(SocketChannel channel) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    ByteBuffer one = ByteBuffer.allocate(256);
    while (line.size() <= 64 * MAX_REQUEST_BYTES) {
      one.clear();
      if (channel.read(one) < 0) {
        break;
      }
      for (int i = 0; i < one.position(); i++) {
        if (one.get(i) == '\n') {
          return line.toString(StandardCharsets.UTF_8);
        }
        line.write(one.get(i));
      }
    }
    throw new IOException("the message broke off after " + line.size() + " bytes");
  }

  private String answer(String request) throws IOException {
    String refusal = null;
    try {
      execute(request.strip());
    } catch (IllegalArgumentException | IllegalStateException e) {
      refusal = e.getMessage();
    }
    ObjectNode answer = JSON.createObjectNode();
    answer.put("done", refusal == null);
    answer.put("id", id);
    answer.put("run", name);
    answer.put("message", refusal == null ? statusText() : refusal);
    Controllable present = load;
    if (present == null) {
      answer.putNull("load");
    } else {
      describe(present.progress(), answer.putObject("load"));
    }
    return JSON.writeValueAsString(answer);
  }

  private void execute(String request) {
    if (request.length() > MAX_REQUEST_BYTES) {
      throw new IllegalArgumentException("The request is too long.");
    }
    String[] arguments = request.split(" ");
    switch (arguments[0]) {
      case "status" -> {}
      case "stop" -> {
        stopping = true;
        stop.run();
      }
      case "pause" -> loading().pause();
      case "resume" -> loading().resume();
      case "load" -> loading().change(change(arguments));
      default -> throw new IllegalArgumentException("No such request: " + arguments[0]);
    }
  }

  private Controllable loading() {
    Controllable present = load;
    if (present == null) {
      throw new IllegalStateException(
          stopping ? "The run " + name + " is ending." : "The run " + notLoadingText());
    }
    return present;
  }

  private String notLoadingText() {
    return name + " is starting, draining or verifying; only 'load stop' works now.";
  }

  private static Controllable.Change change(String[] arguments) {
    Integer workers = null;
    Double rate = null;
    boolean closedModel = false;
    for (int i = 1; i < arguments.length; i++) {
      String value = arguments[i].substring(arguments[i].indexOf('=') + 1);
      if (arguments[i].startsWith("workers=")) {
        workers = Integer.valueOf(value);
      } else if (arguments[i].startsWith("rate=")) {
        rate = Double.valueOf(value);
      } else if (arguments[i].equals("closed")) {
        closedModel = true;
      } else {
        throw new IllegalArgumentException("No such change: " + arguments[i]);
      }
    }
    return new Controllable.Change(workers, rate, closedModel);
  }

  /** Returns the run's activity, in a sentence. */
  private String statusText() {
    Controllable present = load;
    if (present == null) {
      return stopping ? name + " is ending." : notLoadingText();
    }
    IngestProgress progress = present.progress();
    String load =
        progress.load().ratePerSecond() == null
            ? " in a closed model"
            : " at " + progress.load().ratePerSecond() + " objects per second";
    return name
        + (progress.load().stopping() || stopping
            ? " is ending"
            : progress.load().paused()
                ? " is paused"
                : " loads with " + Counted.of(progress.load().workers(), "worker") + load)
        + ": "
        + ProgressPanel.status(progress, null)
        + ".";
  }

  private static void describe(IngestProgress progress, ObjectNode load) {
    load.put("paused", progress.load().paused());
    load.put("ending", progress.load().stopping());
    load.put("workers", progress.load().workers());
    load.put("ratePerSecond", progress.load().ratePerSecond());
    load.put("ingested", progress.objects().ingested());
    load.put("failed", progress.objects().failed());
    load.put("objects", progress.objects().endLoad() ? (Long) progress.objects().total() : null);
    load.put("objectsPerSecond", progress.rates().recentObjectsPerSecond());
    load.put("failedRequests", progress.failedRequests());
    load.put("etaSeconds", progress.etaSeconds() < 0 ? null : (Long) progress.etaSeconds());
  }

  /** Closes and removes the socket. */
  @Override
  public void close() {
    closed = true;
    try {
      if (bound) {
        files.remove(id);
      }
      if (server != null) {
        server.close();
      }
      for (SocketChannel channel : open) {
        channel.close();
      }
      if (bound) {
        Files.deleteIfExists(files.folder().resolve(id + ".sock"));
      }
      if (fallbackFolder != null) {
        Files.deleteIfExists(fallbackFolder.resolve("run.sock"));
        Files.deleteIfExists(fallbackFolder);
      }
    } catch (IOException e) {
      // A remaining socket file is removed by the next reader.
    }
  }
}
