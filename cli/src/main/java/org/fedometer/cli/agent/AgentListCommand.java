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
    footer = {"  fedometer agent list", "  fedometer agent list --all --json"},
    mixinStandardHelpOptions = true)
public final class AgentListCommand implements Callable<Integer> {
  /** State of a JVM without an agent; {@code unknown} if it could not be read. */
  private static final String NONE = "none";

  private static final String UNKNOWN = "unknown";

  @Option(names = "--all", description = "List all Java processes.")
  private boolean any;

  @Option(names = "--json", description = "Print a JSON array.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    List<Jvm> all = Jvms.all();
    AgentSurvey survey = new AgentSurvey(new AgentTool(Installation.current().agentJar()));
    List<AgentSurvey.SurveyResult> results =
        survey.query(all).stream().filter(this::isListed).toList();
    PrintWriter err = spec.commandLine().getErr();
    if (json) {
      StandardOutput.asJson(results.stream().map(AgentListCommand::fields).toList());
    } else {
      if (results.isEmpty()) {
        System.out.println(any ? "no Java process was found" : "no running Fedora was found");
      } else {
        table(results);
        results.stream()
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
    return results.stream().allMatch(result -> result.problem().isEmpty())
        ? ExitCode.DONE
        : ExitCode.DONE_WITH_ERRORS;
  }

  private boolean isListed(AgentSurvey.SurveyResult result) {
    return any
        || result.jvm().fedora().isLikelyFedora()
        || result.report().isPresent()
        || !result.problem().isEmpty();
  }

  private static void table(List<AgentSurvey.SurveyResult> results) {
    PlainTable.of(results)
        .right("PROCESS", result -> Long.toString(result.jvm().pid()))
        .left("USER", result -> result.jvm().user())
        .left("JAVA", result -> orDash(result.jvm().version()))
        .right("UP FOR", AgentListCommand::age)
        .left("FEDORA", result -> certainty(result.jvm()))
        .left("HOME", result -> orDash(result.jvm().fedora().home()))
        .left("AGENT", AgentListCommand::state)
        .right("SINCE", result -> facts(result).startedAgo())
        .left("VERSION", result -> text(result, AgentReport.VERSION))
        .left("COLLECTOR", result -> text(result, AgentReport.COLLECTOR))
        .left("CONNECTED", result -> facts(result).connected())
        .right("MEMORY", result -> facts(result).memory())
        .right("THREADS", result -> text(result, AgentReport.THREADS))
        .right("SAMPLES", result -> text(result, AgentReport.SAMPLES))
        .right("DROPPED", result -> text(result, AgentReport.SAMPLES_DROPPED))
        .print(
            System.out,
            Terminal.columns(),
            List.of(
                "VERSION", "THREADS", "UP FOR", "USER", "SINCE", "JAVA", "MEMORY", "HOME",
                "FEDORA"));
  }

  private static Stream<String> problems(AgentSurvey.SurveyResult result) {
    Stream<String> failedStages =
        result.report().stream()
            .flatMap(report -> Stream.concat(report.stages().stream(), report.captures().stream()))
            .filter(woven -> woven.weaving() == AgentReport.Weaving.FAILED)
            .map(failed -> failed.name() + " failed: " + failed.detail());
    String problem =
        result.problem().isEmpty()
            ? facts(result).facts().getOrDefault(AgentReport.CONNECTION_ERROR, "")
            : result.problem();
    return Stream.concat(Stream.of(problem, facts(result).refusedThreadsText()), failedStages)
        .filter(text -> !text.isEmpty())
        .map(text -> result.jvm().pid() + ": " + text);
  }

  private static Map<String, Object> fields(AgentSurvey.SurveyResult result) {
    Jvm jvm = result.jvm();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("pid", jvm.pid());
    fields.put("user", jvm.user());
    fields.put("java", jvm.version());
    fields.put("started", jvm.started().map(Instant::toString).orElse(null));
    fields.put("fedora", certainty(jvm));
    fields.put("reason", jvm.fedora().reason());
    fields.put("home", jvm.fedora().home());
    fields.put("state", state(result));
    fields.put("problem", result.problem());
    fields.putAll(facts(result).json());
    result
        .report()
        .ifPresent(
            report ->
                fields.putAll(AgentJson.stagesAndCaptures(report.stages(), report.captures())));
    return fields;
  }

  private static String age(AgentSurvey.SurveyResult result) {
    return result
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

  private static String state(AgentSurvey.SurveyResult result) {
    if (!result.problem().isEmpty() || !result.jvm().readable()) {
      return UNKNOWN;
    }
    return result.report().isPresent() ? text(result, AgentReport.STATE) : NONE;
  }

  private static AgentFacts facts(AgentSurvey.SurveyResult result) {
    return new AgentFacts(result.report().map(AgentReport::facts).orElse(Map.of()));
  }

  private static String text(AgentSurvey.SurveyResult result, String fact) {
    return facts(result).text(fact);
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
