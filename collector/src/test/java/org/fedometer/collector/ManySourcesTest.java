package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A collector of 128 MB of heap, and twice as much that wants to come in at the same time. */
@Timeout(120)
class ManySourcesTest {
  private static final int SOURCES = 280;
  private static final int FRAME_BYTES = 1 << 20;
  private static final byte OF_A_LATER_VERSION = 100;

  /** After this time without data, all sources wait for the collector. */
  private static final int STILL_MILLIS = 1_000;

  @TempDir Path store;

  @Test
  void framesThatComeInPartFillNoMemoryAndAllAreStoredInTheEnd() throws Exception {
    int port = CollectorCrashTest.freePort();
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
    List<Sending> sources = new ArrayList<>();
    try (CollectorProcess collector =
            CollectorProcess.start(store, port, 32 << 20, Duration.ofMinutes(1));
        Selector selector = Selector.open()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> Files.exists(store.resolve("collector.json")));
      for (int i = 0; i < SOURCES; i++) {
        sources.add(new Sending(address, selector));
      }
      while (selector.select(STILL_MILLIS) > 0) {
        for (SelectionKey key : selector.selectedKeys()) {
          ((Sending) key.attachment()).sendAllButTheEnd();
        }
        selector.selectedKeys().clear();
      }
      assertThat(sources.stream().filter(Sending::wantsToSend).count())
          .as("sources that are not read")
          .isGreaterThan(SOURCES / 2);

      try (RawSource newcomer = RawSource.connect(address, "newcomer")) {
        newcomer.frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 100));
        assertThat(newcomer.awaitAcknowledgement(1)).as("a short frame").isTrue();
      }
      for (Sending source : sources) {
        source.sendTheEndToo();
      }
      while (!sources.stream().allMatch(source -> source.acknowledged)) {
        assertThat(selector.select(30_000)).as("a source continues").isPositive();
        for (SelectionKey key : selector.selectedKeys()) {
          ((Sending) key.attachment()).goOn();
        }
        selector.selectedKeys().clear();
      }

      assertThat(collector.isAlive()).isTrue();
      assertThat(store.resolve("process.log")).content().doesNotContain("OutOfMemory");
    } finally {
      for (Sending source : sources) {
        source.channel.close();
      }
    }
  }

  /** One source with one long frame, all but its last byte at first. */
  private static final class Sending {
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer out;
    private final ByteBuffer in = ByteBuffer.allocate(64 * 1024);
    private boolean acknowledged;

    Sending(InetSocketAddress address, Selector selector) throws IOException {
      Hello hello = Hello.builder(UUID.randomUUID(), "agent").runName("many").build();
      byte[] introduction = Frame.session(FrameType.HELLO, hello.encode()).toBytes();
      byte[] frame =
          new Frame(OF_A_LATER_VERSION, 1, new byte[FRAME_BYTES - Frame.OVERHEAD_BYTES]).toBytes();
      out = ByteBuffer.allocate(introduction.length + frame.length);
      out.put(introduction).put(frame).flip().limit(out.limit() - 1);
      channel = SocketChannel.open();
      channel.setOption(StandardSocketOptions.SO_SNDBUF, 32 * 1024);
      channel.connect(address);
      channel.configureBlocking(false);
      key = channel.register(selector, SelectionKey.OP_WRITE, this);
    }

    boolean wantsToSend() {
      return out.hasRemaining();
    }

    void sendAllButTheEnd() throws IOException {
      channel.write(out);
      if (!out.hasRemaining()) {
        key.interestOps(0);
      }
    }

    void sendTheEndToo() {
      out.limit(out.limit() + 1);
      key.interestOps(SelectionKey.OP_WRITE | SelectionKey.OP_READ);
    }

    void goOn() throws IOException {
      channel.write(out);
      if (channel.read(in) < 0) {
        throw new IOException("The collector has hung up");
      }
      in.flip();
      while (in.remaining() >= 4 && in.remaining() >= 4 + in.getInt(in.position())) {
        int end = in.position() + 4 + in.getInt(in.position());
        Frame frame = Frame.parse(in.slice(in.position(), end - in.position()));
        in.position(end);
        if (frame.type() == FrameType.ACKNOWLEDGEMENT) {
          acknowledged |=
              Acknowledgement.decode(ByteBuffer.wrap(frame.payload())).lastDurableSequence() == 1;
        } else if (frame.type() == FrameType.REJECTED) {
          throw new IOException("Refused");
        }
      }
      in.compact();
      key.interestOps(
          (out.hasRemaining() ? SelectionKey.OP_WRITE : 0)
              | (acknowledged ? 0 : SelectionKey.OP_READ));
    }
  }
}
