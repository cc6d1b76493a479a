package org.fedometer.agent.core;

import java.io.File;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.agent.core.ship.Drainer;
import org.fedometer.agent.core.weave.StageTransformer;
import org.fedometer.agent.core.weave.WeavingPlan;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Recording;
import org.fedometer.wire.ClientOptions;
import org.fedometer.wire.CollectorClient;

/**
 * The agent inside its own class loader: puts weaver, recorder and drainer together. Called once by
 * the bootstrap class, before Fedora.
 */
public final class Agent {

  private Agent() {}

  /**
   * Starts recording and shipping.
   *
   * @throws IllegalArgumentException with one sentence for the user when an option is wrong;
   *     nothing has been started then
   */
  public static void start(String arguments, Instrumentation instrumentation) throws Exception {
    AgentOptions options = AgentOptions.of(arguments, System.getProperties(), System.getenv());
    // Everything that can be refused is made before anything is started.
    Recording recording = new Recording(options.ringSamples(), options.threadLimit());
    ClientOptions clientOptions = clientOptions(options);
    AgentLog log = new AgentLog();
    WeavingPlan plan = WeavingPlan.load();

    StageTransformer transformer = new StageTransformer(plan, log);
    Drainer drainer = new Drainer(recording, CollectorClient.open(clientOptions), transformer, log);
    log.line("agent on, collector " + options.collectorHost() + ":" + options.collectorPort());
    drainer.start();
    Runtime.getRuntime().addShutdownHook(new ShutdownDrain(drainer));
    Recorder.start(recording);
    instrumentation.addTransformer(transformer, true);
  }

  private static ClientOptions clientOptions(AgentOptions options) {
    return ClientOptions.builder(options.collectorHost(), options.collectorPort())
        .sourceKind("agent")
        .sourceName(options.sourceName())
        .runId(options.runId())
        .runName(options.runName())
        .attribute(
            "java",
            System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"))
        .attribute("pid", processId())
        .attribute("bootId", bootId())
        .build();
  }

  /** Not by the management beans: they would wake the JDK's logging before Tomcat sets it up. */
  private static String processId() {
    try {
      return new File("/proc/self").getCanonicalFile().getName();
    } catch (IOException unknown) {
      return "";
    }
  }

  /** Tells whether two sources' nanosecond clocks are the same clock. */
  private static String bootId() {
    try {
      byte[] id = Files.readAllBytes(Paths.get("/proc/sys/kernel/random/boot_id"));
      return new String(id, StandardCharsets.US_ASCII).trim();
    } catch (IOException unknown) {
      return "";
    }
  }
}
