package org.fedometer.driver.request;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * Where every attempt is recorded for good. Called by many workers at once. An attempt is never
 * dropped: the sink waits for room, and if none comes it throws, which ends the run.
 */
public interface RequestSink {

  /** Records nothing; for trials. */
  RequestSink NONE = event -> {};

  /** Takes one attempt, when it is over. */
  void record(RequestEvent event) throws IOException;

  /** Hands on what has waited for a while; called about twice a second. */
  default void flushIfDue() throws IOException {}

  /** Hands on all that was taken; called once, when the last worker has ended. */
  default void finish() throws IOException {}

  /**
   * The same for one of several that hand on to it one after the other: none of them ends it.
   *
   * @param each hears of what was recorded
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
