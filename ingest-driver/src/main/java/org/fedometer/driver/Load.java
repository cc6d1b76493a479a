package org.fedometer.driver;

/** When the objects of an ingest are due. Immutable. */
public sealed interface Load {

  /** Each worker sends its next object when the last is done. */
  record ClosedLoop() implements Load {}

  /**
   * Objects are due at even distances, whatever Fedora does: who is kept waiting by a slow answer
   * is seen in the response times. Workers have to be many enough for the requests under way.
   *
   * @param objectsPerSecond above 0, at most {@value #HIGHEST_RATE}
   */
  record FixedRate(double objectsPerSecond) implements Load {

    /** More than any Fedora takes; beyond, a schedule in nanoseconds gets coarse. */
    public static final double HIGHEST_RATE = 100_000;

    private static final double LOWEST_RATE = 1e-6;

    public FixedRate {
      if (!(objectsPerSecond >= LOWEST_RATE && objectsPerSecond <= HIGHEST_RATE)) {
        throw new IllegalArgumentException(
            "a rate of "
                + objectsPerSecond
                + " objects a second is not possible; give one above 0, at most 100000");
      }
    }

    /**
     * When the object is due, from the start of the ingest on.
     *
     * @param position 0 for the first object of the ingest
     */
    long dueNanos(long position) {
      return Math.round(position * (1e9 / objectsPerSecond));
    }

    /** How many objects are due before that time after the start. */
    long dueWithin(long elapsedNanos) {
      return (long) Math.floor(elapsedNanos * objectsPerSecond / 1e9) + 1;
    }
  }
}
