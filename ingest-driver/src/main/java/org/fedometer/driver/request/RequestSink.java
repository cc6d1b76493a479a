package org.fedometer.driver.request;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * Permanent record of all attempts. Called by many workers concurrently. Never drops an attempt:
 * the sink waits for capacity, or else throws, which ends the run.
 */
public interface RequestSink {

  /** Records nothing; for trials. */
  RequestSink NONE = event -> {};

  /** Records one ended attempt. */
  void record(RequestEvent event) throws IOException;

  /** Passes on attempts that have waited for a while; called about twice a second. */
  default void flushIfDue() throws IOException {}

  /** Passes on all attempts; called once, after the last worker has ended. */
  default void finish() throws IOException {}

  /**
   * Returns a view for one of several consecutive users, which does not finish this sink.
   *
   * @param each gets every recorded attempt
   */
  default RequestSink withoutFinish(Consumer<RequestEvent> each) {
    RequestSink all = this;
    return new RequestSink() {
      @Override
      public void record(RequestEvent event) throws IOException {
        all.record(event);
        each.accept(event);
      }

      @Override
      public void flushIfDue() throws IOException {
        all.flushIfDue();
      }
    };
  }
}
