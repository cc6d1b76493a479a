package org.fedometer.cli.agent;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.fedometer.attach.AgentSurvey;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvms;
import org.fedometer.cli.option.Installation;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.cli.terminal.Terminal;
import org.fedometer.wire.SafeLine;
import org.fedometer.wire.session.AgentReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "agents",
    description = "Lists the agents on this host: each is asked how it is.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer agents",
    mixinStandardHelpOptions = true)
public final class AgentsCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    AgentSurvey survey = new AgentSurvey(new AgentTool(Installation.current().agentJar()));
    List<AgentSurvey.Answer> agents =
        survey.ask(Jvms.all()).stream()
            .filter(answer -> answer.report().isPresent() || !answer.problem().isEmpty())
            .toList();
    if (json) {
      StandardOutput.asJson(agents.stream().map(AgentsCommand::fields).toList());
    } else if (agents.isEmpty()) {
      System.out.println("no agent is running");
    } else {
      table(agents);
    }
    boolean allAnswered = agents.stream().allMatch(agent -> agent.problem().isEmpty());
    return allAnswered ? ExitCode.DONE : ExitCode.DONE_WITH_ERRORS;
  }

  private void table(List<AgentSurvey.Answer> agents) {
    PlainTable.of(agents)
        .right("PROCESS", agent -> Long.toString(agent.jvm().pid()))
        .left(
            "STATE",
            agent -> agent.report().isPresent() ? text(agent, AgentReport.STATE) : "unknown")
        .right("BEGAN", agent -> facts(agent).began())
        .left("VERSION", agent -> text(agent, AgentReport.VERSION))
        .left("COLLECTOR", agent -> text(agent, AgentReport.COLLECTOR))
        .left("CONNECTED", agent -> facts(agent).connected())
        .right("MEMORY", agent -> facts(agent).memory())
        .right("THREADS", agent -> text(agent, AgentReport.THREADS))
        .right("SAMPLES", agent -> text(agent, AgentReport.SAMPLES))
        .right("DROPPED", agent -> text(agent, AgentReport.SAMPLES_DROPPED))
        .print(System.out, Terminal.columns(), List.of("VERSION", "THREADS", "BEGAN"));
    PrintWriter err = spec.commandLine().getErr();
    for (AgentSurvey.Answer agent : agents) {
      String problem =
          agent.problem().isEmpty()
              ? facts(agent).facts().getOrDefault(AgentReport.CONNECTION_ERROR, "")
              : agent.problem();
      if (!problem.isEmpty()) {
        err.println(SafeLine.of(agent.jvm().pid() + ": " + problem));
      }
      String refused = facts(agent).refusedInWords();
      if (!refused.isEmpty()) {
        err.println(SafeLine.of(agent.jvm().pid() + ": " + refused));
      }
      agent.report().stream()
          .flatMap(report -> Stream.concat(report.stages().stream(), report.captures().stream()))
          .filter(woven -> woven.weaving() == AgentReport.Weaving.FAILED)
          .forEach(
              failed ->
                  err.println(
                      SafeLine.of(
                          agent.jvm().pid()
                              + ": "
                              + failed.name()
                              + " failed: "
                              + failed.detail())));
    }
  }

  private static AgentFacts facts(AgentSurvey.Answer agent) {
    return new AgentFacts(agent.report().map(AgentReport::facts).orElse(Map.of()));
  }

  private static String text(AgentSurvey.Answer agent, String fact) {
    return facts(agent).text(fact);
  }

  private static Map<String, Object> fields(AgentSurvey.Answer agent) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("pid", agent.jvm().pid());
    fields.put("user", agent.jvm().user());
    fields.putAll(facts(agent).json());
    fields.put("problem", agent.problem());
    agent
        .report()
        .ifPresent(report -> fields.putAll(AgentJson.woven(report.stages(), report.captures())));
    return fields;
  }
}
