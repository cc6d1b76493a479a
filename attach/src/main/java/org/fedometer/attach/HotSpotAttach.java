package org.fedometer.attach;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * HotSpot's attach protocol, version 1, which every HotSpot since Java 5 supports. Does the same as
 * {@code jdk.attach}, but bounds every wait and works without that module. See
 * docs/decisions/0002-attach-and-weaving.md.
 *
 * <p>A JVM listens on {@code /tmp/.java_pidN} of its own file system after the first request: a
 * file {@code .attach_pidN} in its working folder or in {@code /tmp}, and a SIGQUIT. One connection
 * accepts one command. One thread uses an instance.
 */
final class HotSpotAttach implements AutoCloseable {
  /** The JVM disconnects on longer ones. */
  static final int MAX_ARGUMENT_BYTES = 1024;

  private static final Path TMP = Path.of("/tmp");
  private static final long POLL_MILLIS = 20;
  private static final int MAX_ANSWER_BYTES = 64 * 1024;
  private static final String AGENT_CODE = "return code:";

  private final ProcessFiles process;
  private final SocketChannel channel;

  private HotSpotAttach(ProcessFiles process, SocketChannel channel) {
    this.process = process;
    this.channel = channel;
  }

  /**
   * Connects, after making the JVM listen if necessary.
   *
   * @throws AttachException if it did not listen in time, or denied access
   */
  static HotSpotAttach connect(ProcessFiles process, Duration timeout)
      throws AttachException, InterruptedException {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    Path socket = temporary(process).resolve(".java_pid" + process.innerPid());
    SocketChannel channel = tryConnect(process, socket, deadlineNanos);
    if (channel == null) {
      channel = requestListening(process, socket, deadlineNanos, timeout);
    }
    return new HotSpotAttach(process, channel);
  }

  static boolean fits(Path jar, String arguments) {
    return bytesOf(jar, arguments) <= MAX_ARGUMENT_BYTES;
  }

  private static int bytesOf(Path jar, String arguments) {
    return (jar + "=" + arguments).getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Loads a Java agent; returns when its {@code agentmain} has.
   *
   * @throws AttachException if the JVM refused, the jar is no agent, or the agent failed
   */
  void loadAgent(Path jar, String arguments) throws AttachException {
    String agent = jar + "=" + arguments;
    int bytes = bytesOf(jar, arguments);
    if (bytes > MAX_ARGUMENT_BYTES) {
      throw new AttachException(
          "the agent's path and options have "
              + bytes
              + " bytes, but a JVM accepts at most "
              + MAX_ARGUMENT_BYTES
              + "; give shorter paths and names");
    }
    String answer;
    try {
      write("1\0load\0instrument\0false\0" + agent + "\0");
      answer = readAll();
    } catch (IOException e) {
      throw new AttachException(
          "the JVM of process " + process.pid() + " has closed the connection: " + e.getMessage(),
          e);
    }
    check(answer, jar);
  }

  /**
   * Returns the output of {@code jcmd VM.flags}.
   *
   * @throws IOException if the JVM refused or disconnected
   */
  String flags() throws IOException {
    write("1\0jcmd\0VM.flags\0\0\0");
    String[] parts = readAll().split("\n", 2);
    if (parts.length < 2 || !parts[0].strip().equals("0")) {
      throw new IOException("the JVM of process " + process.pid() + " does not report its flags");
    }
    return parts[1];
  }

  /** Ends a {@link #loadAgent} that waits in another thread; the JVM continues it. */
  @Override
  public void close() {
    closeQuietly(channel);
  }

  private void check(String answer, Path jar) throws AttachException {
    if (answer.contains("EnableDynamicAgentLoading") || answer.contains("not enabled")) {
      throw AttachChecks.dynamicLoading(process.pid()).exception();
    }
    String[] parts = answer.strip().split("\n", 2);
    String status = parts[0].strip();
    String rest = parts.length < 2 ? "" : parts[1].strip();
    // Java 8 sends only the agent's code, later ones text before it.
    String code = rest.startsWith(AGENT_CODE) ? rest.substring(AGENT_CODE.length()).strip() : rest;
    if (status.equals("0") && (code.equals("0") || code.isEmpty())) {
      return;
    }
    String failure;
    if (answer.isEmpty()) {
      failure = "it closed the connection without an answer, as a JVM does for another user";
    } else if (status.equals("101")) {
      failure = "it speaks another attach protocol";
    } else if (code.equals("100")) {
      failure = "it cannot use the agent's jar " + jar;
    } else if (code.equals("102")) {
      failure = "the agent failed; see that JVM's standard error";
    } else {
      failure = "it answered '" + answer.strip().replaceAll("\\s+", " ") + "'";
    }
    throw new AttachException(
        "the JVM of process " + process.pid() + " did not accept the agent: " + failure);
  }

  /** Returns the folder that the JVM uses regardless of its settings. */
  private static Path temporary(ProcessFiles process) {
    Path seen = process.asSeenByProcess(TMP);
    return Files.isDirectory(seen) ? seen : TMP;
  }

  private static SocketChannel requestListening(
      ProcessFiles process, Path socket, long deadlineNanos, Duration timeout)
      throws AttachException, InterruptedException {
    while (!process.handlesSigquit()) {
      // It is still starting, or runs with -Xrs, so that the signal would end it.
      pause(process, deadlineNanos, timeout);
    }
    Path request = request(process);
    try {
      sendSigquit(process.pid());
      while (true) {
        SocketChannel channel = tryConnect(process, socket, deadlineNanos);
        if (channel != null) {
          return channel;
        }
        pause(process, deadlineNanos, timeout);
      }
    } finally {
      deleteQuietly(request);
    }
  }

  private static void pause(ProcessFiles process, long deadlineNanos, Duration timeout)
      throws AttachException, InterruptedException {
    if (!process.exists()) {
      throw new AttachException("process " + process.pid() + " has ended");
    }
    if (System.nanoTime() - deadlineNanos >= 0) {
      throw AttachChecks.noResponse(process.pid(), timeout);
    }
    Thread.sleep(POLL_MILLIS);
  }

  /** Creates the file by which a JVM distinguishes the signal from a thread dump request. */
  private static Path request(ProcessFiles process) throws AttachException {
    String name = ".attach_pid" + process.innerPid();
    try {
      return create(process.workingDirectory().resolve(name));
    } catch (IOException notThere) {
      Path file = temporary(process).resolve(name);
      try {
        return create(file);
      } catch (IOException e) {
        throw new AttachException(
            "neither the working folder of process "
                + process.pid()
                + " nor "
                + file.getParent()
                + " is writable; one must be, so that the JVM can be asked to listen",
            e);
      }
    }
  }

  private static Path create(Path file) throws IOException {
    Files.deleteIfExists(file);
    return Files.createFile(file);
  }

  /** Java has no API to send this signal. */
  private static void sendSigquit(long pid) throws AttachException, InterruptedException {
    try {
      Process kill =
          new ProcessBuilder("/bin/sh", "-c", "kill -QUIT " + pid)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (kill.waitFor() != 0) {
        throw new AttachException("cannot send a signal to process " + pid);
      }
    } catch (IOException e) {
      throw new AttachException(
          "cannot send a signal to process " + pid + ": " + e.getMessage(), e);
    }
  }

  /** Returns null if no JVM listens. */
  private static SocketChannel tryConnect(ProcessFiles process, Path socket, long deadlineNanos)
      throws AttachException, InterruptedException {
    if (!Files.exists(socket)) {
      return null;
    }
    SocketChannel channel;
    try {
      // Any user can create files in /tmp.
      if (((Integer) Files.getAttribute(socket, "unix:uid")).longValue() != process.user()) {
        throw new AttachException(
            socket
                + " does not belong to the user of process "
                + process.pid()
                + "; it may be the socket of a JVM in another container; if there is none, delete"
                + " it and try again");
      }
      channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    } catch (AttachException e) {
      throw e;
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new AttachException("cannot create a socket: " + e.getMessage(), e);
    }
    // It blocks if others already wait for a JVM that accepts none.
    FutureTask<Boolean> connecting =
        new FutureTask<>(() -> channel.connect(UnixDomainSocketAddress.of(socket)));
    DaemonThreads.daemon("fedometer-attach-connect", connecting).start();
    try {
      connecting.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
      return channel;
    } catch (ExecutionException | TimeoutException e) {
      // A file left by a dead JVM, or a listener that accepts no connection.
      closeQuietly(channel);
      return null;
    } catch (InterruptedException e) {
      closeQuietly(channel);
      throw e;
    }
  }

  private void write(String command) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(command.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private String readAll() throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(4096);
    while (channel.read(buffer) >= 0 && answer.size() < MAX_ANSWER_BYTES) {
      answer.write(buffer.array(), 0, buffer.position());
      buffer.clear();
    }
    return answer.toString(StandardCharsets.UTF_8);
  }

  private static void closeQuietly(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // The connection is no longer used.
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // A leftover empty file is harmless.
    }
  }
}
