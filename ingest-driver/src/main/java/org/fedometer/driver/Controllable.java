package org.fedometer.driver;

/**
 * A load that can be changed while it runs. Called by any thread. What is asked for is done when a
 * method returns; what is under way goes on.
 */
public interface Controllable {

  /** How it goes, and what it does now. */
  IngestProgress progress();

  /** Nothing more is sent until {@link #resume}. Again: does nothing. */
  void pause();

  /** It goes on; what was to be sent when is later by the pause. Again: does nothing. */
  void resume();

  /** It ends when the requests under way have. */
  void stop();

  /**
   * @param number concurrent requests from now on
   * @throws IllegalArgumentException one sentence: so many are not possible
   * @throws IllegalStateException one sentence: the load's steps say how many
   */
  void workers(int number);

  /**
   * @param objectsPerSecond due from now on
   * @throws IllegalArgumentException one sentence: that is no possible rate
   * @throws IllegalStateException one sentence: the load's steps say when objects are due
   */
  void rate(double objectsPerSecond);

  /**
   * From now on each worker sends its next object when it has the answer to the last.
   *
   * @throws IllegalStateException one sentence: the load's steps say when objects are due
   */
  void closedLoop();
}
