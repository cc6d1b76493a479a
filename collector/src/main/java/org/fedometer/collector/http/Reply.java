package org.fedometer.collector.http;

import java.util.concurrent.CompletionStage;

sealed interface Reply permits Response, Reply.Deferred, Reply.Stream {

  /** A response made on another thread, which may take longer than others. */
  record Deferred(CompletionStage<Response> response) implements Reply {}

  /** A response that continues until one side ends it. */
  non-sealed interface Stream extends Reply {
    /**
     * Starts sending events.
     *
     * @return an action for the client's disconnect, or a response in place of the stream
     */
    StreamStart begin(EventSink to) throws Exception;
  }

  /**
   * @param onClose called when the client has disconnected; null if no stream began
   * @param response sent if no stream began
   */
  record StreamStart(Runnable onClose, Response response) {}

  /** Receives a stream's events; any thread, never blocks. */
  interface EventSink {
    /**
     * @param event not modified
     * @return false once the client has disconnected
     */
    boolean send(byte[] event);

    /** Reports that no events follow. */
    void end();
  }
}
