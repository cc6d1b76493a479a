package org.fedometer.driver.load;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fedometer.driver.request.RequestEvent;

/**
 * Advances a load from step to step and keeps their results. {@link #record} is thread-safe; all
 * other methods belong to the conducting thread.
 */
public final class LoadSteps {

  /** Maximum workers in a warm-up, which should warm Fedora, not overrun it. */
  private static final int MAX_WARM_UP_WORKERS = 4;

  private final Load.Stepped load;
  private final int workers;
  private final Schedule schedule;
  private final IngestTally tally;
  private final List<StepTally> steps = new CopyOnWriteArrayList<>();

  /** Number of the current step; 0 for the first, -1 for the warm-up. */
  private int number;

  private int wantedWorkers;
  private long endLoadNanos = Long.MAX_VALUE;
  private long endPosition = Long.MAX_VALUE;
  private String endReason;

  /**
   * Creates the steps; the first begins with {@link #start}.
   *
   * @param workers number for a load that is no sweep
   */
  public LoadSteps(Load.Stepped load, int workers, Schedule schedule, IngestTally tally) {
    this.load = load;
    this.workers = workers;
    this.schedule = schedule;
    this.tally = tally;
    this.number = load.warmUpObjects() > 0 ? -1 : 0;
    this.wantedWorkers =
        number < 0 ? Math.min(MAX_WARM_UP_WORKERS, maxWorkers()) : workersOf(number);
  }

  private int maxWorkers() {
    return load instanceof Load.Sweep sweep ? sweep.maxWorkers() : workers;
  }

  private int workersOf(int step) {
    return load instanceof Load.Sweep sweep ? sweep.workers().get(step) : workers;
  }

  public int wantedWorkers() {
    return wantedWorkers;
  }

  /** Returns the load time at which the current step ends, if it has a duration. */
  public long endLoadNanos() {
    return endLoadNanos;
  }

  /** Returns why there are no more steps, or null while there are. */
  public String endReason() {
    return endReason;
  }

  public void record(RequestEvent event) {
    stepOf(event).add(event);
    if (event.outcome() != RequestEvent.Outcome.INGESTED && endsByFailures()) {
      schedule.wake(); // to end it soon
    }
  }

  private StepTally stepOf(RequestEvent event) {
    for (int i = steps.size() - 1; i >= 0; i--) {
      StepTally step = steps.get(i);
      if (event.intendedStartNanos() - step.startNanos >= 0) {
        return step;
      }
    }
    return steps.get(0);
  }

  public void start(long nanos) {
    begin(nanos, 0);
    open();
  }

  private void begin(long nanos, long loadNanos) {
    wantedWorkers = number < 0 ? Math.min(MAX_WARM_UP_WORKERS, maxWorkers()) : workersOf(number);
    Double rate = null;
    long late = Long.MAX_VALUE;
    endLoadNanos = Long.MAX_VALUE;
    endPosition = Long.MAX_VALUE;
    if (number < 0) {
      endPosition = load.warmUpObjects();
    } else if (load instanceof Load.Ramp ramp) {
      rate = ramp.rateOf(number);
      late = ramp.lateNanos();
      endLoadNanos = loadNanos + ramp.step().toNanos();
      schedule.setStepRate(rate, loadNanos);
    } else if (load instanceof Load.Sweep sweep) {
      endLoadNanos = sweep.step() == null ? Long.MAX_VALUE : loadNanos + sweep.step().toNanos();
      endPosition = sweep.step() == null ? schedule.next() + sweep.stepObjects() : Long.MAX_VALUE;
    }
    if (steps.size() >= 2) {
      steps.get(steps.size() - 2).freeze();
    }
    steps.add(
        new StepTally(
            number < 0, wantedWorkers, rate, nanos, loadNanos, tally.count(Count.INGESTED), late));
  }

  /** Releases workers into the current step. */
  public void open() {
    schedule.holdAt(endPosition);
  }

  /** Returns whether a failure is a normal end of the load, as for a ramp. */
  public boolean endsByFailures() {
    return load instanceof Load.Ramp && !steps.isEmpty() && !steps.get(steps.size() - 1).warmUp;
  }

  /**
   * Ends the current step if due, and begins the next.
   *
   * @return whether the number of workers may have changed
   */
  public boolean advance(long nanos) {
    if (endReason != null || schedule.paused()) {
      return false;
    }
    long loadNanos = schedule.loadNanos(nanos);
    StepTally step = steps.get(steps.size() - 1);
    if (load instanceof Load.Ramp && number >= 0 && failedSoFar(step)) {
      endRamp(step, nanos, loadNanos, LoadStep.Outcome.ERRORS);
      return false;
    }
    boolean timeIsOver = loadNanos >= endLoadNanos;
    if (!timeIsOver && schedule.next() < endPosition) {
      return false;
    }
    // A late call does not prolong the step.
    long stepEnd = timeIsOver ? endLoadNanos : loadNanos;
    if (load instanceof Load.Ramp ramp && number >= 0) {
      long scheduled = Math.max(1, Math.round(ramp.rateOf(number) * ramp.step().toNanos() / 1e9));
      long neverBegun = schedule.overdue(stepEnd, ramp.lateNanos());
      if (step.late() + neverBegun > Load.Ramp.MAX_LATE_SHARE * scheduled) {
        endRamp(step, nanos, loadNanos, LoadStep.Outcome.NOT_HELD);
        return false;
      }
      if (ramp.rateOf(number + 1) <= ramp.rateOf(number)) {
        end(step, LoadStep.Outcome.CLEAN, nanos, stepEnd);
        endReason = "The ramp has reached the maximum rate.";
        return false;
      }
    }
    end(
        step,
        number < 0
            ? LoadStep.Outcome.WARM_UP
            : step.failed() ? LoadStep.Outcome.ERRORS : LoadStep.Outcome.CLEAN,
        nanos,
        stepEnd);
    number++;
    if (load instanceof Load.Sweep sweep && number == sweep.workers().size()) {
      endReason = "All steps are complete.";
      return false;
    }
    begin(nanos, stepEnd);
    return true;
  }

  /** Checks the latest two steps: a failed request may have been due in the previous one. */
  private boolean failedSoFar(StepTally step) {
    StepTally before = steps.size() < 2 ? null : steps.get(steps.size() - 2);
    return step.failed() || before != null && !before.warmUp && before.failed();
  }

  private void endRamp(StepTally step, long nanos, long loadNanos, LoadStep.Outcome outcome) {
    Load.Ramp ramp = (Load.Ramp) load;
    step.end(
        step.failed() || outcome != LoadStep.Outcome.ERRORS ? outcome : LoadStep.Outcome.CUT,
        nanos,
        loadNanos,
        tally.count(Count.INGESTED),
        schedule.overdue(loadNanos, ramp.lateNanos()));
    endReason =
        outcome == LoadStep.Outcome.ERRORS
            ? "The ramp has ended: requests failed."
            : "The ramp has ended: its rate was no longer held.";
  }

  private void end(StepTally step, LoadStep.Outcome outcome, long nanos, long loadNanos) {
    step.end(outcome, nanos, loadNanos, tally.count(Count.INGESTED), 0);
  }

  /** Finishes the last step at the end of the load. */
  public void finish(long nanos) {
    if (endReason == null && !steps.isEmpty()) {
      StepTally step = steps.get(steps.size() - 1);
      end(
          step,
          number < 0 ? LoadStep.Outcome.WARM_UP : LoadStep.Outcome.CUT,
          nanos,
          schedule.loadNanos(nanos));
    }
  }

  /** Returns all steps begun; call when no request is under way. */
  public List<LoadStep> results() {
    return steps.stream().map(StepTally::result).toList();
  }
}
