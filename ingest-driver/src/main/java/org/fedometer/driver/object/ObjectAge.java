package org.fedometer.driver.object;

import java.time.Duration;
import java.time.Instant;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.ObjectProfile;
import org.fedometer.driver.journal.Journal;

/**
 * Decides by Fedora's clock whether an object can be from this ingest. An object older than the
 * first attempt is foreign and never purged. One per worker, confined to its thread.
 */
public final class ObjectAge {

  /** Tolerated time of an object before the first attempt, by Fedora's clock. */
  public static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);

  private final FedoraSession session;
  private final Journal journal;

  /** Start of an earlier driver of this ingest, which may have sent existing objects; or null. */
  private final Instant resumedSince;

  ObjectAge(FedoraSession session, Journal journal) {
    this.session = session;
    this.journal = journal;
    this.resumedSince = journal.resumedSince();
  }

  /**
   * Returns the earliest time of sending, by Fedora's clock.
   *
   * @param byEarlierDriver true if an earlier driver may have sent it
   */
  Instant firstSent(boolean byEarlierDriver) {
    Instant now = Instant.ofEpochMilli(session.fedoraMillis());
    return byEarlierDriver ? ingestBegan(now) : now;
  }

  private Instant ingestBegan(Instant now) {
    long ahead = session.fedoraMillis() - System.currentTimeMillis();
    if (!journal.clockSetBack().isZero()) {
      // After its clock was set back, Tomcat repeats the same Date until that time returns.
      ahead = Math.min(0, ahead);
    }
    return resumedSince == null ? now : resumedSince.plusMillis(ahead);
  }

  /** Returns whether Fedora's object is from before that time. */
  boolean isOlder(ObjectProfile found, RepositoryObject object, Instant sent) {
    Instant made = made(found, object);
    // If the clock was set back meanwhile, this ingest's objects may seem older by as much.
    return made != null && made.isBefore(sent.minus(CLOCK_TOLERANCE).minus(journal.clockSetBack()));
  }

  /**
   * Returns whether an earlier driver may have sent the object: after a loss of power, the last
   * entries are missing.
   */
  boolean mayBeEarlierDrivers(ObjectProfile found, RepositoryObject object, Instant firstSent) {
    return resumedSince != null && !isOlder(found, object, ingestBegan(firstSent));
  }

  /**
   * Returns when the object was created, which later changes keep. For packaged objects, which may
   * state their own creation date, returns the last modification.
   */
  private static Instant made(ObjectProfile found, RepositoryObject object) {
    return found.created() != null && object instanceof ComposedObject
        ? found.created()
        : found.lastModified();
  }
}
