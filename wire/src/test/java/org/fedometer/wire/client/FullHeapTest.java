package org.fedometer.wire.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.spool.FrameSpool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client in a JVM whose heap others have filled. */
@Timeout(120)
class FullHeapTest {

  @Test
  void acceptedFramesSurviveAnOfferWithoutMemory() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector()) {
      Process process = start(Offering.class, String.valueOf(collector.port()));
      try (BufferedReader said = process.inputReader();
          ScriptedCollector.Peer peer = collector.accept()) {
        // The client now waits for its welcome, and allocates nothing, or hardly anything.
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        String line = said.readLine();
        Matcher taken = Pattern.compile("frame ([0-9]+) taken after [0-9]+ refusals").matcher(line);
        assertThat(taken.matches()).as(line).isTrue();
        peer.welcome(0);
        for (int sequence = 1; sequence <= Integer.parseInt(taken.group(1)); sequence++) {
          Frame frame = peer.read();
          assertThat(frame.sequence()).isEqualTo(sequence);
          peer.acknowledge(sequence);
        }
        assertThat(said.readLine()).isEqualTo("acknowledged");
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void readsASpooledFrameOnceMemoryIsAvailable(@TempDir Path folder) throws Exception {
    Process process = start(Reading.class, folder.toString());
    try (BufferedReader said = process.inputReader()) {
      assertThat(said.readLine()).isEqualTo("no memory, then frame 2");
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void detectsABrokenConnectionWithoutMemory() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector()) {
      Process process = start(Breaking.class, String.valueOf(collector.port()));
      try (BufferedReader said = process.inputReader()) {
        try (ScriptedCollector.Peer peer = collector.accept()) {
          peer.welcome(0);
          assertThat(printsNext(said, "full")).isTrue();
        }
        assertThat(printsNext(said, "known to be broken")).isTrue();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  /** Skips messages of the JVM about a thread without memory, which may come at any time. */
  private static boolean printsNext(BufferedReader said, String wanted) throws IOException {
    String line = said.readLine();
    while (line != null && !line.equals(wanted)) {
      line = said.readLine();
    }
    return line != null;
  }

  private static Process start(Class<?> program, String argument) throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx16m",
                    "-XX:+UseSerialGC",
                    "-cp",
                    Path.of("target", "classes")
                        + System.getProperty("path.separator")
                        + Path.of("target", "test-classes"),
                    program.getName(),
                    argument))
            .redirectErrorStream(true)
            .start();
    // No interrupt ends the wait for a line, but the end of the JVM does.
    process
        .onExit()
        .orTimeout(60, TimeUnit.SECONDS)
        .exceptionally(tooLate -> process.destroyForcibly());
    return process;
  }

  /** Holds the client's lock, so that other threads wait for it, which needs memory. */
  static final class Breaking {
    public static void main(String[] arguments) throws Exception {
      ClientOptions options =
          ClientOptions.builder("127.0.0.1", Integer.parseInt(arguments[0])).build();
      ClientState state = new ClientState(options, null);
      ClientConnection connection = new ClientConnection(state);
      state.setConnection(connection);
      connection.connect();
      connection.handshake();
      connection.startReader();
      Thread reader =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals("fedometer-receiver"))
              .findFirst()
              .orElseThrow();
      byte[] full = "full\n".getBytes(StandardCharsets.US_ASCII);
      OutputStream out = new FileOutputStream(FileDescriptor.out);
      Object[] hold = new Object[1];
      state.lock.lock();
      try {
        while (reader.getState() != Thread.State.RUNNABLE) {
          Thread.onSpinWait();
        }
        Offering.fill(hold);
        out.write(full);
        // It is over, or waits: for the lock, or for memory.
        while (reader.getState() == Thread.State.RUNNABLE) {
          Thread.onSpinWait();
        }
      } finally {
        hold[0] = null;
        state.lock.unlock();
      }
      reader.join();
      state.lock.lock();
      try {
        connection.failIfBroken();
        System.out.println("taken for whole");
      } catch (IOException broken) {
        System.out.println("known to be broken");
      } finally {
        state.lock.unlock();
      }
    }
  }

  /** Reads a long frame from a spool, of which only the length finds memory. */
  static final class Reading {
    public static void main(String[] arguments) throws Exception {
      UUID source = UUID.randomUUID();
      Hello introduction = Hello.builder(source, Hello.AGENT).build();
      try (FrameSpool spool = new FrameSpool(Path.of(arguments[0]), source, 64L * 1024 * 1024)) {
        spool.append(new Frame(FrameType.SAMPLES.code(), 1, new byte[8]), introduction);
        spool.append(new Frame(FrameType.SAMPLES.code(), 2, new byte[1_000_000]), introduction);
        spool.readAfter(0);
        String found = "memory";
        Object[] hold = new Object[1];
        byte[][] crumb = {new byte[64 * 1024]};
        Offering.fill(hold);
        crumb[0] = null;
        try {
          spool.readAfter(1);
        } catch (OutOfMemoryError full) {
          found = "no memory";
        }
        hold[0] = null;
        System.out.println(found + ", then frame " + spool.readAfter(1).sequence());
      }
    }
  }

  /** Offers a frame again and again while memory comes back crumb by crumb. */
  static final class Offering {
    static final int BEFORE = 16;
    private static final int CRUMBS = 40_000;
    private static final int[] SIZES = {1 << 20, 1 << 14, 1 << 10, 1 << 6, 16, 4};

    public static void main(String[] arguments) throws Exception {
      int port = Integer.parseInt(arguments[0]);
      byte[] payload = new byte[8];
      try (CollectorClient client =
          CollectorClient.open(ClientOptions.builder("127.0.0.1", port).build())) {
        for (int i = 0; i < BEFORE; i++) {
          client.offer(FrameType.SAMPLES, payload);
        }
        System.in.read();
        offerInFullHeap(client, payload);
        System.out.println(client.awaitAcknowledged(20_000) ? "acknowledged" : "not acknowledged");
      }
    }

    /**
     * Offers until a frame is accepted that was rejected before; the client's threads may have
     * freed memory.
     */
    private static void offerInFullHeap(CollectorClient client, byte[] payload) {
      Object[] crumbs = new Object[CRUMBS];
      for (int i = 0; i < CRUMBS; i++) {
        crumbs[i] = new byte[0];
      }
      Object[] hold = new Object[1];
      int refusals = 0;
      int dropped = 0;
      int taken = BEFORE;
      boolean takenAtLast = false;
      while (!takenAtLast) {
        try {
          // Includes memory that the client's threads have freed meanwhile.
          fill(hold);
          for (int i = 0; i < refusals; i++) {
            crumbs[dropped] = null;
            dropped++;
          }
          if (client.offer(FrameType.SAMPLES, payload)) {
            taken++;
            takenAtLast = refusals > 0;
          }
        } catch (OutOfMemoryError full) {
          refusals++;
        }
      }
      hold[0] = null;
      System.out.println("frame " + taken + " taken after " + refusals + " refusals");
    }

    private static void fill(Object[] hold) {
      for (int size : SIZES) {
        try {
          while (true) {
            Object[] next = new Object[size / 4];
            next[0] = hold[0];
            hold[0] = next;
          }
        } catch (OutOfMemoryError full) {
          // On to smaller ones.
        }
      }
    }
  }
}
