package org.fedometer.experiments;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.fedometer.attach.AgentSurvey;
import org.fedometer.attach.AgentSurvey.SurveyResult;
import org.fedometer.attach.AgentTool;
import org.fedometer.attach.Jvm;
import org.fedometer.experiments.check.RepositoryView;
import org.fedometer.experiments.job.Interruption;
import org.fedometer.experiments.job.Reason;
import org.fedometer.wire.Counted;
import org.fedometer.wire.session.AgentReport;

/**
 * Waits, for a bounded time after a load, until the agents of a Fedora on this host have delivered
 * their samples. Skips agents that this user may not query. Confined to the job's thread.
 */
final class UndeliveredSamples {
  /** An agent that has lost its collector retries within ten seconds. */
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  /** Each query makes a JVM of Java 21 or later log a warning. */
  private static final Duration QUERY_INTERVAL = Duration.ofMillis(2_500);

  private static final String UNKNOWN =
      "It is unknown whether Fedora's agents have undelivered samples: ";

  private final List<Jvm> jvms;
  private final AgentQuery agentQuery;
  private final Duration timeout;
  private final Duration queryInterval;

  /** The last report of an agent with undelivered samples, and why a later query failed, if so. */
  private record Pending(Jvm jvm, AgentReport report, Optional<String> noReplyCause) {}

  /** Queries the agents of JVMs; returns a result for each. */
  interface AgentQuery {
    List<SurveyResult> query(List<Jvm> jvms) throws InterruptedException;
  }

  /**
   * @param jvms have the agent's jar open
   * @param queryInterval time from a response to the next query
   */
  UndeliveredSamples(
      List<Jvm> jvms, AgentQuery agentQuery, Duration timeout, Duration queryInterval) {
    this.jvms = List.copyOf(jvms);
    this.agentQuery = agentQuery;
    this.timeout = timeout;
    this.queryInterval = queryInterval;
  }

  /**
   * Waits before a run is sealed. Optional: never fails, is skipped after an interrupt, and is cut
   * short like any wait.
   *
   * @return one sentence for each agent with undelivered samples, or why they are unknown
   */
  static List<String> notes(Interruption interruption, Supplier<UndeliveredSamples> samples) {
    if (interruption.raised()) {
      return List.of();
    }
    List<String> notes = new ArrayList<>();
    try {
      interruption.waitFor(() -> notes.addAll(samples.get().await(() -> !interruption.raised())));
    } catch (InterruptedException e) {
      notes.add(UNKNOWN + "the query was ended on request");
    } catch (RuntimeException e) {
      notes.add(UNKNOWN + Reason.of(e));
    }
    return notes;
  }

  /** Returns samples of the Fedora at an address; of none if it is not found on this host. */
  static UndeliveredSamples inFedoraAt(URI url) {
    List<Jvm> jvms =
        RepositoryView.processesOf(url).stream().filter(jvm -> jvm.agentJar().isPresent()).toList();
    return new UndeliveredSamples(jvms, UndeliveredSamples::query, TIMEOUT, QUERY_INTERVAL);
  }

  /** Queries by the jar that a JVM already has: nothing is loaded into one. */
  private static List<SurveyResult> query(List<Jvm> jvms) throws InterruptedException {
    List<SurveyResult> answers = new ArrayList<>();
    for (Jvm jvm : jvms) {
      AgentTool tool = new AgentTool(jvm.agentJar().orElseThrow());
      answers.addAll(new AgentSurvey(tool).query(List.of(jvm)));
    }
    return answers;
  }

  /**
   * Waits until the agents hold nothing any more. An agent that held samples and then does not
   * answer counts as undelivered.
   *
   * @param goesOn called after each response; false ends the wait
   * @return one sentence for each agent with undelivered samples
   */
  List<String> await(BooleanSupplier goesOn) throws InterruptedException {
    long endNanos = System.nanoTime() + timeout.toNanos();
    List<Jvm> queried = jvms;
    Map<Long, Pending> pending = new LinkedHashMap<>();
    while (true) {
      agentQuery.query(queried).forEach(answer -> updatePending(answer, pending));
      if (pending.isEmpty() || !goesOn.getAsBoolean() || System.nanoTime() - endNanos >= 0) {
        return pending.values().stream().map(UndeliveredSamples::message).toList();
      }
      queried = pending.values().stream().map(Pending::jvm).toList();
      Thread.sleep(queryInterval.toMillis());
    }
  }

  private static void updatePending(SurveyResult answer, Map<Long, Pending> pending) {
    Jvm jvm = answer.jvm();
    if (answer.report().isEmpty()) {
      String silence = answer.problem().isEmpty() ? "there is no agent" : answer.problem();
      pending.computeIfPresent(
          jvm.pid(), (pid, last) -> new Pending(jvm, last.report(), Optional.of(silence)));
    } else if (undeliveredBytes(answer.report().get()) > 0) {
      pending.put(jvm.pid(), new Pending(jvm, answer.report().get(), Optional.empty()));
    } else {
      pending.remove(jvm.pid());
    }
  }

  /** Returns the larger number, since frames in memory are also written to a spool in use. */
  private static long undeliveredBytes(AgentReport report) {
    return Math.max(
        number(report, AgentReport.QUEUED_BYTES), number(report, AgentReport.SPOOLED_BYTES));
  }

  private static String message(Pending pending) {
    AgentReport report = pending.report();
    Map<String, String> facts = report.facts();
    boolean connected = Boolean.parseBoolean(facts.get(AgentReport.CONNECTED));
    boolean silent = pending.noReplyCause().isPresent();
    long dropped = number(report, AgentReport.FRAMES_DROPPED);
    // The spool's folder also has the remains of ended processes.
    boolean spooled = number(report, AgentReport.SPOOLED_BYTES) > 0;
    return String.format(
        Locale.ROOT,
        "The agent in Fedora's process %d %s %,d bytes that %s %s not acknowledged%s%s%s: samples"
            + " of this load%s %s missing.%s",
        pending.jvm().pid(),
        silent ? "held" : "holds",
        undeliveredBytes(report),
        facts.getOrDefault(AgentReport.COLLECTOR, "its collector"),
        silent ? "had" : "has",
        connected
            ? ""
            : (silent ? ", and was" : ", and is") + " not connected to it" + causeText(facts),
        dropped == 0 ? "" : "; it dropped " + Counted.of(dropped, "frame"),
        spoolError(facts)
            + pending.noReplyCause().map(why -> "; the next query failed: " + why).orElse(""),
        spooled ? " or an earlier one" : "",
        connected || silent || spooled ? "may be" : "are",
        connected || silent
            ? ""
            : " It delivers them when a collector of that store listens there again;"
                + " 'fedometer attach "
                + pending.jvm().pid()
                + "' makes it send to another collector, without them.");
  }

  private static String causeText(Map<String, String> facts) {
    String error = facts.getOrDefault(AgentReport.CONNECTION_ERROR, "");
    return error.isEmpty() ? "" : " (" + error + ")";
  }

  private static String spoolError(Map<String, String> facts) {
    String error = facts.getOrDefault(AgentReport.SPOOL_ERROR, "");
    return error.isEmpty() ? "" : "; its spool fails: " + error;
  }

  /** Returns 0 if an older agent sends none, or no number. */
  private static long number(AgentReport report, String name) {
    try {
      return Long.parseLong(report.facts().getOrDefault(name, "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
