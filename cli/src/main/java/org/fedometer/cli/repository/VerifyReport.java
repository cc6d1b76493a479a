package org.fedometer.cli.repository;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.analysis.Figures;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.driver.verify.RepositoryCheck;
import org.fedometer.wire.SafeLine;

/** What {@code verify} prints: figures first, then what is wrong, then a verdict. */
final class VerifyReport {
  private static final int MOST_LINES = 20;

  private final Map<String, Object> figures = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final ProblemList problems;
  private final Path pidsFile;
  private boolean complete = true;

  /**
   * @param pidsFile where the PIDs are, or null
   */
  VerifyReport(String run, ProblemList problems, Path pidsFile) {
    this.problems = problems;
    this.pidsFile = pidsFile;
    figures.put("run", run);
    lines.add("run        " + run);
  }

  void place(String kind, String place) {
    figures.put(kind, place);
    line("%-10s %s", kind, place);
  }

  void notes(List<String> more) {
    notes.addAll(more);
  }

  void result(RepositoryCheck.Result result) {
    complete = result.complete();
    line(
        "objects    %,d expected, %s found by the field search%s%s",
        result.objectsExpected(),
        number(result.objectsFound()),
        result.failed() == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d named as failed", result.failed()),
        result.open() == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d not there and open", result.open()));
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
    figures.put("objectsExpected", result.objectsExpected());
    figures.put("objectsFound", result.objectsFound());
    figures.put("objectsInNamespaces", result.objectsInNamespaces());
    figures.put("objectsFailed", result.failed());
    figures.put("objectsOpen", result.open());
    figures.put("triplesExpected", result.triplesExpected());
    figures.put("triplesFound", result.triplesFound());
    figures.put("triplesInAll", result.triplesInAll());
    figures.put("compared", result.compared());
    figures.put("equal", result.equal());
    figures.put("bytes", result.bytes());
    figures.put("seconds", result.durationNanos() / 1e9);
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
    List<ProblemList.Entry> told = problems.told();
    for (ProblemList.Entry problem : told.subList(0, Math.min(MOST_LINES, told.size()))) {
      all.add(SafeLine.of("problem    " + problem.kind() + ": " + problem.text()));
    }
    if (problems.size() > MOST_LINES) {
      all.add(
          String.format(
              Locale.ROOT,
              "           ... and %,d more%s",
              problems.size() - MOST_LINES,
              pidsFile == null ? "; --problems FILE writes the PIDs of all" : ""));
    }
    notes.forEach(note -> all.add(SafeLine.of("note       " + note)));
    all.add("verdict    " + verdict());
    if (pidsFile != null && problems.objects() > 0) {
      all.add("PIDs       " + pidsFile);
    }
    return String.join("\n", all);
  }

  private String verdict() {
    String found =
        problems.size() == 0
            ? "nothing is wrong"
            : String.format(
                Locale.ROOT,
                "%s, with %s: %s",
                Figures.count(problems.size(), "problem"),
                Figures.count(problems.objects(), "object"),
                kinds());
    return complete ? found : "stopped before its end; so far " + found;
  }

  private String kinds() {
    List<String> kinds = new ArrayList<>();
    problems
        .byKind()
        .forEach((kind, count) -> kinds.add(String.format(Locale.ROOT, "%,d %s", count, kind)));
    return String.join(", ", kinds);
  }

  String json() throws IOException {
    Map<String, Object> document = new LinkedHashMap<>(figures);
    document.put("ok", complete && problems.size() == 0);
    document.put("complete", complete);
    document.put("problems", problems.size());
    document.put("objectsWithProblems", problems.objects());
    document.put("kinds", problems.byKind());
    document.put("told", problems.told());
    document.put("notes", notes);
    return StandardOutput.indented(document);
  }
}
