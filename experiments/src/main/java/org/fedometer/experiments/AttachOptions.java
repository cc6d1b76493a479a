package org.fedometer.experiments;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.wire.client.AgentOption;

/**
 * Options of {@code fedometer attach}.
 *
 * @param any true to accept a JVM without Fedora
 * @param agentOptions by name, as for {@code -javaagent}, without the collector
 * @param collector target of the samples; with transport log4j2, a receiver
 */
public record AttachOptions(
    long pid,
    boolean any,
    Path agentJar,
    Map<String, String> agentOptions,
    CollectorTarget collector) {

  public AttachOptions {
    Objects.requireNonNull(collector, "collector");
    agentOptions = new LinkedHashMap<>(agentOptions);
    if (agentOptions.containsKey(AgentOption.TRANSPORT) && collector.isStoreCollector()) {
      throw new IllegalArgumentException(
          "transport log4j2 needs the address of a receiver, such as 127.0.0.1:4560");
    }
  }

  boolean sendsToReceiver() {
    return agentOptions.containsKey(AgentOption.TRANSPORT);
  }
}
