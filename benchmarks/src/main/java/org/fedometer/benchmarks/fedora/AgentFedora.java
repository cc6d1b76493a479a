package org.fedometer.benchmarks.fedora;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fedometer.attach.AgentTool;
import org.fedometer.benchmarks.collector.CollectorHost;
import org.fedometer.benchmarks.process.HostProcess;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.fedometer.profiles.UnknownProfileException;
import org.fedometer.store.RunDeletion;
import org.fedometer.wire.session.AgentReport;

/**
 * What the agent costs a real Fedora under constant load: how long requests stand still while it
 * comes and goes, and what throughput is left while it records, against the same warm Fedora while
 * it does not. {@code benchmarks/README.md} says how, and what each line means.
 */
public final class AgentFedora {
  private static final Duration MIN_WARM_UP = Duration.ofSeconds(90);
  private static final Duration BEFORE = Duration.ofMinutes(1);
  private static final Duration AFTERMATH = Duration.ofSeconds(30);
  private static final Duration END_TIMEOUT = Duration.ofMinutes(3);
  private static final String PID_NAMESPACE = "bench";

  private final AgentFedoraOptions options;
  private final Profile profile;
  private final Dataset dataset;

  private AgentFedora(AgentFedoraOptions options) throws UnknownProfileException {
    this.options = options;
    this.profile = Profiles.ofUser().profile(options.profile());
    this.dataset =
        Datasets.open(
            options.dataset(),
            new DatasetOptions(
                PID_NAMESPACE,
                PidForm.named(profile.text("fedora.pids")),
                profile.literalLimitBytes()));
  }

  /** Arguments as {@link AgentFedoraOptions#parse} takes them. */
  public static void main(String[] arguments) throws Exception {
    AgentFedora benchmark;
    try {
      benchmark = new AgentFedora(AgentFedoraOptions.parse(arguments));
    } catch (IllegalArgumentException | UnknownProfileException e) {
      System.err.println("agent-fedora: " + e.getMessage());
      System.exit(2);
      return;
    }
    AtomicBoolean requested = interruptOnShutdown(Thread.currentThread());
    try {
      benchmark.run();
    } catch (Exception e) {
      if (!requested.get()) {
        throw e;
      }
      System.err.println("agent-fedora: ended on request (" + e + ")");
      for (Throwable suppressed : e.getSuppressed()) {
        System.err.println("  could not be ended: " + suppressed);
      }
    }
  }

  /** Ctrl-C interrupts the benchmark, and waits until it has ended all that it has started. */
  private static AtomicBoolean interruptOnShutdown(Thread benchmark) {
    AtomicBoolean requested = new AtomicBoolean();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  requested.set(true);
                  benchmark.interrupt();
                  try {
                    benchmark.join(END_TIMEOUT.toMillis());
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                },
                "end"));
    return requested;
  }

  private void run() throws Exception {
    System.out.printf(
        Locale.ROOT,
        "%d processors, Java %s; %s, %s, %d workers, blocks of %.1f s, seed %d%n",
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.version"),
        profile.name(),
        options.dataset(),
        options.workers(),
        options.block().toMillis() / 1e3,
        options.seed());
    Path folder = Files.createTempDirectory("fedometer-bench");
    try (HostProcess collector =
            HostProcess.start(
                "", CollectorHost.class, List.of("-Xmx256m"), folder.resolve("store"));
        CountingRelay relay = CountingRelay.to(Integer.parseInt(collector.await("port")));
        FedoraUnderTest fedora = new FedoraUnderTest(folder.resolve("fedora"))) {
      try {
        fedora.start(profile);
        try (ConstantLoad load = ConstantLoad.start(fedora.login(), dataset, options.workers())) {
          measure(
              load, relay, new RecordingSwitch(new AgentTool(options.agentJar()), fedora.jvm()));
        }
      } finally {
        // The processes that end now must end in good order.
        Thread.interrupted();
      }
    } finally {
      RunDeletion.delete(folder);
    }
  }

  private void measure(ConstantLoad load, CountingRelay relay, RecordingSwitch recording)
      throws IOException, InterruptedException {
    RequestLog log = load.log();
    load.awaitIngested(options.warmUpObjects());
    load.awaitUntil(MIN_WARM_UP.toNanos());
    print("warm after %d objects", log.ingested());

    Stall attaching = underLoad("live attach", load, () -> recording.attach(relay.port()));
    load.awaitIngested(log.ingested() + options.warmUpObjects() / 2);
    print("warm again after %d objects", log.ingested());

    Blocks blocks = new Blocks(options, load, recording);
    RatioInterval interval = blocks.run();
    print("%s", blocks.describe(interval));
    print("%s", blocks.describeCommands());

    recording.setRecording(true);
    load.awaitUntil(log.nowNanos() + BEFORE.toNanos());
    underLoad("live detach", load, recording::detach);
    load.close();
    describeCost(relay, recording, log);
    System.out.printf(
        Locale.ROOT,
        "agent-fedora: with/without %.4f [%.4f, %.4f] over %d pairs, live attach stalled %.2f s,"
            + " %.2f bytes/sample%n",
        interval.ratio(),
        interval.low(),
        interval.high(),
        interval.pairs(),
        attaching.stalledSeconds(),
        bytesPerSample(relay.sampleFrameBytes(), relay));
  }

  private interface Command {
    void run() throws IOException, InterruptedException;
  }

  private Stall underLoad(String name, ConstantLoad load, Command command)
      throws IOException, InterruptedException {
    RequestLog log = load.log();
    long beginNanos = log.nowNanos();
    command.run();
    long doneNanos = log.nowNanos();
    load.awaitUntil(doneNanos + AFTERMATH.toNanos());
    long endNanos = load.awaitEndAfter(doneNanos + AFTERMATH.toNanos());
    long beforeNanos = beginNanos - BEFORE.toNanos();
    Stall stall =
        Stall.of(log.endedWithin(beforeNanos, beginNanos), log.endedWithin(beginNanos, endNanos));
    print("%s", stall.describe(name));
    print(
        "  the command took %.2f s; objects/s: %.1f in the minute before, %.1f from the command to"
            + " 30 s after it",
        (doneNanos - beginNanos) / 1e9,
        log.ingestedWithin(beforeNanos, beginNanos) * 1e9 / BEFORE.toNanos(),
        log.ingestedWithin(beginNanos, endNanos) * 1e9 / (endNanos - beginNanos));
    return stall;
  }

  private static void describeCost(CountingRelay relay, RecordingSwitch recording, RequestLog log) {
    long samples = recording.fact(AgentReport.SAMPLES);
    long dropped = recording.fact(AgentReport.SAMPLES_DROPPED);
    print(
        "recorded %.0f samples/s for %.0f s; of %d samples %d were dropped and %d arrived;"
            + " frames dropped %d, stages skipped %d, threads refused %d",
        samples / recording.recordingSeconds(),
        recording.recordingSeconds(),
        samples,
        dropped,
        relay.samples(),
        recording.fact(AgentReport.FRAMES_DROPPED),
        recording.fact(AgentReport.STAGES_SKIPPED),
        recording.fact(AgentReport.THREADS_REFUSED));
    print(
        "the agent held %.1f MB at most, of %.1f MB allowed",
        recording.maxMemoryBytes() / 1e6, recording.fact(AgentReport.MEMORY_LIMIT_BYTES) / 1e6);
    print(
        "on the wire: %.2f bytes/sample in frames of samples, heads included; %.2f with traces,"
            + " names, totals and all else",
        bytesPerSample(relay.sampleFrameBytes(), relay), bytesPerSample(relay.allBytes(), relay));
    print("requests that failed in all: %d of %d", log.failed(), log.failed() + log.ingested());
  }

  private static double bytesPerSample(long bytes, CountingRelay relay) {
    return (double) bytes / relay.samples();
  }

  private static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }
}
