package org.fedometer.cli.agent;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.attach.AgentSurvey;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvm;
import org.fedometer.attach.Jvms;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.cli.terminal.Terminal;
import org.fedometer.wire.SafeLine;
import org.fedometer.wire.session.AgentReport;

/**
 * The list of {@code attach --find}.
 *
 * @param any all Java processes, not only those that look like a Fedora
 */
record FoundJvms(boolean any) {

  /** Says on {@code err} of which processes not all is known. */
  void print(Path agentJar, boolean json, PrintWriter err)
      throws IOException, InterruptedException {
    List<Jvm> all = Jvms.all();
    List<Jvm> found = all.stream().filter(jvm -> any || jvm.fedora().speaksForFedora()).toList();
    List<AgentSurvey.Answer> answers = new AgentSurvey(new AgentTool(agentJar)).ask(found);
    if (json) {
      StandardOutput.asJson(answers.stream().map(FoundJvms::fields).toList());
      return;
    }
    long unseen = all.stream().filter(jvm -> !jvm.readable()).count();
    if (found.isEmpty()) {
      System.out.println(any ? "no Java process was found" : "no running Fedora was found");
    } else {
      table(answers, err);
    }
    if (unseen > 0) {
      err.println(
          unseen
              + (unseen == 1 ? " Java process of another user" : " Java processes of other users")
              + " could not be looked into; as root, this command sees all.");
    }
  }

  private static void table(List<AgentSurvey.Answer> answers, PrintWriter err) {
    PlainTable.of(answers)
        .right("PROCESS", answer -> Long.toString(answer.jvm().pid()))
        .left("USER", answer -> answer.jvm().user())
        .left("JAVA", answer -> orDash(answer.jvm().version()))
        .right("UP FOR", FoundJvms::upFor)
        .left("FEDORA", answer -> certainty(answer.jvm()))
        .left("HOME", answer -> orDash(answer.jvm().fedora().home()))
        .left("AGENT", FoundJvms::agent)
        .print(System.out, Terminal.columns(), List.of("UP FOR", "USER", "JAVA"));
    for (AgentSurvey.Answer answer : answers) {
      if (!answer.problem().isEmpty()) {
        err.println(SafeLine.of(answer.jvm().pid() + ": " + answer.problem()));
      }
    }
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
    fields.put("agent", agent(answer));
    fields.put("problem", answer.problem());
    return fields;
  }

  private static String upFor(AgentSurvey.Answer answer) {
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
      case NONE -> jvm.readable() ? "no" : "unknown";
    };
  }

  private static String agent(AgentSurvey.Answer answer) {
    if (!answer.problem().isEmpty() || !answer.jvm().readable()) {
      return "unknown";
    }
    return answer
        .report()
        .map(report -> report.facts().getOrDefault(AgentReport.STATE, "yes"))
        .orElse("none");
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
