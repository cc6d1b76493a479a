package org.fedometer.analysis;

import java.util.List;
import org.fedometer.store.RunDocument.Load;
import org.fedometer.store.RunDocument.LoadChange;
import org.fedometer.store.RunDocument.LoadStep;
import org.fedometer.store.RunDocument.Pause;
import org.fedometer.store.RunDocument.Percentiles;
import org.fedometer.store.RunDocument.StepOperation;

/** Loads as run.json has them. */
public final class SampleLoad {

  private static final Percentiles QUICK = new Percentiles(80.1, 120, 240.5, 400);
  private static final Percentiles SLOW = new Percentiles(4_880, 6_000, 7_140, 8_460);

  private SampleLoad() {}

  public static Load ramp() {
    return new Load(
        "The ramp has ended: its rate was no longer held.",
        40.0,
        List.of(
            new LoadStep("warm-up", 4, null, 0, 1, 31.4, 1_000, 0, 0, QUICK, QUICK),
            new LoadStep("clean", 64, 20.0, 1, 2, 200, 3_998, 0, 0, QUICK, QUICK),
            new LoadStep("clean", 64, 40.0, 2, 3, 200, 8_001, 0, 12, QUICK, QUICK),
            new LoadStep("not-held", 64, 60.0, 3, 4, 200, 9_422, 0, 2_315, QUICK, SLOW)),
        List.of(),
        List.of());
  }

  /** A sweep of reads alone, which ingests nothing. */
  public static Load readSweep() {
    return new Load(null, null, List.of(reads(1, 720), reads(3, 718)), List.of(), List.of());
  }

  private static LoadStep reads(int workers, long done) {
    return new LoadStep(
        "clean",
        workers,
        null,
        0,
        5_000_000_000L,
        5,
        0,
        0,
        0,
        QUICK,
        QUICK,
        List.of(
            new StepOperation("get-object", done / 4, 0, QUICK, QUICK),
            new StepOperation("get-datastream", done - done / 4, 0, QUICK, QUICK)));
  }

  public static Load rampWithoutLimit() {
    return new Load(
        "The ramp ran out of objects before it reached a limit; give it more with --objects.",
        20.0,
        List.of(
            new LoadStep("clean", 64, 20.0, 1, 2, 200, 3_998, 0, 0, QUICK, QUICK),
            new LoadStep("cut", 64, 40.0, 2, 3, 100, 4_001, 0, 12, QUICK, QUICK)),
        List.of(),
        List.of());
  }

  public static Load paused(long fromNanos, long toNanos) {
    return new Load(
        null,
        null,
        List.of(),
        List.of(new Pause(fromNanos, toNanos)),
        List.of(new LoadChange(toNanos, 8, 20.0)));
  }
}
