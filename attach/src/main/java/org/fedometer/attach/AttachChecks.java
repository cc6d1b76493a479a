package org.fedometer.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Checks that a JVM can be attached to before it is touched; the messages are for users. */
final class AttachChecks {
  private static final int OLDEST_JAVA = 8;
  private static final String ALTERNATIVE =
      "start Fedora with -javaagent:fedometer-agent.jar=collector=HOST:PORT instead";

  private AttachChecks() {}

  /**
   * Checks all conditions of the attach mechanism, and that the agent can connect to this process.
   *
   * @param commandLine the user's command, such as {@code fedometer attach 4711}
   */
  static void check(Jvm jvm, ProcessFiles process, String commandLine) throws AttachException {
    Optional<AttachObstacle> obstacle = obstacle(jvm, process, commandLine);
    if (obstacle.isPresent()) {
      throw obstacle.get().exception();
    }
  }

  /** Returns the first unmet condition; parameters as in {@link #check}. */
  static Optional<AttachObstacle> obstacle(Jvm jvm, ProcessFiles process, String commandLine) {
    return user(jvm, process.user(), ProcessFiles.ofSelf().user(), commandLine)
        .or(() -> kind(jvm))
        .or(() -> state(jvm, process))
        .or(() -> flags(jvm))
        .or(() -> network(jvm, process));
  }

  static void checkFedora(Jvm jvm) throws AttachException {
    if (!jvm.fedora().isLikelyFedora()) {
      throw new AttachException(
          "process "
              + jvm.pid()
              + " does not look like a Fedora (fedora.home, FEDORA_HOME and its libraries are"
              + " missing); 'fedometer agent list' lists running Fedoras, --any attaches"
              + " nevertheless");
    }
  }

  /** Checks the network, since the agent connects to this process by its own loopback. */
  private static Optional<AttachObstacle> network(Jvm jvm, ProcessFiles process) {
    Optional<String> theirs = process.namespace("net");
    if (theirs.isPresent() && !theirs.equals(ProcessFiles.ofSelf().namespace("net"))) {
      return obstacle(
          container(jvm) + "has its own network, in which its agent cannot reach this command",
          runInsideHint());
    }
    return Optional.empty();
  }

  /**
   * Checks that the JVM sees a file of this process; {@code what} is such as {@code the agent's
   * jar}.
   */
  static void checkSeen(String what, Path file, Jvm jvm, ProcessFiles process)
      throws AttachException {
    if (hasOtherFileSystems(process) && !isSameFile(file, process.asSeenByProcess(file))) {
      throw new AttachException(
          container(jvm)
              + "has its own file systems, in which "
              + what
              + " ("
              + file
              + ") does not exist; "
              + runInsideHint());
    }
  }

  /**
   * Checks that the JVM can read a file of its own; {@code what} is such as {@code the token file}.
   */
  static void checkReadable(String what, Path file, Jvm jvm, ProcessFiles process)
      throws AttachException {
    boolean otherFileSystems = hasOtherFileSystems(process);
    if (!Files.exists(otherFileSystems ? process.asSeenByProcess(file) : file)) {
      throw new AttachException(
          what
              + " ("
              + file
              + ") does not exist"
              + (otherFileSystems ? " in the container of process " + jvm.pid() : ""));
    }
    // In other file systems, links would lead to wrong files.
    if (process.user() != 0 && !otherFileSystems && !FilePermissions.of(process).mayRead(file)) {
      throw new AttachException(
          what
              + " ("
              + file
              + ") cannot be read by "
              + jvm.user()
              + ", who runs process "
              + jvm.pid()
              + ", by its mode and those of the folders above it (ACLs are not checked); move it"
              + " to a folder that this user can read");
    }
  }

  private static boolean hasOtherFileSystems(ProcessFiles process) {
    Optional<String> theirs = process.namespace("mnt");
    return theirs.isPresent() && !theirs.equals(ProcessFiles.ofSelf().namespace("mnt"));
  }

  static AttachObstacle dynamicLoading(long pid) {
    return new AttachObstacle(
        "the JVM of process "
            + pid
            + " was started with -XX:-EnableDynamicAgentLoading, which forbids agents",
        "restart it without, or " + ALTERNATIVE);
  }

  static AttachException noResponse(long pid, Duration timeout) {
    return new AttachException(
        "the JVM of process "
            + pid
            + " did not answer within "
            + timeout.toSeconds()
            + " s: it is stopped, overloaded, or was started with -XX:+DisableAttachMechanism or"
            + " -Xrs; try again, or "
            + ALTERNATIVE);
  }

  /** Creates the failure of an agent that fell silent; {@code lastMessage} may be empty. */
  static AttachException silentAgent(long pid, String lastMessage, Duration timeout) {
    return new AttachException(
        "the agent in process "
            + pid
            + " has not reported for "
            + timeout.toSeconds()
            + " s"
            + (lastMessage.isEmpty() ? "" : " since '" + lastMessage + "'")
            + "; it may still work: 'fedometer agent list' shows its state");
  }

  /**
   * @param theirs user id of the JVM
   * @param ours user id of this process
   */
  static Optional<AttachObstacle> user(Jvm jvm, long theirs, long ours, String commandLine) {
    boolean oldJava = jvm.feature().isPresent() && jvm.feature().getAsInt() <= OLDEST_JAVA;
    if (theirs != ours && (ours != 0 || oldJava)) {
      return obstacle(
          "process "
              + jvm.pid()
              + " belongs to "
              + jvm.user()
              + (ours == 0 ? ", and Java " + OLDEST_JAVA + " rejects even root" : ""),
          "run the command as that user, as in 'sudo -u " + jvm.user() + " " + commandLine + "'");
    }
    return Optional.empty();
  }

  private static Optional<AttachObstacle> kind(Jvm jvm) {
    if (jvm.kind() == Jvm.Kind.OPENJ9) {
      return obstacle(
          "process " + jvm.pid() + " runs on OpenJ9, whose attach mechanism is not supported",
          ALTERNATIVE);
    }
    if (jvm.feature().isPresent() && jvm.feature().getAsInt() < OLDEST_JAVA) {
      return obstacle(
          "process " + jvm.pid() + " runs on Java " + jvm.version(),
          "the agent needs Java " + OLDEST_JAVA + " or newer");
    }
    return Optional.empty();
  }

  private static Optional<AttachObstacle> state(Jvm jvm, ProcessFiles process) {
    if (jvm.pid() == ProcessHandle.current().pid()) {
      return obstacle("process " + jvm.pid() + " is this command itself", "");
    }
    char state = process.state();
    if (state == 'T' || state == 't') {
      return obstacle(
          "process " + jvm.pid() + " is stopped and cannot answer",
          "'kill -CONT " + jvm.pid() + "' resumes it");
    }
    return Optional.empty();
  }

  private static Optional<AttachObstacle> flags(Jvm jvm) {
    if (jvm.flag("DisableAttachMechanism").orElse(false)) {
      return obstacle(
          "the JVM of process " + jvm.pid() + " was started with -XX:+DisableAttachMechanism",
          "restart it without, or " + ALTERNATIVE);
    }
    return jvm.flag("EnableDynamicAgentLoading").orElse(true)
        ? Optional.empty()
        : Optional.of(dynamicLoading(jvm.pid()));
  }

  private static Optional<AttachObstacle> obstacle(String reason, String remedy) {
    return Optional.of(new AttachObstacle(reason, remedy));
  }

  private static String container(Jvm jvm) {
    return "process " + jvm.pid() + " runs in another container: it ";
  }

  private static String runInsideHint() {
    return "run fedometer inside that container, or " + ALTERNATIVE;
  }

  private static boolean isSameFile(Path ours, Path theirs) {
    try {
      return Files.isSameFile(ours, theirs);
    } catch (IOException e) {
      return false;
    }
  }
}
