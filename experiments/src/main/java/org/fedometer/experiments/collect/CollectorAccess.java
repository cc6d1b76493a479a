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
 * Credentials for a collector: its token, and TLS. Used for a job's connections and the agent in
 * Fedora's JVM. The token is never on a command line: an agent gets its file's name, or an
 * environment variable. Immutable.
 */
public final class CollectorAccess {
  /** Variable from which commands and agents read a token. */
  public static final String TOKEN_VARIABLE = "FEDOMETER_TOKEN";

  public static final CollectorAccess PLAIN = new CollectorAccess("", null, null);

  private final String token;
  private final Path tokenFile;
  private final TlsTrust tls;

  /**
   * @param token empty for none
   * @param tokenFileOrNull source file of the token; null for another source
   * @param tlsOrNull null for plain connections; a client certificate comes from PEM files
   */
  public CollectorAccess(String token, Path tokenFileOrNull, TlsTrust tlsOrNull) {
    this.token = Objects.requireNonNull(token, "token");
    this.tokenFile = tokenFileOrNull == null ? null : tokenFileOrNull.toAbsolutePath().normalize();
    this.tls = tlsOrNull;
  }

  /** Returns the token; empty for none. */
  public String token() {
    return token;
  }

  public TlsTrust tlsOrNull() {
    return tls;
  }

  ClientOptions.Builder client(String host, int port) {
    return ClientOptions.builder(host, port).tokenOrNull(token).tls(tls);
  }

  /** Returns the agent's options on Fedora's command line, visible in the process list. */
  String agentOptions(String collector) {
    return agentOptions(collector, Map.of());
  }

  /** Returns the same with further options. */
  public String agentOptions(String collector, Map<String, String> more) {
    Map<String, String> options = agentOptionsByName(collector);
    options.putAll(more);
    return options.entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue().replace(",", "\\,"))
        .collect(Collectors.joining(","));
  }

  /** Returns the options of an agent attached to a running JVM. */
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

  /** Returns the agent's environment variables of Fedora's process. */
  public Map<String, String> agentEnvironment() {
    return token.isEmpty() || tokenFile != null ? Map.of() : Map.of(TOKEN_VARIABLE, token);
  }

  /** Omits the token. */
  @Override
  public String toString() {
    return agentOptions("?");
  }
}
