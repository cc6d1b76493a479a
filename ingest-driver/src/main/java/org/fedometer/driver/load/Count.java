package org.fedometer.driver.load;

/** Counters of a load, including acknowledgements to earlier drivers of the same ingest. */
public enum Count {
  /** Objects requested, or begun if another condition ended the load. */
  REQUESTED,
  /** Objects in Fedora, including {@link #FOUND_COMPLETE}. */
  INGESTED,
  /** Objects found complete although this driver got no acknowledgement. */
  FOUND_COMPLETE,
  /**
   * Objects abandoned after their last attempt; those of an earlier driver only if not begun again.
   */
  FAILED,
  /** Objects whose outcome was open when the run stopped; they may be in Fedora. */
  ABANDONED,
  /** Attempts at requests, including those without a connection. */
  SENT,
  /** Requests beyond each object's first. */
  RETRIED,
  /**
   * Attempts with an error response or none, whatever the object's outcome; for purges, the failed
   * ones.
   */
  FAILED_REQUESTS,
  /** Bytes of the ingested objects' content that Fedora received. */
  CONTENT_BYTES,
  /** Triples that Fedora should have of the ingested objects and of additions to them. */
  EXPECTED_TRIPLES,
  /** Statements added to other objects, as the dataset requires. */
  ADDITIONS,
  /** Statements that failed, or may not have been added when the run stopped. */
  FAILED_ADDITIONS,
  /** Requests to purge an incomplete object, including failed ones. */
  HALF_MADE,
  /** Datastreams that a study has added to the first object. */
  ADDED_TO_FIRST
}
