package org.fedometer.cli.load;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fedometer.cli.agent.AgentFacts;
import org.fedometer.cli.agent.CustomStageOptions;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.terminal.ConsoleProgress;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.experiments.UpJob;
import org.fedometer.experiments.UpOptions;
import org.fedometer.experiments.job.RunName;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.wire.SafeLine;
import org.fedometer.wire.client.AgentOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "up",
    description = {
      "Start a Fedora with its database and the agent.",
      "It keeps running until 'stack down'. A home that was taken down starts again with"
          + " its profile."
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer stack up --home ~/fedora",
      "  fedometer stack up --home ~/fedora --name load-1",
      "  fedometer stack up --home ~/fedora --profile mulgara-derby --no-agent"
    },
    mixinStandardHelpOptions = true)
public final class StackUpCommand implements Callable<Integer> {
  @Option(
      names = "--home",
      paramLabel = "DIR",
      required = true,
      description = "Home folder of the stack.")
  private Path home;

  @Option(names = "--no-agent", description = "Start Fedora without the agent.")
  private boolean noAgent;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Run to send samples to (default: a monitoring run).")
  private String runName;

  @Mixin private StackArguments stack;
  @Mixin private StoreOption store;
  @Mixin private CustomStageOptions customStages;
  @Mixin private PreflightOption preflight;

  @Override
  public Integer call() throws Exception {
    if (noAgent && customStages.areGiven()) {
      throw new IllegalArgumentException(
          "--stage and --aop need the agent: leave them or --no-agent out");
    }
    if (noAgent && runName != null) {
      throw new IllegalArgumentException("--name needs the agent: leave it or --no-agent out");
    }
    RunName.require("--name", runName);
    Installation installation = Installation.current();
    ConsoleProgress progress = ConsoleProgress.forTerminal(false);
    UpJob job =
        new UpJob(
            new UpOptions(
                stack.profile(),
                stack.isProfileGiven(),
                home,
                stack.port(),
                noAgent ? Optional.empty() : Optional.of(installation.agentJar()),
                agentOptions(installation.agentJar()),
                stack.collector().place(store.directory(), installation)),
            progress);
    if (preflight.isSkipped()) {
      job.leaveOutPreflight();
    }
    return JobRunner.run(job::run, job::interrupt, progress, running -> show(running, job));
  }

  private int show(Stack running, UpJob job) {
    System.out.println("url       " + running.url());
    System.out.println("user      " + running.user());
    System.out.println("password  in " + running.passwordFile());
    System.out.println("home      " + running.home());
    if (!noAgent) {
      System.out.println("samples   " + SafeLine.of(samples(job.agentIn(running))));
    }
    return ExitCode.DONE;
  }

  private Map<String, String> agentOptions(Path agentJar) {
    Map<String, String> options = new LinkedHashMap<>(customStages.agentOptions(agentJar));
    if (runName != null) {
      options.put(AgentOption.RUN_NAME, runName);
    }
    return options;
  }

  private static String samples(Map<String, String> agent) {
    return agent.isEmpty()
        ? "'fedometer agent list --json' shows their run"
        : new AgentFacts(agent).collectorText();
  }
}
