package org.fedometer.profiles.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts a port of this machine behind a network that needs some time: every packet of either
 * direction arrives so much later, while others are under way. Threads of its own, a few for each
 * connection.
 */
final class DelayingProxy implements AutoCloseable {

  private static final int MAX_PACKET_BYTES = 64 * 1024;

  private final ServerSocket entrance;
  private final int target;
  private final long delayNanos;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong packets = new AtomicLong();
  private final AtomicLong shortestNanos = new AtomicLong(Long.MAX_VALUE);

  /** An empty one is the end. */
  private record Packet(byte[] bytes, long readNanos) {}

  private DelayingProxy(ServerSocket entrance, int target, long delayNanos) {
    this.entrance = entrance;
    this.target = target;
    this.delayNanos = delayNanos;
  }

  /** Opens a free port that leads to another one. */
  static DelayingProxy before(int port, Duration delay) throws IOException {
    ServerSocket entrance = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    DelayingProxy proxy = new DelayingProxy(entrance, port, delay.toNanos());
    start(proxy::accept);
    return proxy;
  }

  int port() {
    return entrance.getLocalPort();
  }

  /** How many there have been. */
  int connections() {
    return connections.get();
  }

  /** How many have been carried, in both directions. */
  long packets() {
    return packets.get();
  }

  /** For how long that packet was held that was held for the shortest time. */
  Duration shortestDelay() {
    return Duration.ofNanos(shortestNanos.get());
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = entrance.accept();
      connections.incrementAndGet();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      for (Socket socket : Set.of(client, server)) {
        socket.setTcpNoDelay(true);
        sockets.add(socket);
      }
      carry(client, server);
      carry(server, client);
    }
  }

  private void carry(Socket from, Socket to) {
    LinkedBlockingQueue<Packet> underWay = new LinkedBlockingQueue<>();
    start(
        () -> {
          InputStream in = from.getInputStream();
          byte[] buffer = new byte[MAX_PACKET_BYTES];
          int length;
          do {
            length = read(in, buffer);
            byte[] bytes = Arrays.copyOf(buffer, Math.max(length, 0));
            underWay.add(new Packet(bytes, System.nanoTime()));
          } while (length >= 0);
        });
    start(
        () -> {
          try (from;
              to) {
            OutputStream out = to.getOutputStream();
            for (Packet next = underWay.take(); next.bytes().length > 0; next = underWay.take()) {
              TimeUnit.NANOSECONDS.sleep(next.readNanos() + delayNanos - System.nanoTime());
              long heldNanos = System.nanoTime() - next.readNanos();
              shortestNanos.accumulateAndGet(heldNanos, Math::min);
              out.write(next.bytes());
              packets.incrementAndGet();
            }
          } finally {
            sockets.remove(from);
            sockets.remove(to);
          }
        });
  }

  private static int read(InputStream in, byte[] buffer) {
    try {
      return in.read(buffer);
    } catch (IOException e) {
      return -1;
    }
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // A side has closed its connection, or the proxy is closed: nothing to carry on.
                return;
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "delaying-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
