package org.fedometer.analysis.study;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.store.RunView;

/**
 * How the time of adding a datastream grew with the datastreams of one object, as {@code
 * datastream-study.json} of a run's folder says. Immutable, safe on any thread.
 *
 * @param limit how it showed that no more can be added, in Fedora's words; null where it did not
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
   * @param count of the additions since the ones before
   */
  public record Additions(
      long datastreams, long count, double meanMillis, double minMillis, double maxMillis) {}

  /** Empty of a run that is no such study. */
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
