package org.fedometer.driver.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.fedometer.driver.content.ContentDelivery;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.mix.MixedObjects;
import org.fedometer.wire.Counted;

/**
 * Compares a repository with the expected result of a run, object by object and in reverse: the
 * field index and the triplestore may contain only existing objects. Conducted by one thread, with
 * a few reader threads; {@link #stop} is thread-safe.
 *
 * <p>Keeps four bytes and a bit per object, and two bytes more if all triples are read, so that a
 * run of any length can be checked.
 */
public final class RepositoryCheck {

  private final FedoraClient client;
  private final RunClaim claim;
  private final ContentDelivery delivery;
  private final Options options;
  private final CheckFindings findings;

  /** Objects after a mix, or null. */
  private final MixedObjects mixed;

  /**
   * @param sampledObjects number of objects compared in full
   * @param everything true to compare all objects
   * @param orphans true to look for triples without an object, and to look up foreign objects;
   *     implied by {@code everything}
   * @param seed seed of the sample
   * @param threads threads that compare; the client needs one connection more
   * @param triples true if there is a triplestore
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

  /** Listener for findings during the check; called by one thread at a time. */
  public interface Listener {
    /** Ignores all findings. */
    Listener NONE = new Listener() {};

    /** Reports a problem; all problems of one object are consecutive. */
    default void onProblem(Problem problem) {}

    /**
     * @param what current activity, a few words
     * @param all total, or 0 if unknown
     */
    default void onProgress(String what, long done, long all) {}
  }

  /**
   * @param objectsExpected objects of the run, without purged ones
   * @param objectsFound number of these in the field search; null if it failed
   * @param objectsInNamespaces objects of the field search in the dataset's namespaces; null if it
   *     failed
   * @param failed failed objects by the run's record
   * @param open missing objects of unknown outcome, which are tolerated
   * @param triplesExpected triples of the run's objects by the formula; null unless all were
   *     compared
   * @param triplesFound triples of the run's objects; null if not read
   * @param triplesInAll triples of the whole triplestore; null without one
   * @param compared objects compared in full
   * @param equal number of these without a problem
   * @param bytes content bytes read
   * @param problems number of problems
   * @param complete false if stopped
   * @param notes remarks that are no problems, a sentence each
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
   * @param delivery delivery of the ingest; unused if content was outside Fedora
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

  /** Makes {@link #run} return soon with its findings so far. */
  public void stop() {
    findings.stop();
    client.cancelRequests();
  }

  /**
   * Runs the check. Call once.
   *
   * @throws LoginRefusedException if Fedora does not accept user and password
   * @throws FedoraUnreachableException if Fedora is away, or goes away meanwhile
   * @throws IOException if the check is impossible for another reason, such as an unreadable
   *     dataset
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
      findings.note("The check was stopped before its end.");
    } catch (IOException e) {
      if (!findings.stopped()) {
        throw e;
      }
      findings.note("The check was stopped before its end.");
    } catch (UncheckedIOException e) {
      throw e.getCause(); // a file of the dataset has changed
    }
    if (comparison.leftOfFailed() > 0) {
      findings.note(
          Counted.of(
                  comparison.leftOfFailed(),
                  "object that had failed is",
                  "objects that had failed are")
              + " in Fedora all the same, completely or in part.");
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
