package org.fedometer.collector.logs;

/**
 * What a collector does with logs.
 *
 * @param senders whose logs are taken
 * @param ownEvents takes events of Fedometer's own agent; null to take them as any other
 * @param storeId who the collector's store is, see {@link org.fedometer.store.StoreIdentity}
 * @param assumed counts events that could not be read in full
 */
public record LogIntake(
    LogSenders senders, OwnEvents.Factory ownEvents, String storeId, AssumedEvents assumed) {}
