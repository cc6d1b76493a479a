package org.fedometer.benchmarks.log4j2;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What a stock SocketAppender has written to its socket, to be sent again as often as wanted. */
final class RecordedEvents {
  private static final int BACKLOG = 1;

  private final byte[] stream;
  private final int events;

  private RecordedEvents(byte[] stream, int events) {
    this.stream = stream;
    this.events = events;
  }

  /** A program that logs to a port of this host until it has logged all. */
  interface Sender {
    void logTo(int port) throws IOException, InterruptedException;
  }

  static RecordedEvents of(Sender sender, int events) throws IOException, InterruptedException {
    ExecutorService reading = Executors.newSingleThreadExecutor();
    try (ServerSocket server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
      Future<byte[]> stream = reading.submit(() -> readAll(server));
      sender.logTo(server.getLocalPort());
      return new RecordedEvents(stream.get(), events);
    } catch (ExecutionException e) {
      throw new IOException("What the appender wrote could not be read", e);
    } finally {
      reading.shutdownNow();
    }
  }

  private static byte[] readAll(ServerSocket server) throws IOException {
    try (Socket socket = server.accept();
        InputStream in = socket.getInputStream()) {
      return in.readAllBytes();
    }
  }

  int events() {
    return events;
  }

  double bytesPerEvent() {
    return (double) stream.length / events;
  }

  /**
   * Sends the stream over each of some connections, one after another on each as often as asked,
   * and hangs up.
   *
   * @return how many events that were
   */
  long send(int port, int connections, int times) throws IOException, InterruptedException {
    ExecutorService senders = Executors.newFixedThreadPool(connections);
    try {
      List<Future<?>> sent = new ArrayList<>();
      for (int connection = 0; connection < connections; connection++) {
        sent.add(
            senders.submit(
                () -> {
                  sendOnce(port, times);
                  return null;
                }));
      }
      for (Future<?> one : sent) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("The server has hung up", e);
    } finally {
      senders.shutdownNow();
    }
    return (long) events * times * connections;
  }

  private void sendOnce(int port, int times) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      OutputStream out = socket.getOutputStream();
      for (int time = 0; time < times; time++) {
        out.write(stream);
      }
    }
  }
}
