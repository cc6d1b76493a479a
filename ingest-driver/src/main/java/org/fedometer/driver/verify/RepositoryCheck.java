package org.fedometer.driver.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.mix.MixedObjects;

/**
 * Compares a repository with what a run should have left in it, object by object and the other way
 * round: what the field search finds and the triplestore holds has to be some object's. Conducted
 * by one thread, objects are read by a few; {@link #stop} may come from any.
 *
 * <p>What it keeps of an object is four bytes and a bit, and two bytes more if all triples are
 * read: a run of any length can be checked.
 */
public final class RepositoryCheck {

  private final FedoraClient client;
  private final RunClaim claim;
  private final ContentDelivery delivery;
  private final Options options;
  private final CheckFindings findings;

  /** What a mix has made of the objects, or null. */
  private final MixedObjects mixed;

  /**
   * @param sampledObjects how many objects are compared in full
   * @param everything whether all are, whatever the number
   * @param orphans whether it is looked for triples of what is no object, and asked for objects
   *     that are none of the run's; always where everything is compared
   * @param seed decides which objects are sampled
   * @param threads that compare; the client needs a connection more
   * @param triples whether there is a triplestore
   */
  public record Options(
      int sampledObjects,
      boolean everything,
      boolean orphans,
      long seed,
      int threads,
      boolean triples) {

    public static final int MAX_THREADS = 64;

    public Options {
      if (sampledObjects < 0) {
        throw new IllegalArgumentException("a sample has 0 or more objects, not " + sampledObjects);
      }
      if (threads < 1 || threads > MAX_THREADS) {
        throw new IllegalArgumentException(
            "objects are compared by 1 to " + MAX_THREADS + " threads, not " + threads);
      }
      orphans |= everything;
    }
  }

  /** Hears of what is found while it is found; called by one thread at a time. */
  public interface Listener {
    /** Hears nothing. */
    Listener NONE = new Listener() {};

    /** Something is wrong. All that is wrong with one object comes in a row. */
    default void onProblem(Problem problem) {}

    /**
     * @param what is being done, a few words
     * @param all or 0 if that is not known
     */
    default void onProgress(String what, long done, long all) {}
  }

  /**
   * @param objectsExpected of the run, less those that were purged
   * @param objectsFound of these, objects that the field search finds; null if it failed
   * @param objectsInNamespaces all that the field search finds in the dataset's namespaces; null if
   *     it failed
   * @param failed objects that are named as failed by the run's record
   * @param open objects that are not there and need not be, since it is not known what became of
   *     them
   * @param triplesExpected of the run's objects by the formula; null if not all of them were
   *     compared
   * @param triplesFound of the run's objects; null if the triples were not read
   * @param triplesInAll in the whole triplestore; null if there is none
   * @param compared objects that were compared in full
   * @param equal of these, objects in which nothing was wrong
   * @param bytes of content that were read
   * @param problems how many were found
   * @param complete whether it was not stopped
   * @param notes what is no problem and one should know, a sentence each
   */
  public record Result(
      long objectsExpected,
      Long objectsFound,
      Long objectsInNamespaces,
      long failed,
      long open,
      Long triplesExpected,
      Long triplesFound,
      Long triplesInAll,
      long compared,
      long equal,
      long bytes,
      long problems,
      boolean complete,
      List<String> notes,
      long durationNanos) {

    public Result {
      notes = List.copyOf(notes);
    }
  }

  /**
   * @param delivery by which the objects were ingested; where content was elsewhere, it is not
   *     asked for any
   */
  public RepositoryCheck(
      FedoraClient client,
      RunClaim claim,
      ContentDelivery delivery,
      Options options,
      Listener listener) {
    this.client = Objects.requireNonNull(client, "client");
    this.claim = Objects.requireNonNull(claim, "claim");
    this.delivery = Objects.requireNonNull(delivery, "delivery");
    this.options = Objects.requireNonNull(options, "options");
    this.findings = new CheckFindings(Objects.requireNonNull(listener, "listener"));
    this.mixed =
        claim.mix() == null
            ? null
            : new MixedObjects(claim.dataset(), claim.mix(), claim.notIngested()::contains);
  }

  /** Has {@link #run} return soon with what it has found so far. */
  public void stop() {
    findings.stop();
    client.cancelRequests();
  }

  /**
   * Checks. Called once.
   *
   * @throws LoginRefusedException if Fedora does not take user and password
   * @throws FedoraUnreachableException if Fedora is not there, or is gone in the midst of it
   * @throws IOException if there is no checking for another reason, such as a dataset that cannot
   *     be read
   */
  public Result run() throws IOException {
    long startNanos = System.nanoTime();
    Long inAll = null;
    IndexCensus census = new IndexCensus(claim, options.orphans(), findings);
    ObjectComparison comparison =
        new ObjectComparison(client, claim, delivery, options, mixed, census, findings);
    try (FedoraSession session = client.newSession()) {
      session.login();
      inAll = options.triples() ? census.countTriples(session) : null;
      census.walkFieldIndex(session);
      if (options.orphans() && options.triples()) {
        census.readTriples(session);
      }
      comparison.run();
      comparison.settleAbsent();
      if (options.orphans()) {
        census.checkOthers(session);
      }
    } catch (CheckFindings.Stopped e) {
      findings.note("It was stopped before its end.");
    } catch (IOException e) {
      if (!findings.stopped()) {
        throw e;
      }
      findings.note("It was stopped before its end.");
    } catch (UncheckedIOException e) {
      throw e.getCause(); // a file of the dataset is not what it was
    }
    if (comparison.leftOfFailed() > 0) {
      findings.note(
          "Of the objects that had failed, "
              + comparison.leftOfFailed()
              + " are in Fedora all the same, whole or in part.");
    }
    return result(census, comparison, inAll, System.nanoTime() - startNanos);
  }

  private Result result(
      IndexCensus census, ObjectComparison comparison, Long inAll, long durationNanos) {
    boolean everySum = options.everything() && !findings.stopped() && census.triplesRead();
    boolean searched = census.fieldSearchWorks();
    long purged = mixed == null ? 0 : mixed.endPurged() - mixed.firstPurged();
    return new Result(
        claim.objects() - purged,
        searched ? Long.valueOf(census.foundInFieldIndex()) : null,
        searched ? Long.valueOf(census.inNamespaces()) : null,
        claim.notIngested().size(),
        comparison.absent(),
        everySum ? Long.valueOf(comparison.triplesExpected()) : null,
        census.triplesFound(),
        inAll,
        comparison.compared(),
        comparison.equal(),
        comparison.bytes(),
        findings.problems(),
        !findings.stopped(),
        findings.notes(),
        durationNanos);
  }
}
