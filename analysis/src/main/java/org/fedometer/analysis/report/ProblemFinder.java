package org.fedometer.analysis.report;

import static org.fedometer.analysis.NumberFormats.count;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.fedometer.analysis.report.RunReport.FailureGroup;
import org.fedometer.analysis.report.RunReport.Operation;
import org.fedometer.analysis.report.RunReport.Problem;
import org.fedometer.analysis.report.RunReport.Requests;
import org.fedometer.analysis.report.RunReport.Samples;
import org.fedometer.analysis.report.RunReport.Severity;
import org.fedometer.analysis.report.RunReport.Source;
import org.fedometer.analysis.report.RunTables.LostTriples;
import org.fedometer.analysis.report.RunTables.RequestSummary;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.Outage;
import org.fedometer.store.RunDocument.TripleCounts;
import org.fedometer.store.RunDocument.Verification;
import org.fedometer.store.RunState;

/** Finds and describes problems of a run. One use. */
final class ProblemFinder {

  /** Limit of listed failure groups; others are summarized in one line. */
  private static final int MAX_FAILURES_SHOWN = 5;

  private final RunDocument run;
  private final ObjectCounts objects;
  private final Requests requests;
  private final List<Operation> operations;
  private final RequestSummary summary;
  private final Samples samples;
  private final LostTriples lost;
  private final long requestsTimed;
  private final long samplesNotSealed;
  private final List<Problem> wrong = new ArrayList<>();
  private final List<Problem> notes = new ArrayList<>();

  ProblemFinder(
      RunDocument run,
      ObjectCounts objects,
      Requests requests,
      List<Operation> operations,
      RequestSummary summary,
      Samples samples,
      LostTriples lost,
      long requestsTimed,
      long samplesNotSealed) {
    this.run = run;
    this.objects = objects;
    this.requests = requests;
    this.operations = operations;
    this.summary = summary;
    this.samples = samples;
    this.lost = lost;
    this.requestsTimed = requestsTimed;
    this.samplesNotSealed = samplesNotSealed;
  }

  List<Problem> find() {
    checkEnd();
    checkObjects();
    checkTriples();
    checkFlushes();
    checkVerification();
    checkRequests();
    checkSamples();
    run.notes().forEach(this::note);
    wrong.addAll(notes);
    return wrong;
  }

  private void checkEnd() {
    RunDocument.Failure failure = run.failure();
    String cause =
        failure == null
            ? ""
            : " at the step '"
                + failure.step()
                + "': "
                + failure.message()
                + (failure.log() == null ? "" : " (log: " + failure.log() + ")");
    if (RunState.FAILED.is(run.state())) {
      wrong("The run failed" + (cause.isEmpty() ? "." : cause));
    } else if (RunState.INTERRUPTED.is(run.state())) {
      wrong("The run was interrupted" + cause + "; the figures cover the time until then.");
    } else if (RunState.RUNNING.is(run.state())) {
      wrong(
          (isOfParts()
                  ? "Some parts of the run have not ended (or were killed)"
                  : "The run has not ended (or was killed)")
              + "; the figures cover only the data received so far.");
    } else if (failure != null) {
      wrong("A failure occurred" + cause);
    }
  }

  private boolean isOfParts() {
    return run.workload() != null && run.workload().containsKey("shards");
  }

  private void checkObjects() {
    if (objects == null) {
      return;
    }
    if (objects.failed() > 0) {
      wrong(count(objects.failed(), "object") + " could not be ingested.");
    }
    long untried = objects.requested() - objects.ingested() - objects.failed();
    if (RunState.isCompleted(run.state()) && untried > 0) {
      wrong(
          count(untried, "object")
              + " of "
              + count(objects.requested())
              + ": neither ingested nor reported as failed.");
    }
    if (objects.counted() != null && !objects.allThere()) {
      wrong(
          "Fedora holds "
              + count(objects.counted(), "object")
              + " of this run, but acknowledged "
              + count(objects.ingested())
              + (objects.purged() > 0 ? " and purged " + count(objects.purged()) : "")
              + ".");
    }
    // An object can be in Fedora although its response was lost, so any request of it counts here.
    // An abandoned object has requests, too, and must not stand in for one without any.
    long sent = objects.ingested() + objects.failed();
    if (summary.ingestsSent() > 0
        && RunState.isCompleted(run.state())
        && summary.objectsTried() < sent) {
      boolean driverWasAway =
          run.outages().stream().anyMatch(outage -> Outage.DRIVER.equals(outage.who()));
      add(
          driverWasAway,
          "The run folder lacks requests: "
              + count(objects.ingested(), "object")
              + " ingested"
              + (objects.failed() > 0 ? ", " + count(objects.failed()) + " given up" : "")
              + ", but requests of only "
              + count(summary.objectsTried())
              + " on record; latencies cover only those."
              + (driverWasAway
                  ? " The others were in progress, or not yet sent to the collector, when the driver ended."
                  : ""));
    }
  }

  private void checkTriples() {
    TripleCounts triples = run.triples();
    if (triples == null || triples.expected() == null || triples.counted() == null) {
      return;
    }
    long difference = triples.counted() - triples.expected();
    if (difference > 0 && run.verification() != null && run.verification().ok()) {
      return; // other writers are possible; a note of the run states that
    }
    if (difference != 0) {
      wrong(
          count(Math.abs(difference), "triple")
              + (difference < 0 ? " missing" : " too many")
              + ": "
              + count(triples.expected())
              + " expected, "
              + count(triples.counted())
              + " in the triplestore.");
    }
  }

  /** Checks for failed flushes. Fedora has already answered 201, and nothing retries them. */
  private void checkFlushes() {
    if (lost.flushesFailed() == 0) {
      return;
    }
    wrong(
        count(lost.flushesFailed())
            + (lost.flushesFailed() == 1 ? " flush" : " flushes")
            + " of triples failed"
            + " and lost "
            + (lost.updates() == 0 ? "triples" : "up to " + count(lost.updates(), "update"))
            + " of acknowledged ingests"
            + (lost.reason().isBlank() ? "." : ": " + lost.reason().strip()));
  }

  private void checkVerification() {
    Verification verification = run.verification();
    if (verification == null) {
      return;
    }
    List<String> found = verification.problems();
    found.forEach(problem -> wrong("Verification: " + problem));
    if (!verification.ok() && found.isEmpty()) {
      wrong("Verification failed.");
    }
  }

  private void checkRequests() {
    if (requests == null || requests.failed() == 0) {
      return;
    }
    boolean ingested = objects != null && objects.failed() == 0 && RunState.DONE.is(run.state());
    Set<String> undone =
        operations.stream()
            .filter(Operation::leftUndone)
            .map(Operation::name)
            .collect(Collectors.toSet());
    List<FailureGroup> groups = requests.failures();
    for (FailureGroup group : groups.subList(0, Math.min(MAX_FAILURES_SHOWN, groups.size()))) {
      add(
          ingested && !undone.contains(group.operation()),
          count(group.count(), "request")
              + (group.ofIngests() ? "" : " (" + group.operation() + ")")
              + (group.status() == 0
                  ? run.imported() == null ? " got no answer" : " failed"
                  : " failed with HTTP status " + group.status())
              + (group.firstPid().isEmpty() ? "" : ", first " + group.firstPid())
              + (group.message().isBlank() ? "" : ": " + group.message().strip()));
    }
    long shown = groups.stream().limit(MAX_FAILURES_SHOWN).mapToLong(FailureGroup::count).sum();
    if (shown < requests.failed()) {
      add(
          ingested && undone.isEmpty(),
          count(requests.failed() - shown)
              + (shown == 0 ? " requests failed." : " more requests failed in other ways."));
    }
    for (Operation operation : operations) {
      if (operation.leftUndone() && run.imported() == null) {
        wrong(
            count(operation.givenUp(), "request")
                + " ("
                + operation.name()
                + ") failed for good: according to the responses, the operation was not performed.");
      }
    }
    if (ingested) {
      note("Every object was ingested in spite of these failures.");
    }
  }

  private void checkSamples() {
    for (Source source : samples.sources()) {
      String name = source.name().isEmpty() ? source.source() : "'" + source.name() + "'";
      if (source.lost() > 0 && source.finalTotals()) {
        wrong(
            count(source.lost(), "sample")
                + " lost on the way from the source "
                + name
                + ": recorded "
                + count(source.recorded())
                + ", received "
                + count(source.received())
                + ", dropped "
                + count(source.dropped())
                + (source.framesDropped() == 0
                    ? "."
                    : "; its sender dropped " + count(source.framesDropped(), "frame") + "."));
      } else if (source.lost() > 0) {
        note(
            count(source.lost(), "sample")
                + " of the source "
                + name
                + " had not arrived when it last reported its totals.");
      }
      if (!source.finalTotals() && RunState.isCompleted(run.state())) {
        boolean mayStay = run.profile() == null; // in a Fedora that is not the run's own
        add(
            mayStay,
            "The source "
                + name
                + (mayStay ? " is still attached, or ended" : " ended")
                + " without its final totals: its last samples may be missing."
                + (mayStay ? " If it was just detached, repeat the report in a minute." : ""));
      }
    }
    if (samples.dropped() > 0) {
      note(
          count(samples.dropped(), "sample")
              + " dropped because the agent's buffers were full: stages show fewer calls than"
              + " there were.");
    }
    long skipped = samples.sources().stream().mapToLong(Source::stagesSkipped).sum();
    if (skipped > 0) {
      note(
          count(skipped, "call")
              + " not timed because stages were nested too deep: the time counts as self time of the"
              + " callers.");
    }
    long refused = samples.sources().stream().mapToLong(Source::threadsRefused).sum();
    if (refused > 0) {
      note(
          count(refused, "thread")
              + " not recorded because the agent's limit was reached: stages lack the calls on such"
              + " threads.");
    }
    if (samplesNotSealed == 0
        && samples.dropped() == 0
        && requestsTimed > 0
        && summary.answered() - requestsTimed > RunReport.fewOf(summary.answered())) {
      note(
          "Fedora answered "
              + count(summary.answered(), "ingest")
              + ", but the agent timed only "
              + count(requestsTimed)
              + "; stages cover only these. The agent was attached later, paused or detached, did"
              + " not reach its collector, or ended with its Fedora.");
    }
    if (samplesNotSealed > 0) {
      note(
          "Some data is not sealed yet: this report lacks "
              + count(samplesNotSealed, "sample")
              + " that arrived. Repeat it in a minute.");
    } else if (samples.received() == 0
        && run.imported() == null
        && !RunState.FAILED.is(run.state())) {
      // A completed run had calls to time, and a monitoring run has nothing else.
      boolean driverAlone = run.profile() == null && !RunState.MONITORING.is(run.state());
      add(
          driverAlone || !RunState.isCompleted(run.state()) && !RunState.MONITORING.is(run.state()),
          "No sample arrived: the report cannot show the stages of Fedora."
              + (driverAlone
                  ? " To send an agent's samples to the run, use 'stack up' or 'attach' with"
                      + " --name NAME, then 'ingest --name NAME --join'. An agent that was attached"
                      + " before sends to a monitoring run; see 'fedometer runs list'."
                  : ""));
    }
  }

  private void wrong(String message) {
    wrong.add(new Problem(Severity.WRONG, message));
  }

  private void note(String message) {
    notes.add(new Problem(Severity.NOTE, message));
  }

  private void add(boolean asNote, String message) {
    if (asNote) {
      note(message);
    } else {
      wrong(message);
    }
  }
}
