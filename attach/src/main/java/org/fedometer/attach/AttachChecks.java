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
   * Checks all conditions of the attach mechanism.
   *
   * @param commandLine the user's command, such as {@code fedometer attach 4711}
   */
  static void check(Jvm jvm, ProcessFiles process, String commandLine) throws AttachException {
    checkUser(jvm, process, commandLine);
    checkKind(jvm);
    checkState(jvm, process);
    checkFlags(jvm);
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
  static void checkNetwork(Jvm jvm, ProcessFiles process) throws AttachException {
    Optional<String> theirs = process.namespace("net");
    if (theirs.isPresent() && !theirs.equals(ProcessFiles.ofSelf().namespace("net"))) {
      throw new AttachException(
          container(jvm)
              + "has its own network, in which its agent cannot reach this command; "
              + runInsideHint());
    }
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

  static AttachException dynamicLoading(long pid) {
    return new AttachException(
        "the JVM of process "
            + pid
            + " was started with -XX:-EnableDynamicAgentLoading, which forbids agents; restart it"
            + " without, or "
            + ALTERNATIVE);
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

  private static void checkUser(Jvm jvm, ProcessFiles process, String commandLine)
      throws AttachException {
    long theirs = process.user();
    long ours = ProcessFiles.ofSelf().user();
    boolean oldJava = jvm.feature().isPresent() && jvm.feature().getAsInt() <= OLDEST_JAVA;
    if (theirs != ours && (ours != 0 || oldJava)) {
      throw new AttachException(
          "process "
              + jvm.pid()
              + " belongs to "
              + jvm.user()
              + (ours == 0 ? ", and Java " + OLDEST_JAVA + " rejects even root" : "")
              + "; run this command as that user, as in 'sudo -u "
              + jvm.user()
              + " "
              + commandLine
              + "'");
    }
  }

  private static void checkKind(Jvm jvm) throws AttachException {
    if (jvm.kind() == Jvm.Kind.OPENJ9) {
      throw new AttachException(
          "process "
              + jvm.pid()
              + " runs on OpenJ9, whose attach mechanism is not supported; "
              + ALTERNATIVE);
    }
    if (jvm.feature().isPresent() && jvm.feature().getAsInt() < OLDEST_JAVA) {
      throw new AttachException(
          "process "
              + jvm.pid()
              + " runs on Java "
              + jvm.version()
              + "; the agent needs Java "
              + OLDEST_JAVA
              + " or newer");
    }
  }

  private static void checkState(Jvm jvm, ProcessFiles process) throws AttachException {
    if (jvm.pid() == ProcessHandle.current().pid()) {
      throw new AttachException("process " + jvm.pid() + " is this command itself");
    }
    char state = process.state();
    if (state == 'T' || state == 't') {
      throw new AttachException(
          "process "
              + jvm.pid()
              + " is stopped and cannot answer; 'kill -CONT "
              + jvm.pid()
              + "' resumes it");
    }
  }

  private static void checkFlags(Jvm jvm) throws AttachException {
    if (jvm.flag("DisableAttachMechanism").orElse(false)) {
      throw new AttachException(
          "the JVM of process "
              + jvm.pid()
              + " was started with -XX:+DisableAttachMechanism; restart it without, or "
              + ALTERNATIVE);
    }
    if (!jvm.flag("EnableDynamicAgentLoading").orElse(true)) {
      throw dynamicLoading(jvm.pid());
    }
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
