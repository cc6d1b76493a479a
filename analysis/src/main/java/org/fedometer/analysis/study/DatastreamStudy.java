package org.fedometer.analysis.study;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.store.RunView;

/**
 * Growth of the time to add a datastream with the number of an object's datastreams, from {@code
 * datastream-study.json} of a run's folder. Immutable, safe on any thread.
 *
 * @param limit Fedora's message when no more could be added; null if that did not occur
 * @param additions ascending
 */
public record DatastreamStudy(long added, String limit, List<Additions> additions) {
  public static final String PATH = "datastream-study.json";

  private static final int MAX_ADDITIONS = 1000;
  private static final int MAX_LIMIT_LENGTH = 1000;

  public DatastreamStudy {
    additions = List.copyOf(additions);
  }

  /**
   * @param datastreams of the object after them
   * @param count additions since the preceding entry
   */
  public record Additions(
      long datastreams, long count, double meanMillis, double minMillis, double maxMillis) {}

  /** Returns empty for a run without such a study. */
  public static Optional<StudyResult<DatastreamStudy>> of(RunView run) {
    return StudyFile.read(run, PATH, DatastreamStudy::of);
  }

  static DatastreamStudy of(JsonNode document) throws IOException {
    List<Additions> additions = new ArrayList<>();
    if (!document.path("additions").isEmpty()) {
      long before = 0;
      for (JsonNode entry : StudyFile.list(document, "additions", MAX_ADDITIONS)) {
        Additions one =
            new Additions(
                StudyFile.count(entry, "datastreams", before + 1, StudyFile.MAX_OBJECTS),
                StudyFile.count(entry, "count", 0, Integer.MAX_VALUE),
                StudyFile.millis(entry, "meanMillis"),
                StudyFile.millis(entry, "minMillis"),
                StudyFile.millis(entry, "maxMillis"));
        before = one.datastreams();
        additions.add(one);
      }
    }
    return new DatastreamStudy(
        StudyFile.count(document, "added", 0, StudyFile.MAX_OBJECTS),
        StudyFile.text(document, "limit", MAX_LIMIT_LENGTH),
        additions);
  }
}
