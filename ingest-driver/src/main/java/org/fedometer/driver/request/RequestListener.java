package org.fedometer.driver.request;

import java.util.List;

/**
 * Listener for the events of a running ingest. Called on the event's worker, by many workers
 * concurrently; an exception ends the run.
 */
public interface RequestListener {

  /** Ignores all events. */
  RequestListener NONE = event -> {};

  /** Reports an ended attempt. */
  void onRequest(RequestEvent event);

  /** Reports that Fedora is out of reach; all workers wait for it. */
  default void onOutage(String reason) {}

  /**
   * Reports that an object of another driver, to which all objects refer, is awaited, perhaps with
   * others.
   */
  default void onAwaiting(String pid) {}

  /**
   * Reports the number of objects to be checked, since Fedora may have lost them or their triples.
   */
  default void onRecheck(long objects) {}

  /** Reports one more checked object. */
  default void onRechecked() {}

  /** Reports the number of incomplete objects that were purged and are ingested again. */
  default void onReingest(long objects) {}

  /**
   * Reports that the load was paused, resumed or changed; called on the requesting thread.
   *
   * @param pauses all so far, oldest first; a current one ends now
   * @param changes all so far, oldest first
   */
  default void onChange(List<Pause> pauses, List<LoadChange> changes) {}

  /** Reports that the driver ends during an outage, which is as long as known. */
  default void onOutageAtEnd(Outage outage) {}

  default void onRecovery(Outage outage) {}
}
