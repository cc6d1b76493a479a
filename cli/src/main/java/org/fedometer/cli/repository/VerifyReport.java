package org.fedometer.cli.repository;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.driver.verify.RepositoryCheck;
import org.fedometer.wire.SafeLine;

/** Output of {@code verify}: counts, then problems, then a verdict. */
final class VerifyReport {
  private static final int MAX_LINES = 20;

  private final Map<String, Object> fields = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final ProblemList problems;
  private final Path pidsFile;
  private boolean complete = true;

  /**
   * @param pidsFile file of the PIDs, or null
   */
  VerifyReport(String run, ProblemList problems, Path pidsFile) {
    this.problems = problems;
    this.pidsFile = pidsFile;
    fields.put("run", run);
    lines.add("run        " + run);
  }

  void place(String kind, String place) {
    fields.put(kind, place);
    line("%-10s %s", kind, place);
  }

  void notes(List<String> more) {
    notes.addAll(more);
  }

  void result(RepositoryCheck.Result result) {
    complete = result.complete();
    line(
        "objects    %,d expected, %s%s%s",
        result.objectsExpected(),
        result.objectsFound() == null
            ? "not searched"
            : number(result.objectsFound()) + " found by Fedora's field search",
        result.failed() == 0 ? "" : String.format(Locale.ROOT, ", %,d failed", result.failed()),
        result.open() == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d missing and unconfirmed", result.open()));
    if (result.triplesExpected() != null) {
      line(
          "triples    %,d expected of these objects, %s found; %s in all",
          result.triplesExpected(), number(result.triplesFound()), number(result.triplesInAll()));
    } else if (result.triplesInAll() != null) {
      line("triples    %s in all", number(result.triplesInAll()));
    }
    line(
        "compared   %,d objects, %,d equal, %,d bytes of content by SHA-256, in %.1f s",
        result.compared(), result.equal(), result.bytes(), result.durationNanos() / 1e9);
    fields.put("objectsExpected", result.objectsExpected());
    fields.put("objectsFound", result.objectsFound());
    fields.put("objectsInNamespaces", result.objectsInNamespaces());
    fields.put("objectsFailed", result.failed());
    fields.put("objectsOpen", result.open());
    fields.put("triplesExpected", result.triplesExpected());
    fields.put("triplesFound", result.triplesFound());
    fields.put("triplesInAll", result.triplesInAll());
    fields.put("compared", result.compared());
    fields.put("equal", result.equal());
    fields.put("bytes", result.bytes());
    fields.put("seconds", result.durationNanos() / 1e9);
    notes(result.notes());
  }

  private static String number(Long number) {
    return number == null ? "?" : String.format(Locale.ROOT, "%,d", number);
  }

  private void line(String format, Object... values) {
    lines.add(SafeLine.of(String.format(Locale.ROOT, format, values)));
  }

  String text() {
    List<String> all = new ArrayList<>(lines);
    List<ProblemList.Entry> listed = problems.listed();
    for (ProblemList.Entry problem : listed.subList(0, Math.min(MAX_LINES, listed.size()))) {
      all.add(SafeLine.of("problem    " + problem.kind() + ": " + problem.text()));
    }
    if (problems.size() > MAX_LINES) {
      all.add(
          String.format(
              Locale.ROOT,
              "           ... and %,d more%s",
              problems.size() - MAX_LINES,
              pidsFile == null ? "; --output-pids FILE writes the PIDs of all" : ""));
    }
    notes.forEach(note -> all.add(SafeLine.of("note       " + note)));
    all.add("verdict    " + verdict());
    if (pidsFile != null && problems.objects() > 0) {
      all.add("PIDs       " + pidsFile);
    }
    return String.join("\n", all);
  }

  private String verdict() {
    String summary =
        problems.size() == 0
            ? "no problems"
            : String.format(
                Locale.ROOT,
                "%s, with %s: %s",
                NumberFormats.count(problems.size(), "problem"),
                NumberFormats.count(problems.objects(), "object"),
                kinds());
    return complete ? summary : "stopped before its end; so far " + summary;
  }

  private String kinds() {
    List<String> kinds = new ArrayList<>();
    problems
        .byKind()
        .forEach((kind, count) -> kinds.add(String.format(Locale.ROOT, "%,d %s", count, kind)));
    return String.join(", ", kinds);
  }

  String json() throws IOException {
    Map<String, Object> document = new LinkedHashMap<>(fields);
    document.put("ok", complete && problems.size() == 0);
    document.put("complete", complete);
    document.put("problems", problems.size());
    document.put("objectsWithProblems", problems.objects());
    document.put("problemsByKind", problems.byKind());
    document.put("listed", problems.listed());
    document.put("notes", notes);
    return StandardOutput.indented(document);
  }
}
