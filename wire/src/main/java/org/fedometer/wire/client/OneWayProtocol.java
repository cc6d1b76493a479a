package org.fedometer.wire.client;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.UUID;
import org.fedometer.wire.Frame;
import org.fedometer.wire.session.Hello;

/**
 * What a {@link CollectorClient} speaks to a receiver that is no collector: one that is told and
 * says nothing back. Everything else of the client is as with a collector: connections, memory,
 * spool, drops.
 *
 * <p>Nobody acknowledges. A frame counts as arrived when it was handed to the socket and the
 * connection still stood a second later; when a connection breaks, younger ones are sent again.
 *
 * <p>What numbers stand for is told once on the way. On each new connection the client recalls it:
 * a protocol that keeps names for itself learns there what it does not know, such as names of a
 * process whose spool is sent on.
 */
public interface OneWayProtocol {

  /**
   * Begins to talk on a new connection. The sender's thread, one for each source.
   *
   * @param introduction of the source, made just now
   * @param socket connected, and secured where the client is to do so; the client closes it
   * @param out of the socket, to write to; may block, until the client closes the socket
   */
  Conversation begin(Hello introduction, Socket socket, OutputStream out) throws IOException;

  /** The client that told of this source has ended. The thread that began its conversations. */
  void clientClosed(UUID source);

  /** With one receiver about one source; the sender's thread alone. */
  interface Conversation {

    /**
     * A dictionary that this source has sent on an earlier connection, or before. Called at the
     * beginning, with the newest first; says nothing to the receiver.
     */
    void recall(Frame dictionary);

    /**
     * Says what a durable frame says, and hands all of it to the socket.
     *
     * @throws IOException the connection is of no more use; the frame comes again on the next
     */
    void send(Frame frame) throws IOException;

    /** The connection has ended, and the socket is closed. */
    void end();
  }
}
