package org.fedometer.cli.load;

import java.time.Duration;
import java.util.List;
import org.fedometer.cli.option.DurationConverter;
import org.fedometer.cli.option.SizeConverter;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.load.Load;
import org.fedometer.experiments.load.LoadPlan;
import picocli.CommandLine.Option;

/** Options of a load: concurrency, timing and end. */
final class LoadOptions {
  private static final int CLOSED_MODEL_WORKERS = 4;

  /** Limit of requests in flight, not of busy threads. */
  private static final int OPEN_MODEL_WORKERS = 64;

  private static final long WARM_UP_OBJECTS = 1000;
  private static final Duration SWEEP_STEP = Duration.ofMinutes(1);

  @Option(
      names = "--objects",
      paramLabel = "N",
      description =
          "Number of objects (default: all of a finite dataset, else "
              + LoadPlan.STANDARD_OBJECTS
              + "; without limit if another limit is given).")
  private Long objects;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Maximum duration of the load, such as 90s, 20m, 8h or 3d, without pauses.")
  private Duration maxDuration;

  @Option(
      names = "--min-free-disk",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "Stop when the disk of the store has less free space, such as 50g.")
  private Long minFreeDiskBytes;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description =
          "Number of concurrent requests (default: "
              + CLOSED_MODEL_WORKERS
              + "; with --rate or --ramp "
              + OPEN_MODEL_WORKERS
              + ").")
  private Integer workers;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      description = "Open model: arrival rate in objects per second (default: closed model).")
  private Double ratePerSecond;

  @Option(
      names = "--ramp",
      paramLabel = "R:+R/TIME",
      converter = RampConverter.class,
      description =
          "Open model with a rising rate: 20:+20/200s starts at 20 per second and adds 20"
              + " every 200 s, until a step fails. Reports the highest rate without failures.")
  private Load.Ramp ramp;

  @Option(
      names = "--sweep",
      paramLabel = "W,W,...",
      split = ",",
      hideParamSyntax = true,
      description = "Closed model in steps of N workers each, such as 1,4,8,12,16.")
  private List<Integer> sweep;

  @Option(
      names = "--step-duration",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Duration of a step of --sweep (default: 60s).")
  private Duration step;

  @Option(
      names = "--step-objects",
      paramLabel = "N",
      description = "Number of objects of a step of --sweep, instead of a duration.")
  private Long stepObjects;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description =
          "Objects before the first step of --ramp or --sweep (default: " + WARM_UP_OBJECTS + ").")
  private Long warmUp;

  int workers() {
    if (workers != null) {
      return workers;
    }
    if (sweep != null) {
      return sweep.stream().mapToInt(Integer::intValue).max().orElse(CLOSED_MODEL_WORKERS);
    }
    return ratePerSecond == null && ramp == null ? CLOSED_MODEL_WORKERS : OPEN_MODEL_WORKERS;
  }

  /**
   * @throws IllegalArgumentException if options are incompatible or a value is invalid; the message
   *     is one sentence
   */
  LoadPlan plan() {
    rejectIf(ramp != null && sweep != null, "--ramp and --sweep: give one of them");
    rejectIf(
        ratePerSecond != null && (ramp != null || sweep != null),
        "--rate: --ramp and --sweep set the load of each step; leave it out");
    rejectIf(
        workers != null && sweep != null,
        "--workers: --sweep sets the workers of each step; leave it out");
    rejectIf(
        sweep == null && (step != null || stepObjects != null),
        "--step-duration and --step-objects need --sweep; give it, or leave them out");
    rejectIf(
        step != null && stepObjects != null,
        "--step-duration and --step-objects: give one of them");
    rejectIf(
        stepObjects != null && stepObjects < 1,
        "--step-objects " + stepObjects + ": give 1 or more");
    rejectIf(
        warmUp != null && ramp == null && sweep == null,
        "--warm-up needs --ramp or --sweep; the report of any other load detects its warm-up");
    rejectIf(warmUp != null && warmUp < 0, "--warm-up " + warmUp + ": give 0 or more");
    Load.Stepped steps = steps();
    return new LoadPlan(objects, workers(), ratePerSecond, steps, maxDuration, minFreeDiskBytes);
  }

  private Load.Stepped steps() {
    long warmUpObjects = warmUp == null ? WARM_UP_OBJECTS : warmUp;
    if (ramp != null) {
      return new Load.Ramp(ramp.fromPerSecond(), ramp.byPerSecond(), ramp.step(), warmUpObjects);
    }
    if (sweep == null) {
      return null;
    }
    sweep.forEach(
        number ->
            rejectIf(
                number < 1 || number > IngestOptions.MAX_WORKERS,
                "--sweep " + number + ": give 1 to " + IngestOptions.MAX_WORKERS));
    return stepObjects != null
        ? new Load.Sweep(sweep, null, stepObjects, warmUpObjects)
        : new Load.Sweep(sweep, step == null ? SWEEP_STEP : step, 0, warmUpObjects);
  }

  private static void rejectIf(boolean condition, String message) {
    if (condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
