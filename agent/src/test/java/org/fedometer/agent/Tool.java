package org.fedometer.agent;

import com.sun.tools.attach.VirtualMachine;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameInput;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.AgentReport;

/** Gives commands to the agent of another JVM, as the command line tool does. */
final class Tool implements AutoCloseable {

  private static final String NONCE = "0123456789abcdef";

  final List<AgentReport> reports = new CopyOnWriteArrayList<>();
  final List<Frame> copies = new CopyOnWriteArrayList<>();

  private final ServerSocket server;
  private final Thread reader;
  private volatile Socket agent;

  private Tool() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    reader = new Thread(this::read, "tool");
    reader.setDaemon(true);
    reader.start();
  }

  /** Sends a command to the agent. */
  interface CommandChannel {
    void send(String arguments) throws Exception;
  }

  /** Gives one command and returns the last report. */
  static AgentReport command(long pid, String command, String... options) throws Exception {
    return command(attaching(pid), command, options);
  }

  /** The same another way. */
  static AgentReport command(CommandChannel way, String command, String... options)
      throws Exception {
    try (Tool tool = begin(way, command, options)) {
      tool.reader.join(60_000);
      return tool.reports.get(tool.reports.size() - 1);
    }
  }

  /** Gives one command and leaves the connection open. */
  static Tool begin(long pid, String command, String... options) throws Exception {
    return begin(attaching(pid), command, options);
  }

  private static Tool begin(CommandChannel way, String command, String... options)
      throws Exception {
    Tool tool = new Tool();
    String arguments = "command=" + command + ",reply=" + tool.server.getLocalPort() + "/" + NONCE;
    way.send(options.length == 0 ? arguments : arguments + "," + String.join(",", options));
    return tool;
  }

  private static CommandChannel attaching(long pid) {
    return arguments -> {
      VirtualMachine machine = VirtualMachine.attach(String.valueOf(pid));
      try {
        machine.loadAgent(AgentJvm.JAR.toString(), arguments);
      } finally {
        machine.detach();
      }
    };
  }

  @Override
  public void close() throws IOException {
    server.close();
    if (agent != null) {
      agent.close();
    }
  }

  private void read() {
    try (Socket socket = server.accept()) {
      agent = socket;
      FrameInput in = new FrameInput(socket.getInputStream(), Frame.MAX_BYTES);
      while (true) {
        Frame frame = in.read();
        if (frame.type() == FrameType.AGENT_REPORT) {
          AgentReport report = AgentReport.decode(ByteBuffer.wrap(frame.payload()));
          if (!report.nonce().equals(NONCE)) {
            throw new IOException("nonce " + report.nonce());
          }
          reports.add(report);
        } else {
          copies.add(frame);
        }
      }
    } catch (EOFException | SocketException theAgentHangsUp) {
      // The report is complete.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
