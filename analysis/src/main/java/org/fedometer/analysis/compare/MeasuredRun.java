package org.fedometer.analysis.compare;

import java.util.List;
import java.util.Objects;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.statistics.WithinRun;
import org.fedometer.store.RunDocument;

/**
 * A measured run of a comparison. Unknown values are null or empty, never zero. Immutable.
 *
 * @param document its {@code run.json}
 * @param block block of runs it was interleaved with; null without one
 * @param openModel whether requests had intended starts, so that there are response times
 * @param objects acknowledged ingests of the whole run
 * @param steadyState of the whole run; null without ingests
 * @param changes of its pace, with simultaneous events
 * @param part the compared part; null without one
 * @param objectsPerSecondWithDrain of the whole run including warm-up and final flush; null if its
 *     document lacks it
 * @param stages of the part, most self time first; empty without samples
 * @param resources of the part; null without one
 * @param limit of the part; null without one
 * @param remarks caveats, a sentence each
 */
public record MeasuredRun(
    String name,
    RunDocument document,
    String block,
    boolean openModel,
    long objects,
    SteadyState steadyState,
    List<LabelledChange> changes,
    Part part,
    Double objectsPerSecondWithDrain,
    List<StageTime> stages,
    ResourceUse resources,
    LimitingResource limit,
    List<String> remarks) {

  public MeasuredRun {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(document, "document");
    changes = List.copyOf(changes);
    stages = List.copyOf(stages);
    remarks = List.copyOf(remarks);
  }

  /** Returns whether it is imported with an unknown load model. */
  boolean ofUnknownLoad() {
    return document.imported() != null && !openModel;
  }

  /**
   * The compared part of a run.
   *
   * @param from its first object, in order of completion, from 0
   * @param loadedNanos duration without pauses
   * @param service times from the actual start of requests
   * @param response times from the intended start; null in a closed model
   * @param fullService service times of the whole run, nothing cut
   * @param fullResponse response times of the whole run; null in a closed model
   */
  public record Part(
      long from,
      long objects,
      double loadedNanos,
      Statistics service,
      Statistics response,
      Statistics fullService,
      Statistics fullResponse) {}

  /**
   * The five metrics for one kind of times.
   *
   * @param withinRun their uncertainty within one run; null if not requested or with too few
   *     objects
   */
  public record Statistics(RunStatistics statistics, WithinRun withinRun) {}

  /**
   * A change of pace with events around it.
   *
   * @param afterNanos wall-clock time since the first request of the run
   * @param causes short descriptions; empty if nothing is recorded
   */
  public record LabelledChange(SteadyState.Change change, long afterNanos, List<String> causes) {
    public LabelledChange {
      causes = List.copyOf(causes);
    }
  }
}
