package org.fedometer.cli.agent;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fedometer.attach.Jvm;
import org.fedometer.cli.option.CollectorChoice;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.option.TelemetryIntervalConverter;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.cli.terminal.Terminal;
import org.fedometer.experiments.AttachJob;
import org.fedometer.experiments.AttachOptions;
import org.fedometer.experiments.AttachOutcome;
import org.fedometer.experiments.job.RunName;
import org.fedometer.experiments.stack.CustomStages;
import org.fedometer.experiments.telemetry.TelemetryInterval;
import org.fedometer.wire.SafeLine;
import org.fedometer.wire.client.AgentOption;
import org.fedometer.wire.session.AgentReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "attach",
    description = {
      "Attach the agent to a running Fedora, without a restart.",
      "An agent that is attached already gets the options given now, and the defaults of"
          + " all others."
    },
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:done",
      "1:a stage failed, the agent is not connected, or samples are lost",
      "2:bad usage",
      "3:cannot attach to the process"
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer attach 4242",
      "  fedometer attach 4242 --collector 192.0.2.7:4711 --tls-ca ca.pem"
    },
    mixinStandardHelpOptions = true)
public final class AttachCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "PROCESS",
      converter = ProcessIdConverter.class,
      description = "Fedora's process id; see 'fedometer agent list'.")
  private Long pid;

  @Option(names = "--any", description = "Attach even if the process does not look like a Fedora.")
  private boolean any;

  @Option(
      names = "--transport",
      paramLabel = "fedometer|log4j2",
      description =
          "Peer at --collector: a Fedometer collector, or a receiver of Log4j2 events such"
              + " as Logstash (default: fedometer).")
  private Transport transport;

  @Option(
      names = "--source-name",
      paramLabel = "NAME",
      description = "Name of this Fedora in the store (default: fedora).")
  private String sourceName;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Run to send samples to (default: a monitoring run).")
  private String runName;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = AgentSize.class,
      description =
          "Memory limit of the agent, 4m to 4096m; with a spool, at least 16m (default:" + " 32m).")
  private String memory;

  @Option(
      names = "--spool",
      paramLabel = "DIR",
      description =
          "Folder for frames that exceed the memory while the collector is away (default:"
              + " none; they are dropped and counted).")
  private Path spool;

  @Option(
      names = "--spool-size",
      paramLabel = "SIZE",
      converter = AgentSize.class,
      description = "Size limit of the spool, at least 4m (default: 1g).")
  private String spoolSize;

  @Option(
      names = "--telemetry-interval",
      paramLabel = "TIME",
      converter = TelemetryIntervalConverter.class,
      description = "Interval of readings of Fedora's JVM, 100ms to 1h; 0s for none (default: 1s).")
  private Duration telemetryInterval;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description =
          "Lowest level of Fedora's log lines to send: trace, debug, info, warn, error, or"
              + " off (default: warn).")
  private FedoraLogLevel logLevel;

  @Option(
      names = "--log-rate",
      paramLabel = "N",
      description = "Log lines per second, 1 to 100000; further lines are counted (default: 100).")
  private Integer logRate;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Mixin private CollectorChoice collector;
  @Mixin private StoreOption store;
  @Mixin private CustomStageOptions customStages;

  /** Constants of this and the next enum are written as users type them. */
  enum Transport {
    fedometer,
    log4j2
  }

  /** The agent's names. */
  enum FedoraLogLevel {
    trace,
    debug,
    info,
    warn,
    error,
    off
  }

  @Override
  public Integer call() throws Exception {
    Map<String, String> agentOptions = agentOptions();
    agentOptions.putAll(customStages.agentOptions(Installation.current().agentJar()));
    return attach(agentOptions);
  }

  private int attach(Map<String, String> agentOptions) throws IOException, InterruptedException {
    Installation installation = Installation.current();
    AttachJob job =
        new AttachJob(
            new AttachOptions(
                pid,
                any,
                installation.agentJar(),
                agentOptions,
                sendsToReceiver()
                    ? collector.receiver(store.directory(), installation)
                    : collector.place(store.directory(), installation)),
            message -> err().println(SafeLine.of(message)));
    AttachOutcome outcome = job.run();
    if (json) {
      StandardOutput.json(json(outcome));
    } else {
      print(outcome);
    }
    noteAgentWarning(outcome.jvm());
    CustomStages.unmatched(agentOptions, outcome.stages())
        .forEach(note -> err().println(SafeLine.of("note: " + note)));
    return outcome.failed().isEmpty() && outcome.isConnected() && !outcome.hasProblem()
        ? ExitCode.DONE
        : ExitCode.DONE_WITH_ERRORS;
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }

  private boolean sendsToReceiver() {
    return transport == Transport.log4j2;
  }

  private Map<String, String> agentOptions() {
    Map<String, String> options = new LinkedHashMap<>();
    put(options, AgentOption.TRANSPORT, sendsToReceiver() ? AgentOption.TO_LOG4J2 : null);
    put(options, AgentOption.RUN_NAME, runName);
    put(options, AgentOption.SOURCE_NAME, sourceName);
    put(options, AgentOption.MEMORY, memory);
    put(
        options,
        AgentOption.SPOOL,
        spool == null ? null : spool.toAbsolutePath().normalize().toString());
    put(options, AgentOption.SPOOL_SIZE, spoolSize);
    putTelemetry(options);
    put(options, AgentOption.LOG_LEVEL, logLevel == null ? null : logLevel.name());
    put(options, AgentOption.LOG_RATE, logRate == null ? null : logRate.toString());
    if (spoolSize != null && spool == null) {
      throw new IllegalArgumentException("--spool-size needs --spool");
    }
    collector.requirePort();
    if (sendsToReceiver()) {
      collector.accessToReceiver();
    }
    RunName.require("--name", runName);
    AgentLimits.checkSourceName(sourceName);
    AgentLimits.checkMemory(memory, spool != null);
    AgentLimits.checkSpoolSize(spoolSize);
    AgentLimits.checkLogRate(logRate);
    return options;
  }

  private void putTelemetry(Map<String, String> options) {
    if (telemetryInterval == null) {
      return;
    }
    if (TelemetryInterval.require(telemetryInterval).isZero()) {
      options.put(AgentOption.TELEMETRY, "off");
    } else {
      options.put(
          AgentOption.TELEMETRY_INTERVAL, Double.toString(telemetryInterval.toMillis() / 1e3));
    }
  }

  private static void put(Map<String, String> options, String name, String value) {
    if (value != null) {
      options.put(name, value);
    }
  }

  private static void print(AttachOutcome outcome) {
    print("STAGE", outcome.stages());
    print("CAPTURE", outcome.captures());
    for (AgentReport.Stage failed : outcome.failed()) {
      System.out.println(SafeLine.of(failed.name() + " failed: " + failed.detail()));
    }
    count("stages", outcome.stages());
    count("captures", outcome.captures());
    if (!outcome.message().isEmpty()) {
      System.out.println(SafeLine.of("process " + outcome.jvm().pid() + ": " + outcome.message()));
    }
    System.out.println(SafeLine.of(new AgentFacts(outcome.facts()).collectorText()));
  }

  private static void print(String title, List<AgentReport.Stage> stages) {
    if (!stages.isEmpty()) {
      boolean uncut = Terminal.isWidthUnlimited();
      PlainTable<AgentReport.Stage> table =
          uncut ? PlainTable.uncut(stages) : PlainTable.of(stages);
      table
          .left(title, AgentReport.Stage::name)
          .left("STATE", stage -> stateText(stage.weaving()))
          .left("WHERE", AttachCommand::where)
          .print(System.out, uncut ? Integer.MAX_VALUE : Terminal.columns(), List.of("WHERE"));
      System.out.println();
    }
  }

  private static String where(AgentReport.Stage stage) {
    return stage.weaving() == AgentReport.Weaving.FAILED
        ? "see below"
        : withoutPackages(stage.detail());
  }

  private static void count(String name, List<AgentReport.Stage> stages) {
    if (!stages.isEmpty()) {
      List<String> counts = new ArrayList<>();
      for (AgentReport.Weaving weaving : AgentReport.Weaving.values()) {
        counts.add(
            stages.stream().filter(stage -> stage.weaving() == weaving).count()
                + " "
                + stateText(weaving));
      }
      System.out.println(stages.size() + " " + name + ": " + String.join(", ", counts));
    }
  }

  private static String json(AttachOutcome outcome) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("pid", outcome.jvm().pid());
    fields.put("java", outcome.jvm().version());
    fields.put("message", outcome.message());
    fields.putAll(new AgentFacts(outcome.facts()).json());
    fields.putAll(AgentJson.stagesAndCaptures(outcome.stages(), outcome.captures()));
    return StandardOutput.indented(fields);
  }

  private void noteAgentWarning(Jvm jvm) {
    if (jvm.warnsOfAgents()) {
      err()
          .println(
              "note: Java "
                  + jvm.feature().getAsInt()
                  + " writes a warning about the attached agent to Fedora's log; the JVM option"
                  + " -XX:+EnableDynamicAgentLoading suppresses it.");
    }
  }

  static String stateText(AgentReport.Weaving weaving) {
    return weaving == AgentReport.Weaving.NOT_FOUND
        ? "not in this Fedora"
        : weaving == AgentReport.Weaving.NOT_LOADED
            ? "not loaded yet"
            : weaving.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns {@code DefaultDOManager.doCommit} for {@code
   * org.fcrepo.server.storage.DefaultDOManager...}.
   */
  static String withoutPackages(String places) {
    return places.replaceAll("\\b(?:[a-z_][\\w$]*\\.)+(?=[A-Z])", "");
  }
}
