package org.fedometer.benchmarks.overhead;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The far end of Kieker's TCP writer, in a process of its own: counts the records of executions
 * that arrive on one connection, and stores nothing.
 *
 * <p>The stream of Kieker's {@code SingleSocketTcpWriter}, big-endian: a record is the number of
 * its class's name, a time (8 bytes) and its fields; a name is -1, its number, its length and its
 * bytes.
 */
final class KiekerReceiver {

  private static final int NAME = -1;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String EXECUTION =
      "kieker.common.record.controlflow.OperationExecutionRecord";

  /** Bytes of each class's fields: the constant SIZE in Kieker's classes. */
  private static final Map<String, Integer> FIELD_BYTES =
      Map.of(EXECUTION, 44, "kieker.common.record.misc.KiekerMetadataRecord", 37);

  private KiekerReceiver() {}

  /** Prints the port, and in the end how many executions came in how many bytes. */
  public static void main(String[] arguments) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      System.out.println("port " + server.getLocalPort());
      try (Socket socket = server.accept();
          DataInputStream in =
              new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES))) {
        count(in);
      }
    }
  }

  private static void count(DataInputStream in) throws IOException {
    Map<Integer, String> names = new HashMap<>();
    long executions = 0;
    long bytes = 0;
    while (true) {
      int number;
      try {
        number = in.readInt();
      } catch (EOFException over) {
        System.out.println("executions " + executions + " " + bytes);
        return;
      }
      if (number == NAME) {
        int named = in.readInt();
        byte[] name = new byte[in.readInt()];
        in.readFully(name);
        names.put(named, new String(name, StandardCharsets.UTF_8));
        bytes += 3L * Integer.BYTES + name.length;
      } else {
        Integer fieldBytes = FIELD_BYTES.get(names.get(number));
        if (fieldBytes == null) {
          throw new IOException("Kieker sent a record of class " + names.get(number));
        }
        in.skipNBytes(Long.BYTES + fieldBytes);
        bytes += Integer.BYTES + Long.BYTES + fieldBytes;
        executions += EXECUTION.equals(names.get(number)) ? 1 : 0;
      }
    }
  }
}
