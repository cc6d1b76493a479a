package org.fedometer.collector;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy between source and collector that records all bytes. */
final class RecordingProxy implements AutoCloseable {
  private final ServerSocket server;
  private final InetSocketAddress collector;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  RecordingProxy(InetSocketAddress collector) throws IOException {
    this.collector = collector;
    this.server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    run(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** All of both directions, a byte a character. */
  String received() {
    synchronized (received) {
      return received.toString(StandardCharsets.ISO_8859_1);
    }
  }

  private void accept() throws IOException {
    while (true) {
      Socket source = server.accept();
      sockets.add(source);
      Socket upstream = new Socket(collector.getAddress(), collector.getPort());
      sockets.add(upstream);
      if (server.isClosed()) {
        // Accepted while it was closed.
        source.close();
        upstream.close();
      }
      run(() -> pass(source, upstream));
      run(() -> pass(upstream, source));
    }
  }

  private void pass(Socket from, Socket to) throws IOException {
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    byte[] buffer = new byte[8192];
    int count;
    while ((count = in.read(buffer)) >= 0) {
      synchronized (received) {
        received.write(buffer, 0, count);
      }
      out.write(buffer, 0, count);
    }
    to.shutdownOutput();
  }

  private void run(Forwarding work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException hungUp) {
                // One of both, or the test is over.
              }
            });
    threads.add(thread);
    thread.start();
  }

  private interface Forwarding {
    void run() throws IOException;
  }

  @Override
  public void close() throws Exception {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
