package org.fedometer.collector.logs;

/**
 * Settings for received logs.
 *
 * @param senders access rules of senders
 * @param agentEvents handles events of Fedometer's agent; null to treat them as any other
 * @param storeId identity of the collector's store, see {@link org.fedometer.store.StoreIdentity}
 * @param assumedEvents counts events that could not be read in full
 */
public record LogIntake(
    LogSenders senders,
    AgentEvents.Factory agentEvents,
    String storeId,
    AssumedEvents assumedEvents) {}
