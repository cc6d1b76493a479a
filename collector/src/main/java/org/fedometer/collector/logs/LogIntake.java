package org.fedometer.collector.logs;

/**
 * What a collector does with logs.
 *
 * @param senders whose logs are taken
 * @param ownEvents takes events of Fedometer's own agent; null to take them as any other
 * @param storeId who the collector's store is, see {@link org.fedometer.store.StoreIdentity}
 * @param token of the collector, empty for none: it lets its own source of logs in
 */
public record LogIntake(
    LogSenders senders, OwnEvents.Factory ownEvents, String storeId, String token) {

  /** For messages: without the token. */
  @Override
  public String toString() {
    return "LogIntake of the store " + storeId;
  }
}
