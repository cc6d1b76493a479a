package org.fedometer.driver.request;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongFunction;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.fedora.LoginRefusedException;
import org.fedometer.driver.fedora.Messages;
import org.fedometer.wire.FailureText;

/** Thrown by a worker to end a whole ingest, with the run's reason. */
public final class RunStop extends Exception {

  private static final long serialVersionUID = 1L;

  private static final String LOGIN_TRAP =
      " It accepted the same login before. Fedora refuses all logins after several"
          + " concurrent first ones, perhaps of another client: touch"
          + " server/config/fedora-users.xml in its home, or restart it.";

  private final boolean requested;

  private RunStop(String reason, boolean requested, Throwable cause) {
    super(reason, cause);
    this.requested = requested;
  }

  /**
   * Returns a stop for a failure that is not one object's.
   *
   * @param reason for the user, in whole sentences
   * @param cause or null
   */
  public static RunStop because(String reason, Throwable cause) {
    return new RunStop(reason, false, cause);
  }

  /** Returns a stop after a previously accepted login is refused. */
  public static RunStop loginRefused(LoginRefusedException e) {
    return because(Messages.of(e) + LOGIN_TRAP, e);
  }

  public static RunStop ofDriver(Throwable e) {
    return because("The driver itself failed: " + FailureText.of(e), e);
  }

  /** Returns a stop after the sink failed: a load without a record is worthless. */
  public static RunStop notRecorded(IOException e) {
    return because(
        "The record of the requests could not be handed to the collector: " + Messages.of(e), e);
  }

  /** Returns a stop after the journal failed: a resume would not know of acknowledged objects. */
  public static RunStop journalNotWritten(IOException e) {
    return because("The journal could not be written: " + Messages.of(e), e);
  }

  /**
   * @throws RunStop if it cannot be made, as probably no other can
   */
  public static RepositoryObject makeObject(Dataset dataset, long index) throws RunStop {
    return made(dataset, index, dataset::object);
  }

  /**
   * Makes an object including all additions by others, see {@link Dataset#finished}.
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

  /** Returns a stop on request or interrupt. */
  public static RunStop asRequested() {
    return new RunStop("Stopped on request.", true, null);
  }

  /** Returns whether the stop was requested, rather than caused by a failure. */
  public boolean requested() {
    return requested;
  }
}
