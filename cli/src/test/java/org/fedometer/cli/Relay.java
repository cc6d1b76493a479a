package org.fedometer.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A slow or narrow relay to a loopback port: data arrives late, or at a limited rate. A separate
 * program, since it may have to run in a {@link Network}; it ends with its standard input.
 *
 * <p>Its argument is the target port. The first line of standard output is the free port it listens
 * at. Each line of standard input has three numbers that apply from then on: the delay per
 * direction in milliseconds; the bytes per second of each direction of each connection, 0 for no
 * limit; and the number of responses to lose, each with its connection. The reply is a line: {@code
 * ready}, and the number of pieces delayed so far.
 */
final class Relay {
  /** The standard of Java's sockets. */
  private static final int BACKLOG = 50;

  private static final int CHUNK_BYTES = 8 * 1024;

  /** Under way in one direction; the sender waits when it is full. */
  private static final int CHUNKS = 64;

  private static final byte[] END = new byte[0];

  private static volatile long delayNanos;
  private static volatile long bytesPerSecond;
  private static final AtomicInteger RESPONSES_TO_DROP = new AtomicInteger();
  private static final AtomicLong DELAYED = new AtomicLong();

  private record Chunk(byte[] bytes, long arrivedNanos) {}

  private Relay() {}

  public static void main(String[] arguments) throws IOException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    ServerSocket server = new ServerSocket(0, BACKLOG, loopback);
    int target = Integer.parseInt(arguments[0]);
    start(
        () -> {
          while (true) {
            connect(server.accept(), loopback, target);
          }
        });
    System.out.println(server.getLocalPort());
    printReady();
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      String[] numbers = command.split(" ");
      delayNanos = Long.parseLong(numbers[0]) * 1_000_000;
      bytesPerSecond = Long.parseLong(numbers[1]);
      RESPONSES_TO_DROP.set(Integer.parseInt(numbers[2]));
      printReady();
    }
    System.exit(0);
  }

  private static void printReady() {
    System.out.println("ready " + DELAYED);
  }

  private static void connect(Socket from, InetAddress loopback, int target) throws IOException {
    Socket to;
    try {
      to = new Socket(loopback, target);
    } catch (IOException e) {
      from.close();
      return;
    }
    from.setTcpNoDelay(true);
    to.setTcpNoDelay(true);
    forward(from, to, false);
    forward(to, from, true);
  }

  private static void forward(Socket from, Socket to, boolean responses) {
    BlockingQueue<Chunk> queue = new ArrayBlockingQueue<>(CHUNKS);
    start(() -> receive(from, queue, responses));
    start(() -> transmit(queue, from, to));
  }

  private static void receive(Socket from, BlockingQueue<Chunk> queue, boolean responses)
      throws Exception {
    try (InputStream in = from.getInputStream()) {
      byte[] bytes = new byte[CHUNK_BYTES];
      for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
        if (responses && RESPONSES_TO_DROP.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          return;
        }
        byte[] chunk = new byte[length];
        System.arraycopy(bytes, 0, chunk, 0, length);
        queue.put(new Chunk(chunk, System.nanoTime()));
      }
    } finally {
      queue.put(new Chunk(END, System.nanoTime()));
    }
  }

  private static void transmit(BlockingQueue<Chunk> queue, Socket from, Socket to)
      throws Exception {
    try (OutputStream out = to.getOutputStream()) {
      while (true) {
        Chunk chunk = queue.take();
        long delay = delayNanos;
        waitUntil(chunk.arrivedNanos() + delay);
        if (chunk.bytes() == END) {
          return;
        }
        long perSecond = bytesPerSecond;
        if (delay > 0 || perSecond > 0) {
          DELAYED.incrementAndGet();
        }
        out.write(chunk.bytes());
        if (perSecond > 0) {
          waitUntil(System.nanoTime() + chunk.bytes().length * 1_000_000_000L / perSecond);
        }
      }
    } finally {
      // A writer to the relay would otherwise block forever.
      from.close();
      while (queue.take().bytes() != END) {}
    }
  }

  private static void waitUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private interface Task {
    void run() throws Exception;
  }

  private static void start(Task work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Exception e) {
                // The connection has ended; both sides see it.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}
