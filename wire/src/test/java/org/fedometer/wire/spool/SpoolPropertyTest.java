package org.fedometer.wire.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.client.ScriptedCollector;

/**
 * Processes come and go, each with a client on the same folder, while the collector dies all the
 * time: it has each frame of each process once, and in order.
 */
@net.jqwik.api.Tag("slow")
class SpoolPropertyTest {
  private static final int MEMORY = 4 * 1024 * 1024;

  /** Never full: all frames of three lives need a third of it. */
  private static final long SPOOL = 256L * 1024 * 1024;

  @Property(tries = 5, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
  void everyFrameOfEveryProcessArrivesOnceAndInOrder(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    Path folder = Files.createTempDirectory("spool");
    Map<UUID, Integer> offered = new ConcurrentHashMap<>();
    try (CrashingCollector collector = new CrashingCollector(seed)) {
      int lives = 2 + random.nextInt(2);
      for (int life = 1; life <= lives; life++) {
        UUID source = UUID.randomUUID();
        try (CollectorClient client =
            CollectorClient.open(
                ClientOptions.builder("127.0.0.1", collector.port())
                    .source(source)
                    .maxQueuedBytes(MEMORY)
                    .spool(folder, SPOOL)
                    // The collector keeps quiet about some frames.
                    .silenceTimeoutMillis(100)
                    .build())) {
          collector.accepts(random.nextInt(3) == 0);
          int frames = 20 + random.nextInt(80);
          for (int number = 1; number <= frames; number++) {
            client.send(FrameType.SAMPLES, payload(number, random), 60_000);
            assertThat(client.status().queuedBytes()).isLessThanOrEqualTo(MEMORY);
            if (number % 25 == 0) {
              collector.accepts(random.nextBoolean());
            }
          }
          offered.put(source, frames);
          if (life == lives) {
            collector.accepts(true);
            assertThat(client.awaitAcknowledged(60_000)).isTrue();
            await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(spoolFiles(folder)).isEmpty());
            assertThat(client.status().spooledBytes()).isZero();
            assertThat(client.status().spoolError()).isEmpty();
          }
          assertThat(client.status().framesDropped()).isZero();
          assertThat(client.status().framesLost()).isZero();
        }
      }
      assertThat(collector.violations).isEmpty();
      offered.forEach(
          (source, frames) ->
              assertThat(collector.durable.get(source))
                  .containsExactlyElementsOf(LongStream.rangeClosed(1, frames).boxed().toList()));
      try (Stream<Path> left = Files.list(folder)) {
        assertThat(left).isEmpty();
      }
    } finally {
      try (Stream<Path> left = Files.walk(folder)) {
        left.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }

  private static List<Path> spoolFiles(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".spool")).toList();
    }
  }

  private static byte[] payload(int number, Random random) {
    int most = random.nextInt(10) == 0 ? 2_000_000 : 400_000;
    ByteBuffer payload = ByteBuffer.allocate(8 + random.nextInt(most));
    return payload.putInt(number).array();
  }

  /** Breaks each connection after some frames, or accepts none; keeps its frames. */
  private static final class CrashingCollector implements AutoCloseable {
    final Map<UUID, List<Long>> durable = new ConcurrentHashMap<>();
    final List<String> violations = Collections.synchronizedList(new ArrayList<>());
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Random random;
    private volatile boolean accepting;

    CrashingCollector(long seed) throws IOException {
      random = new Random(seed + 1);
      start(this::acceptAll);
    }

    int port() {
      return server.getLocalPort();
    }

    void accepts(boolean value) {
      accepting = value;
    }

    private void acceptAll() {
      try {
        while (true) {
          Socket socket = server.accept();
          start(() -> serve(socket));
        }
      } catch (IOException closed) {
        // The test is over.
      }
    }

    private void serve(Socket socket) {
      try (socket;
          ScriptedCollector.Peer peer = new ScriptedCollector.Peer(socket)) {
        List<Long> frames =
            durable.computeIfAbsent(peer.hello().source(), any -> new ArrayList<>());
        // One connection of a source at a time, as with a real one.
        synchronized (frames) {
          int life = 1 + random.nextInt(60);
          peer.welcome(frames.size());
          while (accepting && life-- > 0) {
            accept(peer.read(), frames);
            if (random.nextInt(16) > 0) {
              peer.acknowledge(frames.size());
            }
          }
        }
      } catch (IOException gone) {
        // One more that has gone.
      }
    }

    private void accept(Frame frame, List<Long> frames) {
      long sequence = frame.sequence();
      if (sequence == frames.size() + 1) {
        frames.add(sequence);
      } else if (sequence > frames.size()) {
        violations.add("frame " + sequence + " after " + frames.size());
      }
      if (frame.type() == FrameType.SAMPLES
          && ByteBuffer.wrap(frame.payload()).getInt() != sequence) {
        violations.add("frame " + sequence + " has another one's payload");
      }
    }

    private static void start(Runnable work) {
      Thread thread = new Thread(work, "mortal-collector");
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
