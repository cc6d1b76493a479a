package org.fedometer.driver.request;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongFunction;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.wire.FailureText;

/** Ends a whole ingest, not one object: thrown by a worker and reported as the run's reason. */
public final class RunStop extends Exception {

  private static final long serialVersionUID = 1L;

  private static final String LOGIN_TRAP =
      " It accepted the same login before. Fedora falls into this state for good when several first"
          + " logins after its start come at once (from another client, perhaps): touch"
          + " server/config/fedora-users.xml in its home, or restart it.";

  private final boolean requested;

  private RunStop(String reason, boolean requested, Throwable cause) {
    super(reason, cause);
    this.requested = requested;
  }

  /**
   * Something has gone wrong that is not one object's fault.
   *
   * @param reason for the user, in whole sentences
   * @param cause or null
   */
  public static RunStop because(String reason, Throwable cause) {
    return new RunStop(reason, false, cause);
  }

  /** A login that was accepted at first is refused. */
  public static RunStop loginRefused(LoginRefusedException e) {
    return because(Messages.of(e) + LOGIN_TRAP, e);
  }

  public static RunStop ofDriver(Throwable e) {
    return because("The driver itself failed: " + FailureText.of(e), e);
  }

  /** What was sent could not be handed on to the sink: a load that nobody has on record is none. */
  public static RunStop notRecorded(IOException e) {
    return because(
        "The record of the requests could not be handed to the collector: " + Messages.of(e), e);
  }

  /** What is acknowledged and not in the journal would be lost for whoever resumes. */
  public static RunStop journalNotWritten(IOException e) {
    return because("The journal could not be written: " + Messages.of(e), e);
  }

  /**
   * @throws RunStop if it cannot be made: nor can the others, most likely
   */
  public static RepositoryObject makeObject(Dataset dataset, long index) throws RunStop {
    return made(dataset, index, dataset::object);
  }

  /**
   * Makes an object as it is when all that others add to it is there: see {@link Dataset#finished}.
   *
   * @throws RunStop as {@link #makeObject}
   */
  public static RepositoryObject makeFinished(Dataset dataset, long index, long first, long count)
      throws RunStop {
    return made(dataset, index, each -> dataset.finished(each, first, count));
  }

  private static RepositoryObject made(
      Dataset dataset, long index, LongFunction<RepositoryObject> maker) throws RunStop {
    try {
      return maker.apply(index);
    } catch (RuntimeException e) {
      String why = e instanceof UncheckedIOException ? Messages.of(e) : FailureText.of(e);
      throw because(
          "The dataset " + dataset.name() + " could not make object " + index + ": " + why, e);
    }
  }

  /** Somebody asked for it, by a stop or an interrupt. */
  public static RunStop asRequested() {
    return new RunStop("Stopped on request.", true, null);
  }

  /** Whether somebody asked for the stop, as against something having gone wrong. */
  public boolean requested() {
    return requested;
  }
}
