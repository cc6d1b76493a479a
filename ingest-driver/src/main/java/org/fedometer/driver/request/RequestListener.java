package org.fedometer.driver.request;

import java.util.List;

/**
 * Hears of an ingest while it runs. Called on the worker that the event belongs to, by many workers
 * at once; what it throws ends the run.
 */
public interface RequestListener {

  /** Hears nothing. */
  RequestListener NONE = event -> {};

  /** An attempt is over. */
  void onRequest(RequestEvent event);

  /** Fedora is out of reach; all workers wait for it. */
  default void onOutage(String reason) {}

  /**
   * This object is waited for, and perhaps others of its kind: other drivers bring what all objects
   * refer to.
   */
  default void onAwaiting(String pid) {}

  /** So many objects are looked at, since Fedora may have lost them or their triples. */
  default void onRecheck(long objects) {}

  /** One more of them has been looked at. */
  default void onRechecked() {}

  /** So many of them were purged, since Fedora had not kept them whole, and are ingested again. */
  default void onReingest(long objects) {}

  /**
   * The load was paused, continued or changed; called on the thread that asked for it.
   *
   * @param pauses all so far, oldest first; one that lasts ends now
   * @param changes all so far, oldest first
   */
  default void onChange(List<Pause> pauses, List<LoadChange> changes) {}

  /** The driver ends, or gives up, while Fedora is out of reach; the outage is as long as known. */
  default void onOutageAtEnd(Outage outage) {}

  default void onRecovery(Outage outage) {}
}
