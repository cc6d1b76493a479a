package org.fedometer.analysis.compare;

import static org.fedometer.analysis.NumberFormats.share;

import java.util.List;
import java.util.Objects;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.compare.ResourceUse.Wait;

/**
 * The resource that limited a run, by simple rules documented in {@code
 * docs/experiments-and-compare.md}. The first rule that holds counts. Immutable.
 *
 * @param reason a sentence with the deciding number
 */
public record LimitingResource(Kind kind, String reason) {

  /** Busy share of CPUs above which other resources hardly matter. */
  static final double PROCESSORS_BUSY = 0.85;

  /** CPU share of other processes, 0 to 1: more than the operating system's own work. */
  static final double OTHERS_SHARE = 0.25;

  /** Share of time in GC pauses, above that of any ordinary heap size. */
  static final double GC_SHARE = 0.10;

  /** Share of requests' time waiting for one resource that makes it the bottleneck. */
  static final double WAIT_SHARE = 0.20;

  /** Share of requests' time in stages that end with a disk write. */
  static final double DISK_SHARE = 0.50;

  /** Stages that end when a file or a database's log has been written. */
  private static final List<String> DISK_STAGES =
      List.of(
          "store.",
          "content.temporary-file",
          "content.discard",
          "database.insert",
          "database.update",
          "database.delete",
          "database.replace-dates",
          "triples.write",
          "triples.commit");

  public LimitingResource {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(reason, "reason");
  }

  public enum Kind {
    PROCESSORS(
        "processors", "More or faster processors help; nothing else does while they are busy."),
    OTHER_PROCESSES(
        "other-processes",
        "Other processes took the processors: give the run a machine of its own, then find the limit."),
    GARBAGE_COLLECTION(
        "garbage-collection",
        "Try a larger heap or another garbage collector first, then more memory."),
    CONNECTION_POOL(
        "connection-pool",
        "Hardware does not help: use more connections in the pool, or a faster database."),
    LOCK(
        "lock",
        "One request at a time holds the lock: faster processors help, more processors do not. A"
            + " profile without that lock helps most."),
    DISK(
        "disk",
        "A disk that confirms writes sooner helps, or a separate one for the database's log;"
            + " processors do not."),
    WORKERS(
        "workers",
        "Nothing was saturated: more workers might load it more. Find the limit before buying"
            + " hardware."),
    RATE("rate", "The load set the pace: a higher rate or a closed model shows the limit."),
    UNKNOWN("unknown", "Too little is on record to say which hardware would help.");

    private final String jsonName;
    private final String hardware;

    Kind(String jsonName, String hardware) {
      this.jsonName = jsonName;
      this.hardware = hardware;
    }

    public String jsonName() {
      return jsonName;
    }

    /** Returns the hardware implications, in sentences. */
    public String hardware() {
      return hardware;
    }
  }

  /**
   * @param stages of the same part of the run
   * @param workers concurrent requests; 0 if unknown
   * @param openModel whether requests had intended starts
   */
  static LimitingResource of(
      ResourceUse use, List<StageTime> stages, int workers, boolean openModel) {
    Double busy = use.processorsBusy();
    if (busy != null && busy >= PROCESSORS_BUSY) {
      return new LimitingResource(
          Kind.PROCESSORS,
          "Fedora, database and driver kept the processors %s busy (%s of them)"
              .formatted(share(busy), NumberFormats.rate(use.processors())));
    }
    Double machine = use.machineBusy();
    if (machine != null && machine >= PROCESSORS_BUSY) {
      if (busy == null) {
        return new LimitingResource(
            Kind.UNKNOWN,
            "the machine's processors were %s busy; Fedora's share of that is not on record"
                .formatted(share(machine)));
      }
      boolean others = machine - busy >= OTHERS_SHARE;
      return new LimitingResource(
          others ? Kind.OTHER_PROCESSES : Kind.PROCESSORS,
          "the machine's processors were %s busy, of which Fedora, database and driver took %s: %s took the rest"
              .formatted(
                  share(machine),
                  share(busy),
                  others ? "other processes" : "the operating system or other processes"));
    }
    if (use.gcShare() != null && use.gcShare() >= GC_SHARE) {
      return new LimitingResource(
          Kind.GARBAGE_COLLECTION,
          "garbage collection stopped Fedora for %s of the time".formatted(share(use.gcShare())));
    }
    Wait maxWait = use.waits().isEmpty() ? null : use.waits().get(0);
    if (maxWait != null && maxWait.share() >= WAIT_SHARE) {
      return new LimitingResource(
          maxWait.forConnection() ? Kind.CONNECTION_POOL : Kind.LOCK,
          "requests spent %s of their time waiting in %s"
              .formatted(share(maxWait.share()), maxWait.stage()));
    }
    double written = 0;
    for (StageTime stage : stages) {
      if (stage.share() != null && DISK_STAGES.stream().anyMatch(stage.stage()::startsWith)) {
        written += stage.share();
      }
    }
    if (written >= DISK_SHARE && busy != null) {
      return new LimitingResource(
          Kind.DISK,
          "requests spent %s of their time in stages that end with a write, and processors were %s busy"
              .formatted(share(written), share(busy)));
    }
    if (openModel) {
      return new LimitingResource(
          Kind.RATE,
          busy == null
              ? "the rate set the pace, and no saturated resource is known"
              : "the rate set the pace; processors were %s busy, and nothing else was saturated"
                  .formatted(share(busy)));
    }
    if (busy == null) {
      return new LimitingResource(
          Kind.UNKNOWN, "no telemetry of the processors is on record for this part of the run");
    }
    return new LimitingResource(
        Kind.WORKERS,
        "processors were %s busy%s, and nothing else was saturated%s"
            .formatted(
                share(busy),
                use.gcShare() == null ? "" : ", garbage collection took " + share(use.gcShare()),
                workers > 0
                    ? ": " + NumberFormats.count(workers, "worker") + " did not load it more"
                    : ""));
  }
}
