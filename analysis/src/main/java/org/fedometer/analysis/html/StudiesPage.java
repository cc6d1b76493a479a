package org.fedometer.analysis.html;

import static org.fedometer.analysis.Figures.count;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.analysis.section.Table;
import org.fedometer.analysis.study.DatastreamStudy;
import org.fedometer.analysis.study.Found;
import org.fedometer.analysis.study.ScaleStudy;

/**
 * What the templates {@code scale.jte} and {@code datastreams.jte} show of a run that was a study.
 * For one thread.
 */
public final class StudiesPage {
  private static final List<String> LIMITS_SAID =
      List.of("0.1 s: at once", "1 s: no break in thought", "10 s: the end of attention");

  private final Found<ScaleStudy> scale;
  private final Found<DatastreamStudy> datastreams;

  StudiesPage(Optional<Found<ScaleStudy>> scale, Optional<Found<DatastreamStudy>> datastreams) {
    this.scale = scale.orElse(null);
    this.datastreams = datastreams.orElse(null);
  }

  /** A line of the legend. */
  public record Limit(String style, String said) {}

  public boolean hasScale() {
    return scale != null;
  }

  /** A sentence; null where it could be read. */
  public String scaleUnreadable() {
    return scale.unreadable();
  }

  public String scaleSaid() {
    ScaleStudy study = scale.figures();
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
            count(study.smallest()),
            count(study.largest(), "object"),
            slow.isEmpty()
                ? "no mean was above any of Nielsen's limits: 0.1, 1 and 10 s"
                : "Nielsen's limits were passed by " + String.join(", ", slow));
  }

  /** Null where no timed request failed. */
  public String scaleFailed() {
    long failed =
        scale.figures().operations().stream().mapToLong(ScaleStudy.Operation::failed).sum();
    return failed == 0
        ? null
        : count(failed, "timed request") + " failed for good; red shows of which operations.";
  }

  public List<Limit> limits() {
    List<Limit> limits = new ArrayList<>();
    for (String said : LIMITS_SAID) {
      limits.add(new Limit("limit" + (limits.size() + 1), said));
    }
    return limits;
  }

  /** One for wide screens and paper and one for narrow screens, or none. */
  public List<KiviatView> kiviats() {
    KiviatView full = KiviatView.of(scale.figures(), false);
    return full == null ? List.of() : List.of(full, KiviatView.of(scale.figures(), true));
  }

  public String scaleChartSaid() {
    return "Means; of one operation alone also the shortest and the longest, as a band. Both scales are logarithmic; the dashed lines are Nielsen's limits."
        + (scaleFailed() == null
            ? ""
            : " Red lines stand at sizes at which timed requests failed.");
  }

  public Table<?> passes() {
    return StudyTables.passes(scale.figures());
  }

  public Table<?> timings() {
    return StudyTables.timings(scale.figures());
  }

  public boolean hasDatastreams() {
    return datastreams != null;
  }

  /** A sentence; null where it could be read. */
  public String datastreamsUnreadable() {
    return datastreams.unreadable();
  }

  public boolean isLimited() {
    return datastreams.figures().limit() != null;
  }

  public String datastreamsSaid() {
    DatastreamStudy study = datastreams.figures();
    return isLimited()
        ? "%s were added to one object; then the limit showed: %s"
            .formatted(count(study.added(), "datastream"), study.limit())
        : "%s were added to one object; no limit showed."
            .formatted(count(study.added(), "datastream"));
  }

  public Table<?> additions() {
    return StudyTables.additions(datastreams.figures());
  }
}
