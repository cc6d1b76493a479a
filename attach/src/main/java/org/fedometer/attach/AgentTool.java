package org.fedometer.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.fedometer.attach.ControlChannel.Disconnected;
import org.fedometer.attach.ControlChannel.Event;
import org.fedometer.attach.ControlChannel.FrameReceived;
import org.fedometer.attach.ControlChannel.ReportReceived;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.client.AgentOption;
import org.fedometer.wire.session.AgentReport;

/**
 * Gives commands to the agent in a JVM of this host; loads it first if necessary. Every wait is
 * bounded. Thread-safe; interrupting the thread ends a call early.
 */
public final class AgentTool {
  /** Until a JVM listens, and again until its agent has sent a first report. */
  public static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(10);

  /** An agent that executes a command reports at least this often. */
  private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration COMPLETION_TIMEOUT = Duration.ofSeconds(3);
  private static final long POLL_MILLIS = 50;

  /** Options whose values are files to be read by the JVM. */
  private static final Map<String, String> FILES =
      Map.of(
          AgentOption.TOKEN_FILE, "the token file",
          AgentOption.TLS_CA, "the file of certificates",
          AgentOption.TLS_CERTIFICATE, "the file of the agent's certificate",
          AgentOption.TLS_KEY, "the file of the agent's key");

  private final Path agentJar;

  /**
   * @param agentJar for JVMs that have no agent yet
   */
  public AgentTool(Path agentJar) {
    this.agentJar = agentJar.toAbsolutePath().normalize();
  }

  /** Receives an agent's progress; called on the thread that gave the command. */
  @FunctionalInterface
  public interface ProgressListener {
    void onProgress(String message);
  }

  /** Receives the data of a {@code top} in progress; called on the thread that gave the command. */
  public interface LiveListener {
    /** Accepts current facts and stages; once a second. */
    void onReport(AgentReport report);

    /** Accepts a copy of a frame for the collector; the type may be unknown. */
    void onFrame(Frame frame);

    /** Called several times a second; returns false to end it. */
    boolean isActive();
  }

  /**
   * Checks whether {@link #attach} can be tried, without touching the JVM.
   *
   * @param options of the agent by name, as for {@code -javaagent}
   * @param any true to accept a JVM without Fedora
   * @throws AttachException with the reason and the remedy
   * @throws IllegalArgumentException if an option cannot be encoded for the agent
   */
  public void check(Jvm jvm, Map<String, String> options, boolean any) throws AttachException {
    text(options);
    ProcessFiles process = reachable(jvm, commandLine("attach", jvm));
    if (!any) {
      AttachChecks.checkFedora(jvm);
    }
    for (Map.Entry<String, String> file : FILES.entrySet()) {
      if (options.containsKey(file.getKey())) {
        AttachChecks.checkReadable(
            file.getValue(), Path.of(options.get(file.getKey())), jvm, process);
      }
    }
  }

  /**
   * Loads the agent into a JVM and starts it, or gives an existing one new options; parameters as
   * in {@link #check}.
   *
   * @return the agent's last report, DONE
   * @throws AttachException with the reason why the agent could not be loaded, or rejected the
   *     command
   */
  public AgentReport attach(
      Jvm jvm, Map<String, String> options, boolean any, ProgressListener progress)
      throws IOException, InterruptedException {
    check(jvm, options, any);
    return execute(jvm, "attach", options, progress);
  }

  /** Makes the agent restore the original code and end. */
  public AgentReport detach(Jvm jvm, ProgressListener progress)
      throws IOException, InterruptedException {
    return execute(jvm, "detach", Map.of(), progress);
  }

  public AgentReport status(Jvm jvm) throws IOException, InterruptedException {
    return execute(jvm, "status", Map.of(), message -> {});
  }

  /**
   * Returns the status after all loaded classes are woven. The report has a message if that needs
   * more than about 45 s.
   */
  public AgentReport weave(Jvm jvm) throws IOException, InterruptedException {
    return execute(jvm, "weave", Map.of(), message -> {});
  }

  /** Stops timing; all else continues. */
  public AgentReport pause(Jvm jvm) throws IOException, InterruptedException {
    return execute(jvm, "pause", Map.of(), message -> {});
  }

  public AgentReport resume(Jvm jvm) throws IOException, InterruptedException {
    return execute(jvm, "resume", Map.of(), message -> {});
  }

  /** Receives live data until {@code live} is inactive or the JVM ends. */
  public void top(Jvm jvm, LiveListener live) throws IOException, InterruptedException {
    try (Command command = start(jvm, "top", Map.of())) {
      command.stream(live);
    }
  }

  private AgentReport execute(
      Jvm jvm, String name, Map<String, String> options, ProgressListener progress)
      throws IOException, InterruptedException {
    try (Command command = start(jvm, name, options)) {
      return command.result(progress);
    }
  }

  private Command start(Jvm jvm, String name, Map<String, String> options)
      throws IOException, InterruptedException {
    ProcessFiles process = reachable(jvm, commandLine(name, jvm));
    ControlChannel channel = ControlChannel.open();
    try {
      Map<String, String> arguments = new LinkedHashMap<>(options);
      arguments.put(AgentOption.COMMAND, name);
      arguments.put(AgentOption.REPLY, channel.reply());
      String text = text(arguments);
      Path jar = jarFor(jvm, process);
      if (!HotSpotAttach.fits(jar, text)) {
        // Options too long for the attach mechanism: the agent reads them from this channel.
        text =
            AgentOption.REPLY
                + "="
                + channel.reply()
                + ","
                + AgentOption.OPTIONS_DIGEST
                + "="
                + channel.sendOnConnect(text);
      }
      HotSpotAttach attach = HotSpotAttach.connect(process, RESPONSE_TIMEOUT);
      return new Command(jvm.pid(), channel, attach, jar, text);
    } catch (IOException | InterruptedException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Returns the user's command line, for a message to another user. */
  private static String commandLine(String command, Jvm jvm) {
    return switch (command) {
      case "status", "weave" -> "fedometer agent list";
      case "pause", "resume" -> "fedometer agent " + command + " " + jvm.pid();
      default -> "fedometer " + command + " " + jvm.pid();
    };
  }

  private ProcessFiles reachable(Jvm jvm, String commandLine) throws AttachException {
    ProcessFiles process = ProcessFiles.of(jvm.pid());
    AttachChecks.check(jvm, process, commandLine);
    Path jar = jarFor(jvm, process);
    if (jar.equals(agentJar)) {
      if (!Files.isReadable(jar)) {
        throw new AttachException("the agent's jar " + jar + " cannot be read");
      }
      AttachChecks.checkSeen("the agent's jar", jar, jvm, process);
      AttachChecks.checkReadable("the agent's jar", jar, jvm, process);
    }
    return process;
  }

  /**
   * Returns the jar that the JVM knows already, whose classes it would use anyway; otherwise this
   * tool's.
   */
  private Path jarFor(Jvm jvm, ProcessFiles process) {
    return jvm.agentJar()
        .filter(Path::isAbsolute)
        .filter(jar -> Files.exists(process.asSeenByProcess(jar)))
        .orElse(agentJar);
  }

  /** Encodes arguments as behind {@code -javaagent:...jar=}. */
  static String text(Map<String, String> arguments) {
    arguments.forEach(
        (name, value) -> {
          if (value.endsWith("\\")) {
            throw new IllegalArgumentException(
                name
                    + "="
                    + value
                    + " ends with a backslash, which would escape the comma after the value; give"
                    + " another name");
          }
        });
    List<String> pairs =
        arguments.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue().replace(",", "\\,"))
            .toList();
    return String.join(",", pairs);
  }

  private static final class Command implements AutoCloseable {
    private final long pid;
    private final ControlChannel channel;
    private final HotSpotAttach attach;
    private final FutureTask<Void> loading;
    private boolean responded;

    /** The agent's last progress message; empty before the first. */
    private String lastMessage = "";

    private long lastReceivedNanos = System.nanoTime();

    Command(long pid, ControlChannel channel, HotSpotAttach attach, Path jar, String arguments) {
      this.pid = pid;
      this.channel = channel;
      this.attach = attach;
      this.loading =
          new FutureTask<>(
              () -> {
                attach.loadAgent(jar, arguments);
                return null;
              });
      DaemonThreads.daemon("fedometer-attach-load", loading).start();
    }

    AgentReport result(ProgressListener progress) throws IOException, InterruptedException {
      while (true) {
        Event event = next();
        if (event instanceof ReportReceived reported) {
          AgentReport report = reported.report();
          switch (report.state()) {
            case DONE -> {
              awaitLoaded();
              return report;
            }
            case REFUSED -> throw new AgentRejectedException(rejection(report));
            case WORKING, LIVE -> progress.onProgress(report.message());
          }
        }
      }
    }

    void stream(LiveListener live) throws IOException, InterruptedException {
      while (live.isActive()) {
        Event event = next();
        if (event instanceof FrameReceived copied) {
          live.onFrame(copied.frame());
        } else if (event instanceof ReportReceived reported) {
          if (reported.report().state() == AgentReport.State.REFUSED) {
            throw new AgentRejectedException(rejection(reported.report()));
          }
          if (reported.report().state() == AgentReport.State.DONE) {
            throw new AttachException("the agent in process " + pid + " has ended");
          }
          live.onReport(reported.report());
        }
      }
    }

    /** Returns null if nothing came for a moment; throws if nothing will come any more. */
    private Event next() throws IOException, InterruptedException {
      Event event = channel.next(POLL_MILLIS);
      if (event instanceof Disconnected hungUp) {
        throw new AttachException(
            ProcessFiles.of(pid).exists()
                ? "the agent in process "
                    + pid
                    + " has closed the connection ("
                    + hungUp.reason()
                    + "); see that JVM's standard error"
                : "process " + pid + " has ended");
      }
      if (event != null) {
        responded = true;
        lastReceivedNanos = System.nanoTime();
        if (event instanceof ReportReceived reported) {
          lastMessage = reported.report().message();
        }
        return event;
      }
      Duration silence = Duration.ofNanos(System.nanoTime() - lastReceivedNanos);
      if (loading.isDone()) {
        rethrowLoadingFailure();
        if (!responded && silence.compareTo(COMPLETION_TIMEOUT) > 0) {
          throw new AttachException(
              "the agent was loaded into process "
                  + pid
                  + ", but did not answer; see that JVM's standard error");
        }
      }
      if (responded && silence.compareTo(SILENCE_TIMEOUT) > 0) {
        throw AttachChecks.silentAgent(pid, lastMessage, SILENCE_TIMEOUT);
      }
      if (!responded && silence.compareTo(RESPONSE_TIMEOUT) > 0) {
        throw AttachChecks.noResponse(pid, RESPONSE_TIMEOUT);
      }
      return null;
    }

    /** Waits for the end of {@code agentmain}, which follows its last report. */
    private void awaitLoaded() throws IOException, InterruptedException {
      try {
        loading.get(COMPLETION_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException | ExecutionException e) {
        // It has reported that it is done.
      }
    }

    private void rethrowLoadingFailure() throws IOException, InterruptedException {
      try {
        loading.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AttachException refused) {
          throw refused;
        }
        throw new AttachException(
            "cannot attach to process " + pid + ": " + FailureText.of(e.getCause()), e.getCause());
      }
    }

    private String rejection(AgentReport report) {
      return "process " + pid + ": " + report.message();
    }

    @Override
    public void close() {
      channel.close();
      attach.close();
    }
  }
}
