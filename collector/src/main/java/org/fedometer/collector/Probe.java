package org.fedometer.collector;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import org.fedometer.wire.CollectorRefusedException;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameInput;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.Hello;
import org.fedometer.wire.Refused;
import org.fedometer.wire.Welcome;

/** Asks whoever listens at an address whether it is a collector, and of which store. */
final class Probe {
  private Probe() {}

  /**
   * @param token that the collector asks for, or empty
   * @throws CollectorRefusedException the collector wants another token, or goes down
   * @throws IOException nobody answers, or no collector does
   */
  static Welcome ask(InetSocketAddress address, String token, int timeoutMillis)
      throws IOException {
    Hello hello =
        new Hello(
            Hello.PROTOCOL_VERSION,
            Hello.PROTOCOL_VERSION,
            UUID.randomUUID(),
            1,
            Hello.PROBE,
            "",
            "",
            "",
            token,
            Map.of(),
            System.nanoTime());
    try (Socket socket = new Socket()) {
      socket.connect(address, timeoutMillis);
      socket.setSoTimeout(timeoutMillis);
      socket.getOutputStream().write(Frame.session(FrameType.HELLO, hello.encode()).toBytes());
      Frame answer = new FrameInput(socket.getInputStream(), Hello.MAX_FRAME_BYTES).read();
      if (answer.type() == FrameType.REFUSED) {
        throw new CollectorRefusedException(
            "The collector at " + address.getHostString() + ":" + address.getPort(),
            Refused.decode(ByteBuffer.wrap(answer.payload())));
      }
      if (answer.type() != FrameType.WELCOME) {
        throw new IOException("No WELCOME from " + address);
      }
      return Welcome.decode(ByteBuffer.wrap(answer.payload()));
    }
  }
}
