package org.fedometer.analysis.report;

import static org.fedometer.analysis.NumberFormats.bytes;
import static org.fedometer.analysis.NumberFormats.count;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.report.RunReport.LogCounts;
import org.fedometer.analysis.report.RunReport.Operation;
import org.fedometer.analysis.report.RunReport.Samples;
import org.fedometer.analysis.report.RunReport.Source;
import org.fedometer.analysis.section.Cell;
import org.fedometer.analysis.text.Page.Paint;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.StatementCounts;
import org.fedometer.store.RunDocument.TripleCounts;
import org.fedometer.store.RunDocument.Verification;
import org.fedometer.store.RunState;

/**
 * The checks of a run, each with its expected and its actual values. Immutable, safe on any thread.
 *
 * @param name one word, such as {@code triples}
 */
public record Check(Verdict verdict, String name, String detail) {

  public enum Verdict {
    PASSED("✓", "ok", "passed", Paint.GOOD),
    /** The figures are valid; a problem explains it. */
    WARNING("•", "- ", "warning", Paint.WARNING),
    /** Not counted, or not ended. */
    UNKNOWN("?", "??", "unknown", Paint.WARNING),
    FAILED("✗", "!!", "failed", Paint.BAD);

    private final String sign;
    private final String ascii;
    private final String label;
    private final Paint paint;

    Verdict(String sign, String ascii, String words, Paint paint) {
      this.sign = sign;
      this.ascii = ascii;
      this.label = words;
      this.paint = paint;
    }

    String sign() {
      return sign;
    }

    /** The sign of a terminal without Unicode. */
    String ascii() {
      return ascii;
    }

    Paint paint() {
      return paint;
    }

    /** With a sign, in the colour of the same name on a page. */
    Cell cell() {
      return Cell.text(sign + " " + label).styled(paint.name().toLowerCase(Locale.ROOT));
    }

    static Verdict of(boolean known, boolean passed) {
      return !known ? UNKNOWN : passed ? PASSED : FAILED;
    }
  }

  public static List<Check> of(RunReport report) {
    List<Check> checks = new ArrayList<>();
    ObjectCounts objects = report.imported() ? null : report.objects();
    if (objects != null) {
      checks.add(
          new Check(
              objectsVerdict(objects),
              "objects",
              count(objects.requested())
                  + " requested, "
                  + count(objects.ingested())
                  + " ingested, "
                  + (objects.purged() > 0 ? count(objects.purged()) + " purged, " : "")
                  + count(objects.failed())
                  + " failed, "
                  + (objects.counted() == null
                      ? "not counted in Fedora"
                      : count(objects.counted()) + " in Fedora")));
    }
    StatementCounts statements = report.run().statements();
    if (statements != null) {
      checks.add(
          new Check(
              Verdict.of(true, statements.failed() == 0),
              "added",
              count(statements.added(), "statement")
                  + " to other objects, "
                  + count(statements.failed())
                  + " failed"));
    }
    TripleCounts triples = report.run().triples();
    if (triples != null) {
      checks.add(
          new Check(
              triplesVerdict(triples, report.run().verification()),
              "triples",
              (triples.expected() == null ? "" : count(triples.expected()) + " expected, ")
                  + (triples.counted() == null
                      ? notCounted(report)
                      : count(triples.counted()) + " in the triplestore")));
    }
    Verification verification = report.run().verification();
    if (verification != null && objects != null) {
      checks.add(
          new Check(
              Verdict.of(
                  verification.sampledObjects() > 0,
                  objects.verified() == verification.sampledObjects()),
              "content",
              count(verification.sampledObjects(), "object")
                  + " ("
                  + bytes(verification.sampledBytes())
                  + " of content) read back"
                  + (verification.sampledObjects() < objects.ingested() ? " at random, " : ", ")
                  + count(objects.verified())
                  + " correct"));
    }
    if (report.requests() != null) {
      checks.add(
          new Check(
              requestsVerdict(report),
              "requests",
              count(report.requests().sent())
                  + " sent, "
                  + count(report.requests().failed())
                  + " failed, "
                  + count(report.requests().retried())
                  + " retried"));
    }
    Samples samples = report.samples();
    if (!report.imported() || samples.received() > 0) {
      checks.add(
          new Check(
              samplesVerdict(samples),
              "samples",
              count(samples.received())
                  + " received, "
                  + count(samples.dropped())
                  + " dropped, "
                  + count(samples.lost())
                  + " lost"));
    }
    LogCounts logs = report.logs();
    if (logs.warnings() + logs.errors() + logs.assumed() > 0) {
      checks.add(
          new Check(
              Verdict.WARNING,
              "log",
              count(logs.warnings(), "warning")
                  + ", "
                  + count(logs.errors(), "error")
                  + (logs.assumed() == 0
                      ? ""
                      : ", "
                          + count(logs.assumed(), "event")
                          + " whose level or time could not be read")));
    }
    return checks;
  }

  /** Describes why triples were not counted, as far as that is known. */
  private static String notCounted(RunReport report) {
    Verification verification = report.run().verification();
    if (verification != null && !verification.problems().isEmpty()) {
      return "could not be counted; see the problems";
    }
    String state = report.run().state();
    if (RunState.INTERRUPTED.is(state)) {
      return "not counted: the run was interrupted";
    }
    if (RunState.FAILED.is(state)) {
      return "not counted: the run failed";
    }
    return RunState.RUNNING.is(state) ? "not counted: the run has not ended" : "not counted";
  }

  private static Verdict objectsVerdict(ObjectCounts objects) {
    if (objects.failed() > 0 || objects.ingested() != objects.requested()) {
      return Verdict.FAILED;
    }
    return Verdict.of(objects.counted() != null, objects.allThere());
  }

  /** More than expected may belong to other loads: the verification knows whether they can. */
  private static Verdict triplesVerdict(TripleCounts triples, Verification verification) {
    if (triples.expected() == null || triples.counted() == null) {
      return Verdict.UNKNOWN;
    }
    boolean bearable =
        triples.counted() > triples.expected() && verification != null && verification.ok();
    return bearable
        ? Verdict.WARNING
        : Verdict.of(true, triples.expected().equals(triples.counted()));
  }

  /** Requests that failed are worth a look, no more, where all was done in spite of them. */
  private static Verdict requestsVerdict(RunReport report) {
    if (report.requests().failed() == 0) {
      return Verdict.PASSED;
    }
    boolean wrong =
        report.objects() == null
            || report.objects().failed() > 0
            || report.operations().stream().anyMatch(Operation::leftUndone);
    return wrong ? Verdict.FAILED : Verdict.WARNING;
  }

  private static Verdict samplesVerdict(Samples samples) {
    if (samples.dropped() > 0 && samples.lost() == 0) {
      return Verdict.WARNING;
    }
    boolean known =
        samples.received() > 0 && samples.sources().stream().allMatch(Source::finalTotals);
    return Verdict.of(known, samples.lost() == 0);
  }
}
