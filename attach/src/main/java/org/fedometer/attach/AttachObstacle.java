package org.fedometer.attach;

import java.util.Optional;

/**
 * A condition under which a JVM cannot be attached to. Immutable.
 *
 * @param reason a clause with the process, for users
 * @param remedy a clause for users; empty if there is none
 */
public record AttachObstacle(String reason, String remedy) {

  /**
   * Returns the first obstacle to {@code fedometer attach} that shows without touching the JVM;
   * empty if there is none.
   */
  public static Optional<AttachObstacle> of(Jvm jvm) {
    return AttachChecks.obstacle(jvm, ProcessFiles.of(jvm.pid()), "fedometer attach " + jvm.pid());
  }

  AttachException exception() {
    return new AttachException(remedy.isEmpty() ? reason : reason + "; " + remedy);
  }
}
