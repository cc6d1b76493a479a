package org.fedometer.experiments.record;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.job.StoreHint;
import org.fedometer.experiments.load.SkippedDocuments;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;
import org.fedometer.store.RunStore;
import org.fedometer.store.RunView;
import org.fedometer.store.Ulid;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.wire.client.CollectorRejectedException;
import org.fedometer.wire.session.Hello;

/**
 * The existing run whose name a job requested. Confined to the job's thread, after the collector
 * has rejected the name.
 */
public final class NamedRun {
  private static final Set<String> ENDED_EARLY =
      Set.of(RunState.FAILED.id(), RunState.INTERRUPTED.id());

  private final String name;
  private final RunDocument document;
  private final boolean ofParts;
  private final boolean isDriverOnly;

  private NamedRun(String name, RunDocument document, boolean ofParts, boolean driversAlone) {
    this.name = name;
    this.document = document;
    this.ofParts = ofParts;
    this.isDriverOnly = driversAlone;
  }

  /** Returns whether a collector permanently rejects this job's run name. */
  public static boolean isRefusal(StepFailure failure) {
    return failure.getCause() instanceof CollectorRejectedException refused
        && !refused.isTemporary();
  }

  /**
   * @return empty if there is none, or it cannot be determined
   */
  public static Optional<NamedRun> find(CollectorTarget place, String name)
      throws InterruptedException {
    try {
      RunView run =
          place.isStoreCollector()
              ? RunStore.at(place.store()).named(name)
              : CollectorLink.storeOf(place).run(name);
      return run.hasDocument()
          ? Optional.of(
              new NamedRun(name, run.document(), !run.parts().isEmpty(), isDriverOnly(run)))
          : Optional.empty();
    } catch (IOException | NoSuchRunException e) {
      return Optional.empty(); // the rejection stands
    }
  }

  /**
   * Returns whether only drivers have sent to it, and it has no skipped documents of another
   * dataset.
   */
  private static boolean isDriverOnly(RunView run) throws IOException {
    if (run.files().stream().anyMatch(file -> SkippedDocuments.PATH.equals(file.path()))) {
      return false;
    }
    try (Query query = run.query();
        Rows row =
            query.execute(
                "SELECT count(*) FROM sources WHERE kind IS DISTINCT FROM ?", Hello.DRIVER)) {
      row.next();
      return row.integer(0) == 0;
    } catch (QueryException e) {
      return false;
    }
  }

  /** Returns the ULID, which a replacement keeps. */
  public String id() {
    return document.id();
  }

  /**
   * Returns whether it is an ingest that ended before its load: it cannot be resumed, and has
   * nothing worth keeping from its replacement.
   */
  public boolean isIngestWithoutLoad() {
    return document.id() != null
        && Ulid.isUlid(document.id())
        && ENDED_EARLY.contains(String.valueOf(document.state()))
        && document.profile() == null
        && document.imported() == null
        && document.experiment() == null
        && !ofParts
        && isDriverOnly
        && !UnfinishedJobs.loadHadBegun(document)
        && hasNoData();
  }

  /** Returns false also for a failed resume, which documents the load. */
  private boolean hasNoData() {
    boolean objects = document.objects() != null && document.objects().ingested() > 0;
    boolean triples = document.triples() != null && document.triples().before() != null;
    boolean outages = document.outages() != null && !document.outages().isEmpty();
    return !objects && !triples && !outages;
  }

  /**
   * Returns advice about a used name, to follow the rejection; empty if there is none.
   *
   * @param mayJoin true if the job could load into an existing run
   */
  public String advice(CollectorTarget place, boolean mayJoin) {
    String state = document.state();
    if (RunState.MONITORING.is(state)) {
      return mayJoin
          ? "; or give --join: the run "
              + name
              + " is an agent's, and its samples and the load then form one run"
          : "";
    }
    boolean ended = RunState.of(state).isPresent() && !RunState.RUNNING.is(state);
    return "; the run "
        + name
        + (ended ? " has ended (" + state + ")" : " is in progress, or was killed")
        + ": 'fedometer runs rm "
        + name
        + (place.isStoreCollector()
            ? StoreHint.of(place.store()) + "'"
            : "' on the collector's machine")
        + " deletes it"
        + (ended ? "" : " if no driver works on it");
  }
}
