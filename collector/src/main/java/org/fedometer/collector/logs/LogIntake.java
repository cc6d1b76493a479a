package org.fedometer.collector.logs;

/**
 * What a collector does with logs.
 *
 * @param senders whose logs are taken
 * @param agentEvents takes events of Fedometer's own agent; null to take them as any other
 * @param storeId who the collector's store is, see {@link org.fedometer.store.StoreIdentity}
 * @param assumedEvents counts events that could not be read in full
 */
public record LogIntake(
    LogSenders senders,
    AgentEvents.Factory agentEvents,
    String storeId,
    AssumedEvents assumedEvents) {}
