package org.fedometer.experiments;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.AgentOption;

/**
 * What the user asked of {@code fedometer attach}.
 *
 * @param pid of the JVM
 * @param any whether another JVM than a Fedora's will do
 * @param agentJar the agent
 * @param agentOptions by name, as for {@code -javaagent}, but for the collector
 * @param store the run store of the background collector
 * @param collector a collector to send to, or null for one in the background on loopback; or a
 *     Log4j2 receiver
 * @param access to that collector
 * @param collectorCommand command line that starts a background collector for {@code store}
 */
public record AttachOptions(
    long pid,
    boolean any,
    Path agentJar,
    Map<String, String> agentOptions,
    Path store,
    InetSocketAddress collector,
    CollectorAccess access,
    List<String> collectorCommand) {

  public AttachOptions {
    agentOptions = new LinkedHashMap<>(agentOptions);
    collectorCommand = List.copyOf(collectorCommand);
    if (agentOptions.containsKey(AgentOption.TRANSPORT) && collector == null) {
      throw new IllegalArgumentException(
          "transport log4j2 needs the address of a receiver, such as 127.0.0.1:4560");
    }
  }

  /** Whether samples go to a Log4j2 receiver, and no collector is needed. */
  boolean toReceiver() {
    return agentOptions.containsKey(AgentOption.TRANSPORT);
  }
}
