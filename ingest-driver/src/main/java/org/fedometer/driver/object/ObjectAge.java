package org.fedometer.driver.object;

import java.time.Duration;
import java.time.Instant;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.ObjectProfile;
import org.fedometer.driver.journal.Journal;

/**
 * Tells by Fedora's clock whose an object can be: what is older there than our first attempt is
 * somebody else's, and is never purged. One per worker, used by that worker's thread only.
 */
public final class ObjectAge {

  /** An object's time by Fedora's clock may lie this much before our first attempt. */
  public static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);

  private final FedoraSession session;
  private final Journal journal;

  /** When an earlier driver of this ingest began, or null: what is there may be from it. */
  private final Instant resumedSince;

  ObjectAge(FedoraSession session, Journal journal) {
    this.session = session;
    this.journal = journal;
    this.resumedSince = journal.resumedSince();
  }

  /**
   * When it can have been sent first, by Fedora's clock.
   *
   * @param byEarlierDriver whether one may have sent it
   */
  Instant firstSent(boolean byEarlierDriver) {
    Instant now = Instant.ofEpochMilli(session.fedoraMillis());
    return byEarlierDriver ? ingestBegan(now) : now;
  }

  private Instant ingestBegan(Instant now) {
    long ahead = session.fedoraMillis() - System.currentTimeMillis();
    if (!journal.clockSetBack().isZero()) {
      // A Tomcat whose clock was set back sends the same Date until it is that time again.
      ahead = Math.min(0, ahead);
    }
    return resumedSince == null ? now : resumedSince.plusMillis(ahead);
  }

  /** Whether Fedora's object came to be before that time. */
  boolean isOlder(ObjectProfile found, RepositoryObject object, Instant sent) {
    Instant made = made(found, object);
    // If the time of day was set back meanwhile, what is ours may seem older by as much.
    return made != null && made.isBefore(sent.minus(CLOCK_TOLERANCE).minus(journal.clockSetBack()));
  }

  /** Whether an earlier driver may have sent it: one that lost power has not noted its last. */
  boolean mayBeEarlierDrivers(ObjectProfile found, RepositoryObject object, Instant firstSent) {
    return resumedSince != null && !isOlder(found, object, ingestBegan(firstSent));
  }

  /**
   * When the object came to be: when it was created, which a change by somebody else leaves as it
   * is. What somebody else has packaged may say itself when that was.
   */
  private static Instant made(ObjectProfile found, RepositoryObject object) {
    return found.created() != null && object instanceof ComposedObject
        ? found.created()
        : found.lastModified();
  }
}
