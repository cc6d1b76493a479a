package org.fedometer.benchmarks.fedora;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameInput;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleDecoder;

/**
 * Stands on loopback between an agent and its collector, hands on what comes, and counts it. The
 * counts may be read by any thread.
 */
final class CountingRelay implements AutoCloseable {
  private final ServerSocket listening;
  private final int collectorPort;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final LongAdder samples = new LongAdder();
  private final LongAdder sampleFrameBytes = new LongAdder();
  private final LongAdder allBytes = new LongAdder();

  private CountingRelay(ServerSocket listening, int collectorPort) {
    this.listening = listening;
    this.collectorPort = collectorPort;
  }

  static CountingRelay to(int collectorPort) throws IOException {
    CountingRelay relay =
        new CountingRelay(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), collectorPort);
    start("relay", relay::accept);
    return relay;
  }

  int port() {
    return listening.getLocalPort();
  }

  long samples() {
    return samples.sum();
  }

  /** Bytes of frames of samples, their heads included. */
  long sampleFrameBytes() {
    return sampleFrameBytes.sum();
  }

  long allBytes() {
    return allBytes.sum();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        join(listening.accept());
      } catch (IOException oneConnectionLess) {
        // The agent comes again.
      }
    }
  }

  private void join(Socket agent) throws IOException {
    open.add(agent);
    Socket collector = new Socket();
    open.add(collector);
    Closeable both =
        () -> {
          for (Socket socket : new Socket[] {agent, collector}) {
            open.remove(socket);
            socket.close();
          }
        };
    try {
      collector.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), collectorPort));
      agent.setTcpNoDelay(true);
      collector.setTcpNoDelay(true);
    } catch (IOException e) {
      both.close();
      throw e;
    }
    start("relay-to-collector", () -> forwardToCollector(agent, collector, both));
    start("relay-to-agent", () -> forwardToAgent(collector, agent, both));
  }

  /** The collector answers what came last, then hangs up; so this side alone is closed. */
  private void forwardToCollector(Socket agent, Socket collector, Closeable both) {
    try {
      FrameInput frames =
          new FrameInput(
              new ForwardingInput(agent.getInputStream(), collector.getOutputStream()),
              Frame.MAX_BYTES);
      while (true) {
        count(frames.read());
      }
    } catch (EOFException agentIsDone) {
      try {
        collector.shutdownOutput();
      } catch (IOException e) {
        closeQuietly(both);
      }
    } catch (IOException e) {
      closeQuietly(both);
    }
  }

  private void forwardToAgent(Socket collector, Socket agent, Closeable both) {
    try {
      collector.getInputStream().transferTo(agent.getOutputStream());
    } catch (SocketException closed) {
      // As the other direction saw, too.
    } catch (IOException e) {
      System.err.println("relay: " + e);
    } finally {
      closeQuietly(both);
    }
  }

  private void count(Frame frame) throws IOException {
    allBytes.add(frame.sizeBytes());
    if (frame.type() == FrameType.SAMPLES) {
      samples.add(SampleDecoder.count(ByteBuffer.wrap(frame.payload())));
      sampleFrameBytes.add(frame.sizeBytes());
    }
  }

  private static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      System.err.println("relay: " + e);
    }
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** What is read here has been written there. */
  private static final class ForwardingInput extends InputStream {
    private final InputStream in;
    private final OutputStream out;

    ForwardingInput(InputStream in, OutputStream out) {
      this.in = in;
      this.out = out;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = in.read(bytes, offset, length);
      if (count > 0) {
        out.write(bytes, offset, count);
      }
      return count;
    }
  }
}
