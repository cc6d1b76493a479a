package org.fedometer.driver.study;

import java.util.List;
import org.fedometer.driver.IngestResult;

/**
 * Result of a datastream study.
 *
 * @param additions in ascending order of datastreams
 * @param added total number of added datastreams
 * @param limit why it ended before the bound, in Fedora's words or by the end of the study; null if
 *     the bound was reached or a stop requested
 * @param ingest ingest of the object, with the additions
 */
public record DatastreamStudyResult(
    List<Additions> additions, long added, String limit, IngestResult ingest) {

  /**
   * Consecutive additions.
   *
   * @param datastreams number of added datastreams of the object afterwards
   */
  public record Additions(long datastreams, ScaleStudyResult.Timing timing) {}

  public DatastreamStudyResult {
    additions = List.copyOf(additions);
  }
}
