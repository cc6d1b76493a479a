package org.fedometer.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the JVMs of this host in Linux's {@code /proc} without contacting them. Only root sees more
 * than the command line of another user's processes.
 */
public final class Jvms {
  private static final String AGENT_JAR = "fedometer-agent.jar";
  private static final String JAVA_AGENT = "-javaagent:";
  private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"([^\"]+)\"");
  private static final int HOME_DEPTH = 6;
  private static final List<String> OPTION_VARIABLES =
      List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  private Jvms() {}

  /**
   * Returns all JVMs, in order of their PIDs.
   *
   * @throws AttachException if this is not Linux
   */
  public static List<Jvm> all() throws IOException {
    requireLinux();
    List<Jvm> jvms = new ArrayList<>();
    for (ProcessFiles process : ProcessFiles.all()) {
      look(process).ifPresent(jvms::add);
    }
    jvms.sort(Comparator.comparingLong(Jvm::pid));
    return jvms;
  }

  /**
   * @throws AttachException if there is no such process, or it is not Java
   */
  public static Jvm of(long pid) throws AttachException {
    requireLinux();
    ProcessFiles process = ProcessFiles.of(pid);
    if (!process.exists()) {
      throw new AttachException(
          "there is no process " + pid + "; 'fedometer agent list' lists running Fedoras");
    }
    if (process.process() != pid) {
      throw new AttachException(
          pid
              + " is a thread of process "
              + process.process()
              + "; give the number of the process");
    }
    return look(process)
        .orElseThrow(
            () ->
                new AttachException(
                    "process "
                        + pid
                        + " ("
                        + process.name()
                        + ") is not a Java virtual machine; 'fedometer agent list' lists running"
                        + " Fedoras"));
  }

  static void requireLinux() throws AttachException {
    if (!ProcessFiles.isSupported()) {
      throw new AttachException(
          "fedometer can find and attach to JVMs only on Linux with /proc; start Fedora with"
              + " -javaagent:fedometer-agent.jar=collector=HOST:PORT instead");
    }
  }

  private static Optional<Jvm> look(ProcessFiles process) {
    List<String> commandLine = process.commandLine();
    if (commandLine.isEmpty()) {
      return Optional.empty();
    }
    boolean readable = process.areReadable();
    Set<String> mapped = process.mappedFiles();
    Optional<Jvm.Kind> kind =
        readable
            ? kindByLibraries(mapped)
            : Optional.of(Jvm.Kind.UNKNOWN).filter(any -> isCalledJava(commandLine.get(0)));
    if (kind.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> environment = process.environment();
    Set<String> open = process.openFiles();
    Map<String, String> optionVariables = new HashMap<>(environment);
    optionVariables.keySet().retainAll(OPTION_VARIABLES);
    return Optional.of(
        new Jvm(
            process.pid(),
            user(process),
            kind.get(),
            version(process, mapped, commandLine.get(0)),
            started(process),
            commandLine,
            optionVariables,
            new FedoraDetector(process, commandLine, environment, open, mapped).detect(),
            agentJar(open, mapped, commandLine),
            readable));
  }

  private static Optional<Jvm.Kind> kindByLibraries(Set<String> mapped) {
    boolean java = false;
    for (String path : mapped) {
      String file = path.substring(path.lastIndexOf('/') + 1);
      if (file.startsWith("libj9vm")) {
        return Optional.of(Jvm.Kind.OPENJ9);
      }
      java |= file.equals("libjvm.so");
    }
    return java ? Optional.of(Jvm.Kind.HOTSPOT) : Optional.empty();
  }

  private static boolean isCalledJava(String program) {
    String name = program.substring(program.lastIndexOf('/') + 1);
    return name.equals("java") || name.startsWith("jsvc");
  }

  private static String user(ProcessFiles process) {
    return ProcessHandle.of(process.pid())
        .flatMap(handle -> handle.info().user())
        .orElseGet(() -> Long.toString(process.user()));
  }

  private static Optional<Instant> started(ProcessFiles process) {
    return ProcessHandle.of(process.pid()).flatMap(handle -> handle.info().startInstant());
  }

  /** Reads the file {@code release} of the JVM's home, which every one since 8 has. */
  private static String version(ProcessFiles process, Set<String> mapped, String program) {
    Path start = null;
    for (String path : mapped) {
      if (path.endsWith("/libjvm.so")) {
        start = ProcessFiles.path(path).map(process::asSeenByProcess).orElse(start);
      }
    }
    if (start == null) {
      try {
        // Another user's: use its program, unless it is in a container.
        start = Path.of(program).toRealPath();
      } catch (IOException | IllegalArgumentException e) {
        return "";
      }
    }
    Path home = start.getParent();
    for (int i = 0; i < HOME_DEPTH && home != null; i++, home = home.getParent()) {
      try {
        Matcher version = VERSION.matcher(Files.readString(home.resolve("release")));
        if (version.find()) {
          return version.group(1);
        }
      } catch (IOException e) {
        // It is not here.
      }
    }
    return "";
  }

  private static Optional<Path> agentJar(
      Collection<String> open, Collection<String> mapped, List<String> commandLine) {
    List<String> candidates = new ArrayList<>(open);
    candidates.addAll(mapped);
    for (String argument : commandLine) {
      if (argument.startsWith(JAVA_AGENT)) {
        candidates.add(argument.substring(JAVA_AGENT.length()).split("=", 2)[0]);
      }
    }
    return candidates.stream()
        .filter(path -> path.endsWith("/" + AGENT_JAR) || path.equals(AGENT_JAR))
        .flatMap(path -> ProcessFiles.path(path).stream())
        .findFirst();
  }
}
