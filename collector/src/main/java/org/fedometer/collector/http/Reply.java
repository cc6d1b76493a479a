package org.fedometer.collector.http;

import java.util.concurrent.CompletionStage;

sealed interface Reply permits Response, Reply.Deferred, Reply.Stream {

  /** An answer that somebody else is making, who may take longer than other answers. */
  record Deferred(CompletionStage<Response> response) implements Reply {}

  /** An answer that goes on until one of both ends it. */
  non-sealed interface Stream extends Reply {
    /**
     * Sends what comes, from now on.
     *
     * @return what ends it when the other side has gone; or a response in place of the stream
     */
    StreamStart begin(EventSink to) throws Exception;
  }

  /**
   * @param onClose called when the other side has gone; null where none has begun
   * @param response sent where none has begun
   */
  record StreamStart(Runnable onClose, Response response) {}

  /** Takes what a stream sends; any thread, nothing blocks. */
  interface EventSink {
    /**
     * @param event not to be changed
     * @return false when nobody takes it any more
     */
    boolean send(byte[] event);

    /** Nothing comes any more. */
    void end();
  }
}
