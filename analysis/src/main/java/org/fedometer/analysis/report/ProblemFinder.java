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
      wrong("The run was interrupted" + cause + "; the figures cover what was done until then.");
    } else if (RunState.RUNNING.is(run.state())) {
      wrong(
          (isOfParts()
                  ? "Not all parts of the run have ended (or some were killed)"
                  : "The run has not ended (or was killed)")
              + "; the figures cover what has arrived.");
    } else if (failure != null) {
      wrong("Something failed" + cause);
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
      wrong(count(untried, "object") + " of " + count(objects.requested()) + " never arrived.");
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
          "Requests are missing in the run folder: "
              + count(objects.ingested(), "object")
              + " ingested"
              + (objects.failed() > 0 ? ", " + count(objects.failed()) + " given up" : "")
              + ", requests of "
              + count(summary.objectsTried())
              + " on record; latencies cover only those."
              + (driverWasAway
                  ? " The others' were under way, or not yet handed over, when the driver ended."
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
            + (lost.updates() == 0
                ? ", and what was to be written is lost"
                : ", with which up to " + count(lost.updates(), "update") + " are lost")
            + ", though their ingests were acknowledged"
            + (lost.reason().isBlank() ? "." : ": " + lost.reason().strip()));
  }

  private void checkVerification() {
    Verification verification = run.verification();
    if (verification == null) {
      return;
    }
    List<String> found = verification.problems() == null ? List.of() : verification.problems();
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
                + ") failed for good: what was asked for was not done, as far as the answers tell.");
      }
    }
    if (ingested) {
      note("Every object was ingested in spite of them.");
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
                + " had not arrived when it last told how many there were.");
      }
      if (!source.finalTotals() && RunState.isCompleted(run.state())) {
        boolean mayStay = run.profile() == null; // in a Fedora that is not the run's own
        add(
            mayStay,
            "The source "
                + name
                + (mayStay ? " is attached still, or went away" : " went away")
                + " without its final totals: whether its last samples arrived cannot be told."
                + (mayStay
                    ? " Of one that was detached just now a report in a minute knows."
                    : ""));
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
              + " of stages nested too deep to be timed: such time counts as the callers' own.");
    }
    long refused = samples.sources().stream().mapToLong(Source::threadsRefused).sum();
    if (refused > 0) {
      note(
          count(refused, "thread")
              + " not recorded, there being more than the agent takes: calls on such threads are in"
              + " no figure of stages.");
    }
    if (samplesNotSealed == 0
        && samples.dropped() == 0
        && requestsTimed > 0
        && summary.answered() - requestsTimed > RunReport.fewOf(summary.answered())) {
      note(
          "Inside Fedora only "
              + count(requestsTimed)
              + " of the "
              + count(summary.answered(), "ingest")
              + " that it answered were timed, and where the time went is of those alone: the agent came later, was"
              + " paused or detached, did not reach its collector, or ended with its Fedora.");
    }
    if (samplesNotSealed > 0) {
      note(
          "Not all is sealed yet: "
              + count(samplesNotSealed, "sample")
              + " that arrived "
              + (samplesNotSealed == 1 ? "is" : "are")
              + " in no figure here; a report in a minute has more.");
    } else if (samples.received() == 0
        && run.imported() == null
        && !RunState.FAILED.is(run.state())) {
      // A completed run had calls to time, and a monitoring run has nothing else.
      boolean driverAlone = run.profile() == null && !RunState.MONITORING.is(run.state());
      add(
          driverAlone || !RunState.isCompleted(run.state()) && !RunState.MONITORING.is(run.state()),
          "No sample arrived: the report cannot show the inside of Fedora."
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
