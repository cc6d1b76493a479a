package org.fedometer.cli.agent;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.fedometer.attach.AgentSurvey;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvm;
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
    name = "list",
    description = "List running Fedoras and the agents in them.",
    footerHeading = Headings.EXAMPLES,
    footer = {"  fedometer agent list", "  fedometer agent list --any --json"},
    mixinStandardHelpOptions = true)
public final class AgentListCommand implements Callable<Integer> {
  /** Of a JVM without an agent, and of one whose agent's state could not be read. */
  private static final String NONE = "none";

  private static final String UNKNOWN = "unknown";

  @Option(names = "--any", description = "List all Java processes.")
  private boolean any;

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    List<Jvm> all = Jvms.all();
    AgentSurvey survey = new AgentSurvey(new AgentTool(Installation.current().agentJar()));
    List<AgentSurvey.Answer> found = survey.ask(all).stream().filter(this::isListed).toList();
    PrintWriter err = spec.commandLine().getErr();
    if (json) {
      StandardOutput.asJson(found.stream().map(AgentListCommand::fields).toList());
    } else {
      if (found.isEmpty()) {
        System.out.println(any ? "no Java process was found" : "no running Fedora was found");
      } else {
        table(found);
        found.stream()
            .flatMap(AgentListCommand::problems)
            .forEach(problem -> err.println(SafeLine.of(problem)));
      }
      long unreadable = all.stream().filter(jvm -> !jvm.readable()).count();
      if (unreadable > 0) {
        err.println(
            unreadable
                + (unreadable == 1
                    ? " Java process of another user"
                    : " Java processes of other users")
                + " could not be read; run this command as root to see all.");
      }
    }
    return found.stream().allMatch(answer -> answer.problem().isEmpty())
        ? ExitCode.DONE
        : ExitCode.DONE_WITH_ERRORS;
  }

  private boolean isListed(AgentSurvey.Answer answer) {
    return any
        || answer.jvm().fedora().speaksForFedora()
        || answer.report().isPresent()
        || !answer.problem().isEmpty();
  }

  private static void table(List<AgentSurvey.Answer> answers) {
    PlainTable.of(answers)
        .right("PROCESS", answer -> Long.toString(answer.jvm().pid()))
        .left("USER", answer -> answer.jvm().user())
        .left("JAVA", answer -> orDash(answer.jvm().version()))
        .right("UP FOR", AgentListCommand::age)
        .left("FEDORA", answer -> certainty(answer.jvm()))
        .left("HOME", answer -> orDash(answer.jvm().fedora().home()))
        .left("AGENT", AgentListCommand::state)
        .right("BEGAN", answer -> facts(answer).began())
        .left("VERSION", answer -> text(answer, AgentReport.VERSION))
        .left("COLLECTOR", answer -> text(answer, AgentReport.COLLECTOR))
        .left("CONNECTED", answer -> facts(answer).connected())
        .right("MEMORY", answer -> facts(answer).memory())
        .right("THREADS", answer -> text(answer, AgentReport.THREADS))
        .right("SAMPLES", answer -> text(answer, AgentReport.SAMPLES))
        .right("DROPPED", answer -> text(answer, AgentReport.SAMPLES_DROPPED))
        .print(
            System.out,
            Terminal.columns(),
            List.of(
                "VERSION", "THREADS", "UP FOR", "USER", "BEGAN", "JAVA", "MEMORY", "HOME",
                "FEDORA"));
  }

  private static Stream<String> problems(AgentSurvey.Answer answer) {
    Stream<String> failedStages =
        answer.report().stream()
            .flatMap(report -> Stream.concat(report.stages().stream(), report.captures().stream()))
            .filter(woven -> woven.weaving() == AgentReport.Weaving.FAILED)
            .map(failed -> failed.name() + " failed: " + failed.detail());
    String problem =
        answer.problem().isEmpty()
            ? facts(answer).facts().getOrDefault(AgentReport.CONNECTION_ERROR, "")
            : answer.problem();
    return Stream.concat(Stream.of(problem, facts(answer).refusedInWords()), failedStages)
        .filter(text -> !text.isEmpty())
        .map(text -> answer.jvm().pid() + ": " + text);
  }

  private static Map<String, Object> fields(AgentSurvey.Answer answer) {
    Jvm jvm = answer.jvm();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("pid", jvm.pid());
    fields.put("user", jvm.user());
    fields.put("java", jvm.version());
    fields.put("started", jvm.started().map(Instant::toString).orElse(null));
    fields.put("fedora", certainty(jvm));
    fields.put("reason", jvm.fedora().reason());
    fields.put("home", jvm.fedora().home());
    fields.put("state", state(answer));
    fields.put("problem", answer.problem());
    fields.putAll(facts(answer).json());
    answer
        .report()
        .ifPresent(report -> fields.putAll(AgentJson.woven(report.stages(), report.captures())));
    return fields;
  }

  private static String age(AgentSurvey.Answer answer) {
    return answer
        .jvm()
        .started()
        .map(started -> AgentFacts.age(Duration.between(started, Instant.now())))
        .orElse("-");
  }

  private static String certainty(Jvm jvm) {
    return switch (jvm.fedora().certainty()) {
      case CERTAIN -> "certain";
      case LIKELY -> "likely";
      case NONE -> jvm.readable() ? "no" : UNKNOWN;
    };
  }

  private static String state(AgentSurvey.Answer answer) {
    if (!answer.problem().isEmpty() || !answer.jvm().readable()) {
      return UNKNOWN;
    }
    return answer.report().isPresent() ? text(answer, AgentReport.STATE) : NONE;
  }

  private static AgentFacts facts(AgentSurvey.Answer answer) {
    return new AgentFacts(answer.report().map(AgentReport::facts).orElse(Map.of()));
  }

  private static String text(AgentSurvey.Answer answer, String fact) {
    return facts(answer).text(fact);
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
