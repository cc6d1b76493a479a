package org.fedometer.agent.core;

import java.io.EOFException;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.fedometer.agent.core.control.ToolConnection;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.agent.core.ship.ShutdownResult;
import org.fedometer.agent.core.threads.DaemonThreads;
import org.fedometer.agent.core.weave.CustomStages;
import org.fedometer.agent.core.weave.Weaving;
import org.fedometer.agent.core.weave.WeavingPlan;
import org.fedometer.agent.core.weave.WeavingReport;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.AgentReport;

/**
 * Executes the commands of the JVM's start and of its attach mechanism. The bootstrap class calls
 * it for one command at a time, and drops it with its class loader when nothing is left to do.
 */
public final class Agent implements BiFunction<String, Instrumentation, Boolean> {

  private static final String ATTACH = "attach";
  private static final String DETACH = "detach";
  private static final String STATUS = "status";
  private static final String WEAVE = "weave";
  private static final String TOP = "top";
  private static final String PAUSE = "pause";
  private static final String RESUME = "resume";

  private static final String CONTINUES = "; the present agent continues unchanged";
  private static final String WEAVING_CONTINUES =
      "some loaded classes are not woven yet; 'fedometer agent list --json' shows the woven stages";
  private static final long CONNECT_TIMEOUT_MILLIS = 5_000;
  private static final long WEAVER_END_TIMEOUT_MILLIS = 30_000;

  /** Shorter than a tool waits for a report. */
  private static final long WEAVE_TIMEOUT_MILLIS = 45_000;

  private static final long THREADS_END_TIMEOUT_MILLIS = 5_000;
  private static final long SHUTDOWN_TIMEOUT_MILLIS = 15_000;

  private final String version;

  /** Serializes commands and the end of the JVM. */
  private final ReentrantLock lock = new ReentrantLock();

  // All three or none; written with the lock held, and also read so, except the volatile one.
  private Measurement measurement;

  /** Other agent threads read it too and must not wait for a running command. */
  private volatile Weaving weaving;

  private ShutdownDrain shutdownDrain;

  private AgentLog log = new AgentLog();

  public Agent(String version) throws ClassNotFoundException {
    this.version = version;
    preloadExceptionClasses();
  }

  /**
   * Finding an exception's handler loads the classes named by the handlers before it. With low
   * memory that would fail and end a thread that must survive.
   */
  private static void preloadExceptionClasses() throws ClassNotFoundException {
    for (Class<?> caught :
        new Class<?>[] {
          Throwable.class,
          Error.class,
          OutOfMemoryError.class,
          LinkageError.class,
          Exception.class,
          RuntimeException.class,
          IllegalArgumentException.class,
          IllegalStateException.class,
          InterruptedException.class,
          ClassNotFoundException.class,
          IOException.class,
          SocketTimeoutException.class,
          EOFException.class,
          MalformedFrameException.class
        }) {
      Class.forName(caught.getName(), true, Agent.class.getClassLoader());
    }
  }

  /**
   * Executes one command; throws nothing.
   *
   * @param text as behind {@code -javaagent:...jar=}, may be {@code null}
   * @return true if the agent still has work to do afterwards
   */
  @Override
  public Boolean apply(String text, Instrumentation instrumentation) {
    lock.lock();
    try {
      AgentArguments arguments = new AgentArguments(text);
      ToolConnection tool = ToolConnection.to(arguments.reply());
      boolean handedOn = false;
      try {
        if (!arguments.optionsDigest().isEmpty()) {
          arguments = readAnnouncedOptions(arguments, tool);
        }
        handedOn = execute(arguments, instrumentation, tool);
      } catch (IllegalArgumentException | IllegalStateException notNow) {
        reject(tool, String.valueOf(notNow.getMessage()));
      } catch (Throwable unexpected) {
        reject(tool, "unexpected: " + unexpected);
      } finally {
        if (!handedOn) {
          tool.close();
        }
      }
    } catch (IllegalArgumentException wrongOption) {
      printError(wrongOption.getMessage());
    } catch (IOException noTool) {
      printError("the tool that sent a command cannot be reached: " + noTool.getMessage());
    } catch (RuntimeException | Error unexpected) {
      printError("unexpected: " + unexpected);
    } finally {
      lock.unlock();
    }
    return measurement != null;
  }

  private static AgentArguments readAnnouncedOptions(
      AgentArguments arguments, ToolConnection tool) {
    tool.working("reading the options");
    try {
      return new AgentArguments(tool.readOptions(arguments.optionsDigest()));
    } catch (IOException notHeard) {
      throw new IllegalStateException(
          "the options cannot be read: " + notHeard.getMessage(), notHeard);
    }
  }

  /** Returns whether the connection to the tool has a new owner. */
  private boolean execute(
      AgentArguments arguments, Instrumentation instrumentation, ToolConnection tool)
      throws Exception {
    switch (arguments.command()) {
      case ATTACH:
        attach(arguments.options(), instrumentation, tool);
        return false;
      case DETACH:
        requireRunning();
        detach(tool);
        return false;
      case STATUS:
        requireRunning();
        reportDone(tool, "", facts());
        return false;
      case WEAVE:
        requireRunning();
        tool.working("weaving the loaded classes");
        boolean woven = weaving.weaveLoaded(WEAVE_TIMEOUT_MILLIS);
        reportDone(tool, woven || weaving.isEnding() ? "" : WEAVING_CONTINUES, facts());
        return false;
      case TOP:
        requireRunning();
        measurement.startLiveReports(tool, agentFacts());
        return true;
      case PAUSE:
        requireRunning();
        measurement.pause();
        reportDone(tool, "recording is paused", facts());
        return false;
      case RESUME:
        requireRunning();
        measurement.resume();
        reportDone(tool, "recording continues", facts());
        return false;
      default:
        throw new IllegalArgumentException(
            "unknown command '"
                + arguments.command()
                + "'; known are "
                + String.join(", ", ATTACH, DETACH, STATUS, WEAVE, TOP, PAUSE, RESUME));
    }
  }

  private void requireRunning() {
    if (measurement == null) {
      throw new IllegalArgumentException("no agent is in this JVM");
    }
  }

  private void attach(
      Map<String, String> given, Instrumentation instrumentation, ToolConnection tool)
      throws Exception {
    AgentOptions options = AgentOptions.of(given, System.getProperties(), System.getenv());
    CustomStages customStages = customStages(options, tool);
    boolean first = measurement == null;
    if (first) {
      log = new AgentLog();
    }
    Measurement next = Measurement.of(options, log);
    String message;
    String failure = "";
    try {
      if (tool.isConnected()) {
        awaitCollector(next, tool);
      }
      if (first) {
        message = begin(next, customStages, instrumentation, tool);
      } else {
        List<String> failures = reweaveIfChanged(customStages, instrumentation, tool);
        String before = measurement.peerAndRun();
        String moved =
            measurement.peer().equals(next.peer()) ? "" : ", and now sends to the " + next.peer();
        ShutdownResult result = replaceMeasurement(next, tool);
        if (!result.failure().isEmpty()) {
          failures.add(result.failure());
        }
        failure = String.join("; ", failures);
        message =
            message(
                "an agent was already attached, with "
                    + before
                    + "; it now has the new options, and defaults for all others"
                    + moved,
                failure,
                result.spooledBytes());
      }
    } finally {
      if (measurement != next) {
        next.abandon();
        if (first) {
          // They need the classes that are unloaded with the agent.
          DaemonThreads.awaitEnd(THREADS_END_TIMEOUT_MILLIS);
        }
      }
    }
    Map<String, String> facts = facts();
    if (!failure.isEmpty()) {
      facts.put(AgentReport.FAILURE, failure);
    }
    reportDone(tool, message, facts);
  }

  private void reportDone(ToolConnection tool, String message, Map<String, String> facts) {
    if (weaving.isEnding()) {
      List<AgentReport.Stage> none = Collections.emptyList();
      facts.put(AgentReport.FAILURE, "nothing is woven; attach again");
      tool.done(message, facts, none, none);
      return;
    }
    tool.done(message, facts, weaving.report().stages(), weaving.report().captures());
  }

  private static String message(String done, String failure, long spooledBytes) {
    return done
        + (spooledBytes == 0 ? "" : "; " + spooledBytes + " bytes wait in the spool")
        + (failure.isEmpty() ? "" : ", but " + failure);
  }

  /**
   * Returns the custom stages. An invalid one fails the command if there is a tool. At Fedora's
   * start, without a tool, it is printed and skipped.
   */
  private CustomStages customStages(AgentOptions options, ToolConnection tool) throws Exception {
    if (options.customStages.isEmpty() && options.aopOrNull == null) {
      return CustomStages.none();
    }
    CustomStages stages = CustomStages.of(options.customStages, options.aopOrNull);
    List<String> refusals = new ArrayList<>(stages.rejections().values());
    if (refusals.isEmpty()) {
      refusals.addAll(WeavingPlan.load(stages).rejections().values());
    }
    if (!refusals.isEmpty()) {
      if (tool.isConnected()) {
        throw new IllegalArgumentException(String.join("; ", refusals));
      }
      for (String refusal : refusals) {
        System.err.println("fedometer: " + refusal + "; the agent starts without it");
      }
    }
    return stages;
  }

  /** Waits some seconds; never replaces a working connection by one that fails. */
  private void awaitCollector(Measurement next, ToolConnection tool) {
    tool.working("connecting to the " + next.peer());
    next.awaitConnection(CONNECT_TIMEOUT_MILLIS);
    String refusal = next.rejection();
    if (!refusal.isEmpty()) {
      throw new IllegalArgumentException(
          "the "
              + next.peer()
              + " refuses this source: "
              + refusal
              + (measurement == null ? "" : CONTINUES));
    }
    if (measurement != null && measurement.isConnected() && !next.isConnected()) {
      throw new IllegalArgumentException(
          "there is no connection to the "
              + next.peer()
              + ": "
              + next.connectionError()
              + CONTINUES
              + ", connected to "
              + measurement.collector());
    }
  }

  private ShutdownResult replaceMeasurement(Measurement next, ToolConnection tool) {
    tool.working("closing the connection to " + measurement.collector());
    ShutdownResult result;
    try {
      result = measurement.finish();
    } finally {
      // Even after a failure it has stopped recording.
      measurement = next;
      next.start(weaving::hasSeenClasses, this::weavingReportOrNull);
    }
    next.scanSpool();
    return result;
  }

  /**
   * Weaves again if the custom stages differ, or if a detach failed half-way; on failure, weaves
   * the previous ones again.
   *
   * @return one sentence for each class whose original bytecode could not be restored
   */
  private List<String> reweaveIfChanged(
      CustomStages customStages, Instrumentation instrumentation, ToolConnection tool)
      throws Exception {
    List<String> failures = new ArrayList<>();
    if (!weaving.isEnding() && weaving.plan().customStages().equals(customStages)) {
      return failures;
    }
    WeavingPlan before = weaving.plan();
    WeavingPlan next = WeavingPlan.load(customStages);
    tool.working("restoring the bytecode of Fedora's classes, to weave them again");
    failures.addAll(weaving.end(WEAVER_END_TIMEOUT_MILLIS));
    try {
      weave(next, instrumentation, tool);
    } catch (Exception | Error failure) {
      String reason = "Fedora's classes cannot be woven again: " + failure;
      String restoreFailures = String.join("; ", failures);
      try {
        weave(before, instrumentation, tool);
      } catch (Exception | Error again) {
        throw new IllegalStateException(
            message(
                reason
                    + "; nor with the old stages: "
                    + again
                    + "; nothing is timed until the next attach",
                restoreFailures,
                0));
      }
      throw new IllegalStateException(
          message(reason + "; they are woven with the old stages" + CONTINUES, restoreFailures, 0));
    }
    return failures;
  }

  private String begin(
      Measurement first,
      CustomStages customStages,
      Instrumentation instrumentation,
      ToolConnection tool)
      throws Exception {
    boolean begun = false;
    try {
      // If a tool has attached, Fedora's logging was set up long ago.
      boolean attached = tool.isConnected();
      first.start(() -> attached || isFedoraStarted(), this::weavingReportOrNull);
      boolean woven = weave(WeavingPlan.load(customStages), instrumentation, tool);
      measurement = first;
      begun = true;
      return woven ? "attached" : "attached; " + WEAVING_CONTINUES;
    } finally {
      if (!begun) {
        first.finish();
      }
    }
  }

  /** Any thread. */
  private boolean isFedoraStarted() {
    Weaving begun = weaving;
    return begun != null && begun.hasSeenClasses();
  }

  /** Returns null before anything is woven, and while it is being removed. Any thread. */
  private WeavingReport weavingReportOrNull() {
    Weaving begun = weaving;
    return begun == null || begun.isEnding() ? null : begun.report();
  }

  /** Returns whether all loaded classes are woven already. */
  private boolean weave(WeavingPlan plan, Instrumentation instrumentation, ToolConnection tool)
      throws Exception {
    tool.working("weaving the stages");
    Weaving begun = new Weaving(instrumentation, plan, log);
    try {
      boolean woven = begun.begin(tool.isConnected() ? WEAVE_TIMEOUT_MILLIS : 0);
      ShutdownDrain drain = new ShutdownDrain(begun, this::endAtShutdown);
      Runtime.getRuntime().addShutdownHook(drain);
      if (shutdownDrain != null) {
        Runtime.getRuntime().removeShutdownHook(shutdownDrain);
      }
      shutdownDrain = drain;
      weaving = begun;
      return woven;
    } catch (Exception | Error failure) {
      String notRestored = String.join("; ", begun.end(WEAVER_END_TIMEOUT_MILLIS));
      if (notRestored.isEmpty()) {
        throw failure;
      }
      throw new IllegalStateException(failure + ", and " + notRestored, failure);
    }
  }

  private void detach(ToolConnection tool) throws InterruptedException {
    tool.working("restoring the bytecode of Fedora's classes");
    List<String> failures = new ArrayList<>(weaving.end(WEAVER_END_TIMEOUT_MILLIS));
    tool.working("sending the last samples");
    ShutdownResult result = measurement.finish();
    if (!result.failure().isEmpty()) {
      failures.add(result.failure());
    }
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownDrain);
    } catch (IllegalStateException alreadyEnding) {
      failures.add("the JVM is ending");
    }
    Map<String, String> facts = facts();
    measurement = null;
    weaving = null;
    shutdownDrain = null;
    failures.addAll(DaemonThreads.awaitEnd(THREADS_END_TIMEOUT_MILLIS));
    facts.put(AgentReport.STATE, "off");
    facts.remove(AgentReport.CONNECTED);
    facts.remove(AgentReport.CONNECTION_ERROR);
    String failure = String.join("; ", failures);
    if (!failure.isEmpty()) {
      facts.put(AgentReport.FAILURE, failure);
    }
    String message = message("detached", failure, result.spooledBytes());
    List<AgentReport.Stage> none = Collections.emptyList();
    tool.done(message, facts, none, none);
  }

  /** On the hook's thread: a hanging command must not keep the JVM from ending. */
  private void endAtShutdown() {
    boolean alone = false;
    try {
      alone = lock.tryLock(SHUTDOWN_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
      if (alone && measurement != null) {
        String failure = measurement.finish().failure();
        if (!failure.isEmpty()) {
          System.err.println("fedometer: " + failure);
        }
      }
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    } finally {
      if (alone) {
        lock.unlock();
      }
    }
  }

  private Map<String, String> facts() {
    Map<String, String> facts = agentFacts();
    facts.putAll(measurement.facts());
    return facts;
  }

  private Map<String, String> agentFacts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(AgentReport.VERSION, version);
    return facts;
  }

  private void reject(ToolConnection tool, String reason) {
    if (tool.isConnected()) {
      tool.reject(reason);
    } else {
      printError(reason);
    }
  }

  private void printError(String reason) {
    System.err.println(
        "fedometer: " + (measurement == null ? "agent off: " : "command not done: ") + reason);
  }
}
