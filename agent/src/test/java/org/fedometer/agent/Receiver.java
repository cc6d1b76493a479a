package org.fedometer.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Receives lines of JSON, as receivers of Log4j2 do, and keeps their content in memory. */
final class Receiver implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int RECEIVE_BUFFER_BYTES = 4 * 1024;

  /** The part of each line that is Fedometer's; what came twice is here once. */
  final List<JsonNode> events = new CopyOnWriteArrayList<>();

  final List<String> lines = new CopyOnWriteArrayList<>();

  /** Lines that are no event. */
  final List<String> faults = new CopyOnWriteArrayList<>();

  private final Set<String> seen = new HashSet<>();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final ServerSocket server;

  private final boolean reads;

  /** At a port of loopback, or at 0 for any. */
  Receiver(int port) throws IOException {
    this(port, true);
  }

  /** Creates a receiver that accepts connections and never reads. */
  static Receiver thatNeverReads() throws IOException {
    return new Receiver(0, false);
  }

  private Receiver(int port, boolean reads) throws IOException {
    this.reads = reads;
    server = new ServerSocket();
    server.setReuseAddress(true);
    server.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10);
    daemon(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  String address() {
    return "127.0.0.1:" + port();
  }

  List<JsonNode> of(String kind) {
    return events.stream().filter(event -> event.get("event").asText().equals(kind)).toList();
  }

  /** Samples of a stage. */
  long samples(String stage) {
    return of("sample").stream().filter(event -> event.get("stage").asText().equals(stage)).count();
  }

  int connections() {
    return connections.size();
  }

  /** Closes the current connections and continues listening. */
  void hangUp() throws IOException {
    for (Socket connection : connections) {
      connection.close();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    hangUp();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        connections.add(socket);
        if (server.isClosed()) {
          socket.close();
        }
        if (reads) {
          daemon(() -> read(socket));
        }
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void read(Socket socket) {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      StringBuilder line = new StringBuilder();
      for (int c = in.read(); c >= 0; c = in.read()) {
        if (c == '\n') {
          keep(line.toString());
          line.setLength(0);
        } else {
          line.append((char) c);
        }
      }
    } catch (IOException ended) {
      // By either side; half a line is none.
    }
  }

  private synchronized void keep(String line) {
    lines.add(line);
    try {
      JsonNode event = JSON.readTree(line).get("fedometer");
      String place =
          event.get("source").asText() + "/" + event.get("frame") + "/" + event.get("index");
      if (event.get("event").asText().equals("hello") || seen.add(place)) {
        events.add(event);
      }
    } catch (IOException | RuntimeException notAnEvent) {
      faults.add(line);
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "receiver");
    thread.setDaemon(true);
    thread.start();
  }
}
