package org.fedometer.attach;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A process that runs Java, as it was when it was looked at. Made by {@link Jvms}. Immutable.
 *
 * @param pid its number on this host
 * @param user who runs it: a name, or a number where there is no name
 * @param version such as {@code 17.0.15}; empty where it cannot be told
 * @param started when; empty where it cannot be told
 * @param optionVariables environment variables that a JVM takes options from; none of another
 *     user's process
 * @param fedora how sure it is that this is a Fedora
 * @param agentJar the agent's jar that this JVM has open, by the path that the JVM knows: an agent
 *     is there or was
 * @param readable whether all could be looked at, or only what any user may see
 */
public record Jvm(
    long pid,
    String user,
    Kind kind,
    String version,
    Optional<Instant> started,
    List<String> commandLine,
    Map<String, String> optionVariables,
    FedoraEvidence fedora,
    Optional<Path> agentJar,
    boolean readable) {

  /** From there on a JVM warns of agents that come later. */
  private static final int FIRST_JAVA_THAT_WARNS = 21;

  public enum Kind {
    /** OpenJDK's and all that are built from it. */
    HOTSPOT("HotSpot"),
    /** Eclipse OpenJ9, IBM Semeru. */
    OPENJ9("OpenJ9"),
    /** Java, but another user's: which one cannot be seen. */
    UNKNOWN("unknown");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  public Jvm {
    commandLine = List.copyOf(commandLine);
    optionVariables = Map.copyOf(optionVariables);
  }

  /** 8, 17, 25; empty where it cannot be told. */
  public OptionalInt feature() {
    String[] parts = version.split("[._+-]", 3);
    String feature = parts[0].equals("1") && parts.length > 1 ? parts[1] : parts[0];
    return feature.matches("[0-9]{1,4}")
        ? OptionalInt.of(Integer.parseInt(feature))
        : OptionalInt.empty();
  }

  /** Whether it writes a warning into its own log at each command for an agent in it. */
  public boolean warnsOfAgents() {
    return feature().orElse(0) >= FIRST_JAVA_THAT_WARNS
        && flag("EnableDynamicAgentLoading").isEmpty();
  }

  /** Whether an {@code -XX} flag was given, by the last place that names it. */
  public Optional<Boolean> flag(String name) {
    Optional<Boolean> given = Optional.empty();
    StringBuilder options = new StringBuilder();
    // The order in which HotSpot reads them.
    for (String variable : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")) {
      options.append(optionVariables.getOrDefault(variable, "")).append(' ');
    }
    options.append(String.join(" ", commandLine)).append(' ');
    options.append(optionVariables.getOrDefault("_JAVA_OPTIONS", ""));
    for (String option : options.toString().split("\\s+")) {
      if (option.equals("-XX:+" + name)) {
        given = Optional.of(true);
      } else if (option.equals("-XX:-" + name)) {
        given = Optional.of(false);
      }
    }
    return given;
  }
}
