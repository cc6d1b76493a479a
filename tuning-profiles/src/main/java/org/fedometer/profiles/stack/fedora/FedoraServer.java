package org.fedometer.profiles.stack.fedora;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fedometer.profiles.stack.home.Secrets;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.java.FlightRecording;
import org.fedometer.profiles.stack.java.JvmArguments;
import org.fedometer.profiles.stack.program.Command;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.LogLines;
import org.fedometer.profiles.stack.program.ProcessExits;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningStep;

/** The JVM of a stack's Fedora. */
public final class FedoraServer {

  /** The administrator that Fedora's installer creates. */
  public static final String ADMINISTRATOR = "fedoraAdmin";

  /** Name of the process in messages and in stack.json. */
  public static final String ROLE = "Fedora";

  private static final Duration POLL = Duration.ofMillis(200);
  private static final int REQUEST_TIMEOUT_MILLIS = 60_000;
  private static final int MIN_TIMEOUT_MILLIS = 1_000;

  /** Used instead of a status if there was no answer. */
  static final int NOT_REACHED = -1;

  /** Long enough to drain the agent. */
  private static final Duration ORDERLY_STOP_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);

  /** Longest duration of {@link #stop}. */
  public static final Duration STOP_TIMEOUT = ORDERLY_STOP_TIMEOUT.plus(KILL_TIMEOUT);

  private final StackFolders folders;
  private final StackDocument stack;

  /**
   * @param stack the document with the ports and arguments of the next start
   */
  public FedoraServer(StackFolders folders, StackDocument stack) {
    this.folders = folders;
    this.stack = stack;
  }

  /** Returns the argument that identifies the home of a JVM's stack. */
  public static String marker(StackFolders folders) {
    return "-Dfedometer.stack=" + folders.home();
  }

  /**
   * Returns the complete command line. Its only secrets are those in the caller's arguments.
   *
   * @throws InterruptedException if the thread is interrupted while Java reports its version
   */
  public List<String> commandLine() throws InterruptedException {
    Path tomcat = folders.tomcat();
    List<String> line = new ArrayList<>();
    line.add(Path.of(stack.plan().javaHome(), "bin/java").toString());
    line.add(marker(folders));
    JvmArguments profile = new JvmArguments(stack);
    line.addAll(profile.heap());
    line.addAll(profile.garbageCollector());
    line.addAll(profile.needed());
    line.addAll(profile.others());
    line.addAll(profile.gcLog(folders.gcLog()));
    FlightRecording.of(folders, stack).ifPresent(recording -> line.add(recording.argument()));
    line.addAll(profile.repository(folders));
    line.add("-Djava.util.logging.config.file=" + tomcat.resolve("conf/logging.properties"));
    line.add("-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager");
    line.add("-Dcatalina.home=" + tomcat);
    line.add("-Dcatalina.base=" + tomcat);
    // Otherwise Tomcat continues without a connector if it loses the race for its port.
    line.add("-Dorg.apache.catalina.startup.EXIT_ON_INIT_FAILURE=true");
    line.addAll(stack.plan().jvmArguments());
    line.add("-classpath");
    line.add(tomcat.resolve("bin/bootstrap.jar") + ":" + tomcat.resolve("bin/tomcat-juli.jar"));
    line.add("org.apache.catalina.startup.Bootstrap");
    line.add("start");
    return line;
  }

  /** Starts the JVM and returns before Fedora is up. */
  public LinuxProcess launch(List<String> commandLine, Map<String, String> environment)
      throws IOException, ProvisioningException {
    long before = LogLines.size(folders.consoleLog());
    Map<String, String> variables = new HashMap<>(environment);
    variables.put("FEDORA_HOME", folders.fedora().toString());
    Process process =
        new Command(commandLine, folders.home(), folders.consoleLog()).startDetached(variables);
    Optional<LinuxProcess> fedora = LinuxProcess.of(ROLE, process.pid());
    if (fedora.isEmpty()) {
      throw ended(before);
    }
    return fedora.get();
  }

  /**
   * Waits until Fedora describes itself.
   *
   * @throws ProvisioningException as soon as the JVM is dead or Fedora's webapp has failed, and
   *     after the timeout
   */
  public void awaitUp(LinuxProcess fedora, long consolePosition, long logPosition)
      throws IOException, InterruptedException, ProvisioningException {
    URI describe = url("describe?xml=true");
    long deadline =
        System.nanoTime() + Duration.ofSeconds(stack.plan().startTimeoutSeconds()).toNanos();
    while (true) {
      int status = get(describe, null, timeoutMillis(deadline));
      if (status == HttpURLConnection.HTTP_OK) {
        return;
      }
      if (!fedora.isAlive()) {
        Optional<String> kill = ProcessExits.killCause(fedora.pid());
        throw kill.isPresent() ? killed(kill.get()) : ended(consolePosition);
      }
      // Tomcat opens its port once all webapps are deployed: a missing one has failed.
      if (status == HttpURLConnection.HTTP_NOT_FOUND) {
        throw new ProvisioningException(
            ProvisioningStep.START_FEDORA,
            "Fedora did not come up: "
                + LogLines.firstCause(folders.fedoraLog(), logPosition)
                    .or(() -> Optional.of("its webapp failed to start"))
                    .get(),
            Files.exists(folders.fedoraLog()) ? folders.fedoraLog() : folders.consoleLog());
      }
      if (System.nanoTime() - deadline > 0) {
        throw new ProvisioningException(
            ProvisioningStep.START_FEDORA,
            "Fedora did not answer within %d s (last status: %s)."
                .formatted(
                    stack.plan().startTimeoutSeconds(),
                    status == NOT_REACHED ? "no connection" : Integer.toString(status)),
            folders.consoleLog());
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /** Logs in once, alone: parallel first logins make Fedora 3.8.1 refuse all later ones. */
  public void logIn(Secrets secrets) throws IOException, ProvisioningException {
    int status =
        get(
            url("objects/fedora-system:FedoraObject-3.0/objectXML"),
            authorization(secrets),
            REQUEST_TIMEOUT_MILLIS);
    if (status != HttpURLConnection.HTTP_OK) {
      throw new ProvisioningException(
          ProvisioningStep.LOG_IN,
          "Fedora is up, but answers the administrator's first request with status " + status + ".",
          folders.fedoraLog());
    }
  }

  static String authorization(Secrets secrets) {
    String credentials = ADMINISTRATOR + ":" + secrets.adminPassword();
    return "Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Returns whether the JVM ended because it lost the race for its port. */
  public boolean lostItsPort(long consolePosition) throws IOException {
    return LogLines.contains(folders.consoleLog(), consolePosition, "java.net.BindException");
  }

  private ProvisioningException ended(long consolePosition) throws IOException {
    return new ProvisioningException(
        ProvisioningStep.START_FEDORA,
        "Fedora's JVM ended before Fedora was up: "
            + LogLines.firstError(folders.consoleLog(), consolePosition)
                .orElse("its log does not say why"),
        folders.consoleLog());
  }

  private ProvisioningException killed(String how) {
    return new ProvisioningException(
        ProvisioningStep.START_FEDORA,
        "Fedora's JVM was " + how + " before Fedora was up.",
        folders.consoleLog());
  }

  private URI url(String path) {
    return url(stack.session().httpPort(), path);
  }

  static URI url(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + "/fedora/" + path);
  }

  /**
   * Returns a timeout that gives a Fedora that accepts a request without answering no extra time.
   */
  private static int timeoutMillis(long deadlineNanos) {
    long remainingMillis = Duration.ofNanos(deadlineNanos - System.nanoTime()).toMillis();
    return (int) Math.max(MIN_TIMEOUT_MILLIS, Math.min(REQUEST_TIMEOUT_MILLIS, remainingMillis));
  }

  /** Returns the status of an answer, or {@link #NOT_REACHED}. */
  static int get(URI uri, String authorization, int timeoutMillis) {
    try {
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(timeoutMillis);
      connection.setReadTimeout(timeoutMillis);
      if (authorization != null) {
        connection.setRequestProperty("Authorization", authorization);
      }
      try {
        return connection.getResponseCode();
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return NOT_REACHED;
    }
  }

  /**
   * Ends a JVM in order, so that shutdown hooks run, or else kills it.
   *
   * @return whether it ended in order
   */
  public static boolean stop(LinuxProcess fedora) throws IOException {
    fedora.signal("TERM");
    if (fedora.awaitEnd(ORDERLY_STOP_TIMEOUT)) {
      return true;
    }
    kill(fedora);
    return false;
  }

  /** Kills a JVM at once; data in Fedora's memory is lost. */
  public static void kill(LinuxProcess fedora) throws IOException {
    fedora.signal("KILL");
    fedora.awaitEnd(KILL_TIMEOUT);
  }
}
