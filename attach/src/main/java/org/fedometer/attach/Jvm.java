package org.fedometer.attach;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A Java process at the time it was inspected. Created by {@link Jvms}. Immutable.
 *
 * @param pid its number on this host
 * @param user its user: a name, or a number if there is no name
 * @param version such as {@code 17.0.15}; empty if unknown
 * @param started start time; empty if unknown
 * @param optionVariables environment variables with JVM options; none for another user's process
 * @param fedora evidence that this is a Fedora
 * @param agentJar the agent's jar that this JVM has open, by the JVM's path: an agent is or was
 *     there
 * @param readable true if everything was readable, false if only data visible to any user
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

  /** From this version on a JVM warns of agents that are loaded later. */
  private static final int FIRST_JAVA_THAT_WARNS = 21;

  public enum Kind {
    /** OpenJDK and all builds of it. */
    HOTSPOT("HotSpot"),
    /** Eclipse OpenJ9, IBM Semeru. */
    OPENJ9("OpenJ9"),
    /** Another user's Java, whose kind is not visible. */
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

  /** Returns 8, 17, 25; empty if unknown. */
  public OptionalInt feature() {
    String[] parts = version.split("[._+-]", 3);
    String feature = parts[0].equals("1") && parts.length > 1 ? parts[1] : parts[0];
    return feature.matches("[0-9]{1,4}")
        ? OptionalInt.of(Integer.parseInt(feature))
        : OptionalInt.empty();
  }

  /** Returns whether the JVM logs a warning at each command for an agent in it. */
  public boolean warnsOfAgents() {
    return feature().orElse(0) >= FIRST_JAVA_THAT_WARNS
        && flag("EnableDynamicAgentLoading").isEmpty();
  }

  /** Returns the value of an {@code -XX} flag, by its last occurrence; empty if not given. */
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
