package org.fedometer.benchmarks.driver;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A server that reads each object to its end and answers 201, in a process of its own: as fast as a
 * Fedora could be that does nothing. Prints its port; ends with its standard input.
 */
public final class NullFedora {
  /** What a login is recognised by. */
  private static final String LOGGED_IN = "<user/>";

  private NullFedora() {}

  public static void main(String[] arguments) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
      Thread acceptor = new Thread(() -> accept(server), "accept");
      acceptor.setDaemon(true);
      acceptor.start();
      System.out.println("port " + server.getLocalPort());
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }

  private static void accept(ServerSocket server) {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread thread = new Thread(() -> serve(socket), "connection");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void serve(Socket connection) {
    try (Socket socket = connection) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
      byte[] chunk = new byte[64 * 1024];
      for (String request = line(in); !request.isEmpty(); request = line(in)) {
        boolean chunked = false;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
          chunked |= header.equalsIgnoreCase("Transfer-Encoding: chunked");
        }
        if (chunked) {
          skipBody(in, chunk);
        }
        answer(socket, request);
      }
    } catch (IOException e) {
      // The driver has hung up.
    }
  }

  private static void skipBody(InputStream in, byte[] chunk) throws IOException {
    for (int size = -1; size != 0; ) {
      size = Integer.parseInt(line(in), 16);
      for (int left = size; left > 0; ) {
        int read = in.read(chunk, 0, Math.min(left, chunk.length));
        if (read < 0) {
          throw new EOFException();
        }
        left -= read;
      }
      line(in);
    }
  }

  private static void answer(Socket socket, String request) throws IOException {
    boolean ingest = request.startsWith("POST ");
    byte[] body = (ingest ? pid(request) : LOGGED_IN).getBytes(StandardCharsets.US_ASCII);
    String head =
        "HTTP/1.1 "
            + (ingest ? "201 Created" : "200 OK")
            + "\r\nContent-Type: text/plain\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    byte[] bytes =
        (head + new String(body, StandardCharsets.US_ASCII)).getBytes(StandardCharsets.US_ASCII);
    socket.getOutputStream().write(bytes);
  }

  private static String pid(String request) {
    int from = request.indexOf("/objects/") + "/objects/".length();
    return request.substring(from, request.indexOf('?', from)).replace("%3A", ":");
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder(128);
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
