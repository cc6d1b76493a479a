package org.fedometer.agent.core;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.fedometer.agent.core.control.LiveReports;
import org.fedometer.agent.core.control.ToolConnection;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.agent.core.log4j2.Log4j2Protocol;
import org.fedometer.agent.core.ship.CaptureDrain;
import org.fedometer.agent.core.ship.Drainer;
import org.fedometer.agent.core.ship.LogFrames;
import org.fedometer.agent.core.ship.ShutdownResult;
import org.fedometer.agent.core.ship.TelemetryFrames;
import org.fedometer.agent.core.telemetry.JvmTelemetry;
import org.fedometer.agent.core.weave.WeavingReport;
import org.fedometer.aspects.recorder.Captures;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Recording;
import org.fedometer.aspects.recorder.StageSums;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.HostBoot;
import org.fedometer.wire.client.AgentOption;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.ClientStatus;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.tls.TlsTrust;

/**
 * Recording, drainer and collector's client under one set of options, from {@link #start} to {@link
 * #finish}. Commands come one at a time; any thread may read facts.
 */
final class Measurement {

  private static final int MAX_LIVE_REPORTS = 4;

  /** Stall timeout after which a receiver is reconnected. */
  private static final int RECEIVER_STALL_TIMEOUT_MILLIS = 60_000;

  private final AgentOptions options;
  private final Recording recording;
  private final CollectorClient client;
  private final Drainer drainer;
  private final TelemetryFrames telemetryFrames;
  private final Captures captures;
  private final AgentLog log;
  private final Instant since = Instant.now();
  private volatile String runName = "";

  /** Null while nothing is recorded, or if telemetry is off. */
  private JvmTelemetry telemetry;

  /** See {@link JvmTelemetry#begin}. */
  private BooleanSupplier fedoraStarted = () -> true;

  private Supplier<WeavingReport> weaving = () -> null;

  private final List<LiveReports> liveReports = new CopyOnWriteArrayList<>();

  private Measurement(
      AgentOptions options, Recording recording, ClientOptions clientOptions, AgentLog log) {
    this.options = options;
    this.recording = recording;
    this.log = log;
    this.client = CollectorClient.open(clientOptions);
    this.telemetryFrames = new TelemetryFrames(client);
    this.captures = new Captures(new FedoraLog(options.logLevel, options.logLinesPerSecond));
    this.drainer =
        new Drainer(
            recording,
            client,
            log,
            new CaptureDrain(captures, new LogFrames(client), telemetryFrames));
  }

  /**
   * Connects in the background; records nothing yet.
   *
   * @throws IllegalArgumentException with one sentence for the user if an option is wrong; nothing
   *     has been started then
   */
  static Measurement of(AgentOptions options, AgentLog log) {
    Recording recording = new Recording(options.ringSamples, options.threadLimit);
    return new Measurement(options, recording, clientOptions(options, log), log);
  }

  /**
   * @param isFedoraStarted see {@link JvmTelemetry#begin}
   * @param report woven stages for the telemetry; called on any thread, returns {@code null} while
   *     nothing is woven
   */
  void start(BooleanSupplier isFedoraStarted, Supplier<WeavingReport> report) {
    log.append("agent on, " + peer());
    fedoraStarted = isFedoraStarted;
    weaving = report;
    drainer.start();
    Recorder.start(recording);
    Captures.setCurrent(captures);
    beginTelemetry();
  }

  /** Switches recording off and keeps all else. */
  void pause() {
    Recorder.pause();
    Captures.setCurrent(null);
    endTelemetry();
    log.append("recording paused");
  }

  void resume() {
    Recorder.resume();
    Captures.setCurrent(captures);
    beginTelemetry();
    log.append("recording continues");
  }

  private void beginTelemetry() {
    if (telemetry == null && options.telemetry) {
      telemetry =
          JvmTelemetry.begin(
              options.telemetryIntervalMillis,
              options.gcEvents,
              new AgentReadings(
                  telemetryFrames,
                  () -> memoryBytes(client.status()),
                  options.memoryBytes,
                  weaving),
              telemetryFrames,
              log,
              fedoraStarted);
    }
  }

  private void endTelemetry() {
    if (telemetry != null) {
      try {
        telemetry.end();
      } catch (InterruptedException hurry) {
        Thread.currentThread().interrupt();
      } finally {
        telemetry = null;
      }
    }
  }

  /** Sends the remaining data and closes the connections. */
  ShutdownResult finish() {
    endTelemetry();
    Captures.setCurrent(null);
    ShutdownResult result = drainer.finish();
    for (LiveReports live : liveReports) {
      live.end();
    }
    return result;
  }

  /** Forwards the spool that a finished measurement has left in the same folder. */
  void scanSpool() {
    client.scanSpool();
  }

  /**
   * Reports the status to the tool until it disconnects, on a separate thread.
   *
   * @throws IllegalArgumentException with one sentence if too many tools are connected
   */
  void startLiveReports(ToolConnection tool, Map<String, String> agentFacts) {
    if (liveReports.size() >= MAX_LIVE_REPORTS) {
      throw new IllegalArgumentException(
          MAX_LIVE_REPORTS + " tools are already watching this agent; stop one of them");
    }
    LiveReports[] self = new LiveReports[1];
    LiveReports live =
        new LiveReports(
            tool,
            () -> {
              Map<String, String> facts = new LinkedHashMap<>(agentFacts);
              facts.putAll(facts());
              return facts;
            },
            () -> removeLiveReports(self[0]));
    self[0] = live;
    boolean started = false;
    try {
      liveReports.add(live);
      drainer.addListener(live);
      live.start();
      started = true;
    } finally {
      if (!started) {
        removeLiveReports(live);
      }
    }
  }

  private void removeLiveReports(LiveReports live) {
    drainer.removeListener(live);
    liveReports.remove(live);
  }

  /** Waits until the collector has welcomed this source, or the timeout expires. */
  void awaitConnection(long timeoutMillis) {
    try {
      runName = new File(client.awaitWelcome(timeoutMillis).runFolder()).getName();
    } catch (IOException notYet) {
      // The facts have the reason.
    }
  }

  /** Returns why the collector permanently rejects this source; empty if it does not. */
  String rejection() {
    ClientStatus status = client.status();
    return status.rejected() ? status.lastError() : "";
  }

  boolean isConnected() {
    return client.status().connected();
  }

  /** Returns the connection's last error; never empty. */
  String connectionError() {
    String error = client.status().lastError();
    return error.isEmpty() ? "it does not answer" : error;
  }

  /** Closes a measurement that was never started. */
  void abandon() {
    client.close();
  }

  String peer() {
    return (options.log4j2 ? "receiver " : "collector ") + options.collector();
  }

  String peerAndRun() {
    String run = run(client.status());
    return run.isEmpty() ? peer() : peer() + ", run " + run;
  }

  /** Returns the collector's name of the run, else the requested one; may be empty. */
  private String run(ClientStatus status) {
    if (status.connected() && runName.isEmpty() && !options.log4j2) {
      awaitConnection(0);
    }
    return runName.isEmpty() ? options.runName : runName;
  }

  String collector() {
    return options.collector();
  }

  /** Returns facts of {@link AgentReport}. */
  Map<String, String> facts() {
    ClientStatus status = client.status();
    StageSums totals = drainer.latestTotals();
    long samples = 0;
    for (long count : totals.count) {
      samples += count;
    }
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(AgentReport.STATE, Recorder.isOn() ? "recording" : "paused");
    facts.put(AgentReport.SINCE, since.toString());
    facts.put(
        AgentReport.TRANSPORT, options.log4j2 ? AgentOption.TO_LOG4J2 : AgentOption.TO_COLLECTOR);
    facts.put(AgentReport.COLLECTOR, options.collector());
    facts.put(AgentReport.CONNECTED, String.valueOf(status.connected()));
    if (!status.lastError().isEmpty()) {
      facts.put(AgentReport.CONNECTION_ERROR, status.lastError());
    }
    String run = run(status);
    if (!options.log4j2 || !run.isEmpty()) {
      facts.put(AgentReport.RUN_NAME, run);
    }
    facts.put(AgentReport.SOURCE_NAME, options.sourceName);
    facts.put(AgentReport.MEMORY_BYTES, String.valueOf(memoryBytes(status)));
    facts.put(AgentReport.MEMORY_LIMIT_BYTES, String.valueOf(options.memoryBytes));
    facts.put(AgentReport.QUEUED_BYTES, String.valueOf(status.queuedBytes()));
    facts.put(AgentReport.THREADS, String.valueOf(recording.liveThreads()));
    facts.put(AgentReport.THREADS_REFUSED, String.valueOf(recording.threadsRefused()));
    facts.put(AgentReport.SAMPLES, String.valueOf(samples));
    facts.put(
        AgentReport.SAMPLES_DROPPED,
        String.valueOf(totals.samplesDropped + drainer.samplesDropped()));
    facts.put(
        AgentReport.TRACES_DROPPED, String.valueOf(totals.tracesDropped + drainer.tracesDropped()));
    facts.put(AgentReport.FRAMES_DROPPED, String.valueOf(status.framesDropped()));
    facts.put(AgentReport.FRAMES_LOST, String.valueOf(status.framesLost()));
    if (options.spoolOrNull != null) {
      facts.put(AgentReport.SPOOLED_BYTES, String.valueOf(status.spooledBytes()));
      if (!status.spoolError().isEmpty()) {
        facts.put(AgentReport.SPOOL_ERROR, status.spoolError());
      }
    }
    facts.put(AgentReport.STAGES_SKIPPED, String.valueOf(totals.stagesSkipped));
    return facts;
  }

  /** Any thread. */
  private long memoryBytes(ClientStatus status) {
    return recording.memoryBytes()
        + status.queuedBytes()
        + liveReportBytes()
        + options.bufferBytes();
  }

  private long liveReportBytes() {
    long bytes = 0;
    for (LiveReports live : liveReports) {
      bytes += live.waitingBytes();
    }
    return bytes;
  }

  private static void requireUsable(Path folder) {
    try {
      ClientOptions.checkSpoolFolder(folder);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "spool="
              + folder
              + " cannot be used: "
              + FailureText.of(e)
              + "; give a folder that Fedora can write to");
    }
  }

  private static ClientOptions clientOptions(AgentOptions options, AgentLog log) {
    ClientOptions.Builder builder =
        ClientOptions.builder(options.collectorHost, options.collectorPort);
    if (options.log4j2) {
      builder.oneWay(Log4j2Protocol.of(log)).silenceTimeoutMillis(RECEIVER_STALL_TIMEOUT_MILLIS);
    }
    if (options.tls) {
      builder.tls(trust(options));
    }
    if (options.spoolOrNull != null) {
      requireUsable(options.spoolOrNull);
      builder.spool(options.spoolOrNull, options.spoolBytes);
    }
    return builder
        .sourceKind(Hello.AGENT)
        .sourceName(options.sourceName)
        .runId(options.runId)
        .runName(options.runName)
        .tokenOrNull(options.token)
        .maxQueuedBytes(options.queueBytes())
        .attribute(
            "java",
            System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"))
        .attribute("pid", processId())
        .attribute(Hello.BOOT_ID, HostBoot.ID)
        .build();
  }

  private static TlsTrust trust(AgentOptions options) {
    TlsTrust trust;
    try {
      trust =
          options.tlsCaOrNull == null ? TlsTrust.ofJvm() : TlsTrust.ofPemFile(options.tlsCaOrNull);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException("tls-ca: " + unreadable.getMessage());
    }
    try {
      return options.tlsKeyOrNull == null ? trust : trust.withKey(options.tlsKeyOrNull);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException("tls-certificate: " + unreadable.getMessage());
    }
  }

  /**
   * Returns an empty text without {@code /proc}. Does not use the management beans, which would
   * initialize the JDK's logging before Tomcat configures it.
   */
  private static String processId() {
    try {
      File self = new File("/proc/self");
      return self.exists() ? self.getCanonicalFile().getName() : "";
    } catch (IOException unknown) {
      return "";
    }
  }
}
