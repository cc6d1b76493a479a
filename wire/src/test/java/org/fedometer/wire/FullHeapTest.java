package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client in a JVM whose heap others have filled. */
@Timeout(120)
class FullHeapTest {

  @Test
  void framesThatWereTakenOutliveAnOfferThatFoundNoMemory() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector()) {
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
                      Offering.class.getName(),
                      String.valueOf(collector.port())))
              .redirectErrorStream(true)
              .start();
      // No interrupt ends the wait for a line, but the end of the JVM does.
      process
          .onExit()
          .orTimeout(60, TimeUnit.SECONDS)
          .exceptionally(tooLate -> process.destroyForcibly());
      try (BufferedReader said = process.inputReader();
          ScriptedCollector.Peer peer = collector.accept()) {
        // The client now waits for its welcome, and allocates nothing.
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        assertThat(said.readLine()).matches("taken after [1-9][0-9]* refusals");
        peer.welcome(0);
        for (int sequence = 1; sequence <= Offering.BEFORE + 1; sequence++) {
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
        int refusals = offerInFullHeap(client, payload);
        System.out.println("taken after " + refusals + " refusals");
        System.out.println(client.awaitAcknowledged(20_000) ? "acknowledged" : "not acknowledged");
      }
    }

    private static int offerInFullHeap(CollectorClient client, byte[] payload) {
      Object[] crumbs = new Object[CRUMBS];
      for (int i = 0; i < CRUMBS; i++) {
        crumbs[i] = new byte[0];
      }
      Object[] hold = new Object[1];
      int refusals = 0;
      int dropped = 0;
      boolean taken = false;
      while (!taken) {
        try {
          // What the client's own threads have given back meanwhile, too.
          fill(hold);
          for (int i = 0; i < refusals; i++) {
            crumbs[dropped] = null;
            dropped++;
          }
          taken = client.offer(FrameType.SAMPLES, payload);
        } catch (OutOfMemoryError full) {
          refusals++;
        }
      }
      hold[0] = null;
      return refusals;
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
