package org.fedometer.driver.study;

import java.util.List;
import org.fedometer.driver.IngestResult;

/**
 * What a study of datastreams measured.
 *
 * @param additions in ascending order of what the object had
 * @param added datastreams that were added in all
 * @param limit how it ended before the bound was reached: in Fedora's words, or what ended the
 *     study; null if it was reached or somebody stopped it
 * @param ingest the object, with what was added to it
 */
public record DatastreamStudyResult(
    List<Additions> additions, long added, String limit, IngestResult ingest) {

  /**
   * Additions in a row.
   *
   * @param datastreams how many the object has after them, its own left out
   */
  public record Additions(long datastreams, ScaleStudyResult.Timing timing) {}

  public DatastreamStudyResult {
    additions = List.copyOf(additions);
  }
}
