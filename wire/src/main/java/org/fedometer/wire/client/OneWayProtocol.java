package org.fedometer.wire.client;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.UUID;
import org.fedometer.wire.Frame;
import org.fedometer.wire.session.Hello;

/**
 * Protocol between a {@link CollectorClient} and a receiver that is no collector and sends no
 * replies. Connections, memory, spool and drops work as with a collector.
 *
 * <p>There are no acknowledgements. A frame counts as arrived when it was handed to the socket and
 * the connection was still up a second later. When a connection breaks, younger frames are sent
 * again.
 *
 * <p>Dictionaries are sent once. The client repeats them to the protocol on each new connection, so
 * that it learns names it lacks, such as those of a forwarded spool.
 */
public interface OneWayProtocol {

  /**
   * Starts a conversation on a new connection. Called on the sender's thread, one per source.
   *
   * @param introduction the source's HELLO, just created
   * @param socket connected, and secured if the client does so; the client closes it
   * @param out the socket's output; may block until the client closes the socket
   */
  Conversation begin(Hello introduction, Socket socket, OutputStream out) throws IOException;

  /** Called when the source's client has ended, on the thread that began its conversations. */
  void clientClosed(UUID source);

  /** A conversation with one receiver about one source; sender's thread only. */
  interface Conversation {

    /**
     * Supplies a dictionary that this source sent earlier. Called at the start, newest first; sends
     * nothing to the receiver.
     */
    void recall(Frame dictionary);

    /**
     * Sends the content of a durable frame, completely handed to the socket.
     *
     * @throws IOException if the connection is unusable; the frame comes again on the next one
     */
    void send(Frame frame) throws IOException;

    /** Called after the connection has ended and the socket is closed. */
    void end();
  }
}
