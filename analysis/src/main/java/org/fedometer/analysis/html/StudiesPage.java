package org.fedometer.analysis.html;

import static org.fedometer.analysis.NumberFormats.count;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.analysis.section.Table;
import org.fedometer.analysis.study.DatastreamStudy;
import org.fedometer.analysis.study.ScaleStudy;
import org.fedometer.analysis.study.StudyResult;

/**
 * Content of the templates {@code scale.jte} and {@code datastreams.jte} for a run with a study.
 * For one thread.
 */
public final class StudiesPage {
  private static final List<String> LIMIT_LABELS =
      List.of("0.1 s: at once", "1 s: no break in thought", "10 s: the end of attention");

  private final StudyResult<ScaleStudy> scale;
  private final StudyResult<DatastreamStudy> datastreams;

  StudiesPage(
      Optional<StudyResult<ScaleStudy>> scale, Optional<StudyResult<DatastreamStudy>> datastreams) {
    this.scale = scale.orElse(null);
    this.datastreams = datastreams.orElse(null);
  }

  /** A line of the legend. */
  public record Limit(String style, String label) {}

  public boolean hasScale() {
    return scale != null;
  }

  /** Returns the cause in a sentence; null if it was readable. */
  public String scaleUnreadable() {
    return scale.unreadable();
  }

  public String scaleText() {
    ScaleStudy study = scale.study();
    List<String> slow = new ArrayList<>();
    for (double limit : ScaleStudy.LIMITS_MILLIS) {
      long passed = study.operations().stream().filter(one -> one.passes(limit) != null).count();
      if (passed > 0) {
        String noun = slow.isEmpty() ? count(passed, "operation") : count(passed);
        slow.add("%s (%s)".formatted(noun, StudyTables.seconds(limit)));
      }
    }
    return "%s, timed in collections of %s to %s. At the largest %s."
        .formatted(
            count(study.operations().size(), "operation"),
            count(study.minObjects()),
            count(study.maxObjects(), "object"),
            slow.isEmpty()
                ? "no mean was above any of Nielsen's limits: 0.1, 1 and 10 s"
                : "Nielsen's limits were passed by " + String.join(", ", slow));
  }

  /** Returns null if no timed request failed. */
  public String scaleFailed() {
    long failed = scale.study().operations().stream().mapToLong(ScaleStudy.Operation::failed).sum();
    return failed == 0
        ? null
        : count(failed, "timed request") + " failed for good; red marks their operations.";
  }

  public List<Limit> limits() {
    List<Limit> limits = new ArrayList<>();
    for (String label : LIMIT_LABELS) {
      limits.add(new Limit("limit" + (limits.size() + 1), label));
    }
    return limits;
  }

  /** Returns one for wide screens and paper and one for narrow screens, or none. */
  public List<KiviatView> kiviats() {
    KiviatView full = KiviatView.of(scale.study(), false);
    return full == null ? List.of() : List.of(full, KiviatView.of(scale.study(), true));
  }

  public String scaleChartText() {
    return "Means. A single operation also shows its shortest and longest time as a band. Both scales are logarithmic; the dashed lines are Nielsen's limits."
        + (scaleFailed() == null ? "" : " Red lines mark sizes at which timed requests failed.");
  }

  public Table<?> passes() {
    return StudyTables.passes(scale.study());
  }

  public Table<?> timings() {
    return StudyTables.timings(scale.study());
  }

  public boolean hasDatastreams() {
    return datastreams != null;
  }

  /** Returns the cause in a sentence; null if it was readable. */
  public String datastreamsUnreadable() {
    return datastreams.unreadable();
  }

  public boolean isLimited() {
    return datastreams.study().limit() != null;
  }

  public String datastreamsText() {
    DatastreamStudy study = datastreams.study();
    return isLimited()
        ? "%s were added to one object; then a limit was reached: %s"
            .formatted(count(study.added(), "datastream"), study.limit())
        : "%s were added to one object; no limit was reached."
            .formatted(count(study.added(), "datastream"));
  }

  public Table<?> additions() {
    return StudyTables.additions(datastreams.study());
  }
}
