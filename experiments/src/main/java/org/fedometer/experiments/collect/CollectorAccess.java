package org.fedometer.experiments.collect;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.fedometer.wire.client.AgentOption;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.tls.TlsTrust;

/**
 * What it takes to talk to a collector: its token, and TLS. A job brings it to its own connections
 * and to the agent that it puts into Fedora's JVM. The token is never part of a command line: an
 * agent gets the name of its file, or else an environment variable. Immutable.
 */
public final class CollectorAccess {
  /** The variable that commands and agents read a token from. */
  public static final String TOKEN_VARIABLE = "FEDOMETER_TOKEN";

  public static final CollectorAccess PLAIN = new CollectorAccess("", null, null);

  private final String token;
  private final Path tokenFile;
  private final TlsTrust tls;

  /**
   * @param token empty for none
   * @param tokenFileOrNull where the token was read from; null if it came otherwise
   * @param tlsOrNull null for plain connections; what it shows of itself comes from PEM files
   */
  public CollectorAccess(String token, Path tokenFileOrNull, TlsTrust tlsOrNull) {
    this.token = Objects.requireNonNull(token, "token");
    this.tokenFile = tokenFileOrNull == null ? null : tokenFileOrNull.toAbsolutePath().normalize();
    this.tls = tlsOrNull;
  }

  /** Empty for none. */
  public String token() {
    return token;
  }

  public TlsTrust tlsOrNull() {
    return tls;
  }

  ClientOptions.Builder client(String host, int port) {
    return ClientOptions.builder(host, port).tokenOrNull(token).tls(tls);
  }

  /** What an agent is told on Fedora's command line, to be read by whoever may list processes. */
  String agentOptions(String collector) {
    return agentOptions(collector, Map.of());
  }

  /** The same, and others. */
  public String agentOptions(String collector, Map<String, String> more) {
    Map<String, String> options = agentOptionsByName(collector);
    options.putAll(more);
    return options.entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue().replace(",", "\\,"))
        .collect(Collectors.joining(","));
  }

  /** The same, for an agent that goes into a JVM that runs. */
  public Map<String, String> agentOptionsByName(String collector) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put(AgentOption.COLLECTOR, collector);
    if (tokenFile != null) {
      options.put(AgentOption.TOKEN_FILE, tokenFile.toString());
    }
    if (tls != null && tls.fileOrNull() != null) {
      options.put(AgentOption.TLS_CA, tls.fileOrNull().toString());
    } else if (tls != null) {
      options.put(AgentOption.TLS, "true");
    }
    if (tls != null && tls.keyOrNull() != null) {
      options.put(AgentOption.TLS_CERTIFICATE, tls.keyOrNull().file().toString());
      options.put(AgentOption.TLS_KEY, tls.keyOrNull().pemKeyOrNull().toString());
    }
    return options;
  }

  /** What an agent is told besides, in the environment of Fedora's process. */
  public Map<String, String> agentEnvironment() {
    return token.isEmpty() || tokenFile != null ? Map.of() : Map.of(TOKEN_VARIABLE, token);
  }

  /** Without the token. */
  @Override
  public String toString() {
    return agentOptions("?");
  }
}
