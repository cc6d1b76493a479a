package org.fedometer.driver.load;

/** What is counted of a load, with what earlier drivers of the same ingest have acknowledged. */
public enum Count {
  /** Objects asked for; where something else has ended the load, those that were begun. */
  REQUESTED,
  /** Objects that are in Fedora, {@link #FOUND_COMPLETE} included. */
  INGESTED,
  /** Objects that are there and complete, though no answer to this driver said so. */
  FOUND_COMPLETE,
  /** Objects given up; one of an earlier driver's counts if it was not begun again. */
  FAILED,
  /** Objects begun whose fate was open when the run stopped; they may be in Fedora. */
  ABANDONED,
  /** Attempts at requests, those that found no connection included. */
  SENT,
  /** Requests beyond each object's first. */
  RETRIED,
  /**
   * Attempts answered by an error or not at all, whatever became of the object; of purges those
   * that were given up.
   */
  FAILED_REQUESTS,
  /** Bytes of the ingested objects' content that Fedora took in. */
  CONTENT_BYTES,
  /** Triples that Fedora should have of the ingested objects and of what was added to them. */
  EXPECTED_TRIPLES,
  /** Statements that were added to other objects, as the dataset asked for. */
  ADDITIONS,
  /** Statements that were given up, or may not have been added when the run stopped. */
  FAILED_ADDITIONS,
  /** Requests to purge an object that was not whole, those that failed included. */
  HALF_MADE,
  /** Datastreams that a study has added to the first object. */
  ADDED_TO_FIRST
}
