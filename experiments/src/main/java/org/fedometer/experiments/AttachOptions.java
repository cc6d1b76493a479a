package org.fedometer.experiments;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.wire.client.AgentOption;

/**
 * What the user asked of {@code fedometer attach}.
 *
 * @param any whether another JVM than a Fedora's will do
 * @param agentOptions by name, as for {@code -javaagent}, but for the collector
 * @param collector where samples are sent; with transport log4j2 the named one is a receiver
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
