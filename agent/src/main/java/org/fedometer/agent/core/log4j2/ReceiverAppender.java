package org.fedometer.agent.core.log4j2;

import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.net.Socket;
import org.apache.logging.log4j.core.appender.SocketAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.core.net.TcpSocketManager;
import org.apache.logging.log4j.layout.template.json.JsonTemplateLayout;

/**
 * Log4j2's appender on an existing connection, which it never reconnects. The connection's creator
 * closes it, even during a stalled write, and keeps all unwritten frames.
 */
final class ReceiverAppender extends SocketAppender {

  private static final int BUFFER_BYTES = 32 * 1024;
  private static final int NO_RECONNECTION = -1;

  private final TcpSocketManager connection;

  private ReceiverAppender(JsonTemplateLayout layout, TcpSocketManager connection) {
    super("fedometer", layout, null, connection, false, false, null, Property.EMPTY_ARRAY);
    this.connection = connection;
  }

  static ReceiverAppender on(Socket socket, OutputStream out, JsonTemplateLayout layout) {
    ReceiverAppender appender =
        new ReceiverAppender(
            layout,
            new TcpSocketManager(
                "fedometer:" + socket.getLocalPort(),
                // Log4j2 writes to a socket event by event.
                new BufferedOutputStream(out, BUFFER_BYTES),
                socket,
                socket.getInetAddress(),
                String.valueOf(socket.getInetAddress().getHostAddress()),
                socket.getPort(),
                0,
                NO_RECONNECTION,
                true,
                layout,
                BUFFER_BYTES,
                null));
    appender.start();
    return appender;
  }

  void flush() {
    connection.flush();
  }
}
