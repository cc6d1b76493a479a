package org.fedometer.analysis.compare;

import java.util.List;
import java.util.Objects;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.statistics.WithinRun;
import org.fedometer.store.RunDocument;

/**
 * One run of a comparison, measured. What is not known is null or empty, never zero. Immutable.
 *
 * @param document its {@code run.json}
 * @param block which runs of other profiles it was interleaved with; null if with none
 * @param openModel whether requests were due at times of their own, so that there are response
 *     times
 * @param objects acknowledged ingests of the whole run
 * @param steadyState of the whole run; null where no object was ingested
 * @param changes of its pace, with what happened then
 * @param part what is compared of it; null where there is nothing to be compared
 * @param objectsPerSecondWithDrain of the whole run, cold or warm, with the final flush; null where
 *     its document does not tell it
 * @param stages of the part, most self time first; empty where the run has no samples
 * @param resources of the part; null where there is none
 * @param limit of the part; null where there is none
 * @param remarks what to know before its figures are believed, a sentence each
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

  /** Whether it is others' and nobody knows in which way its requests were sent. */
  boolean ofUnknownLoad() {
    return document.imported() != null && !openModel;
  }

  /**
   * The part of a run that is compared.
   *
   * @param from its first object, in order of completion, from 0
   * @param loadedNanos how long it took, without pauses
   * @param service times from when a request was sent
   * @param response times from when it was due; null in a closed model
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
   * The five figures of one kind of times.
   *
   * @param withinRun how sure they are as far as one run tells; null where that was not asked for,
   *     or there are too few objects
   */
  public record Statistics(RunStatistics statistics, WithinRun withinRun) {}

  /**
   * A change of pace with what is on record around it.
   *
   * @param afterNanos since the first request of the run, by the clock on the wall
   * @param causes a few words each; empty where nothing is on record
   */
  public record LabelledChange(SteadyState.Change change, long afterNanos, List<String> causes) {
    public LabelledChange {
      causes = List.copyOf(causes);
    }
  }
}
