package org.fedometer.collector;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.fedometer.wire.Frame;
import org.fedometer.wire.client.OneWayProtocol;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.session.Hello;

/** Sends samples as specified in docs/developers/protocol.md; numbers are named by themselves. */
final class AgentEventProtocol implements OneWayProtocol {
  @Override
  public Conversation begin(Hello hello, Socket socket, OutputStream out) throws IOException {
    String source = hello.source().toString();
    out.write(
        ("{\"fedometer\":{\"event\":\"hello\",\"source\":\"%s\",\"frame\":0,\"index\":0,"
                + "\"schema\":1,\"nanos\":%d,\"epochNanos\":%d,\"kind\":\"agent\",\"name\":\"\","
                + "\"runName\":\"%s\"}}\n")
            .formatted(
                source, hello.nanos(), System.currentTimeMillis() * 1_000_000, hello.runName())
            .getBytes(StandardCharsets.UTF_8));
    return new Conversation() {
      @Override
      public void recall(Frame dictionary) {}

      @Override
      public void send(Frame frame) throws IOException {
        out.write(events(source, frame).getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public void end() {}
    };
  }

  private static String events(String source, Frame frame) throws IOException {
    StringBuilder events = new StringBuilder();
    int[] index = new int[1];
    SampleDecoder.decode(
        ByteBuffer.wrap(frame.payload()),
        (stage, thread, trace, startNanos, durationNanos, selfNanos, failed) ->
            events.append(
                ("{\"fedometer\":{\"event\":\"sample\",\"source\":\"%s\",\"frame\":%d,"
                        + "\"index\":%d,\"stage\":\"stage %d\",\"thread\":\"t\",\"threadId\":%d,"
                        + "\"trace\":%d,\"startNanos\":%d,\"durationNanos\":%d,\"selfNanos\":%d,"
                        + "\"failed\":%b}}\n")
                    .formatted(
                        source,
                        frame.sequence(),
                        index[0]++,
                        stage,
                        thread,
                        trace,
                        startNanos,
                        durationNanos,
                        selfNanos,
                        failed)));
    return events.toString();
  }

  @Override
  public void clientClosed(UUID source) {}
}
