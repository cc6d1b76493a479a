package org.fedometer.aspects.recorder;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Records traces at each level of the stack until it overflows, then one more; prints the record of
 * that one. Runs in a separate JVM.
 */
final class TracesToTheEndOfTheStack {

  private static final int STAGE = Stages.numberOf("test.stage");

  /** In a megabyte of stack; a trace of three words at each level fits the ring. */
  private static final int MAX_LEVELS = 80_000;

  private TracesToTheEndOfTheStack() {}

  public static void main(String[] args) {
    Set<String> recorded = new TreeSet<>();
    for (int times = 0; times < 5; times++) {
      Recording recording = new Recording(1 << 17, 1);
      Recorder.start(recording);
      try {
        descend(MAX_LEVELS);
        recorded.add("the stack has not overflown");
      } catch (StackOverflowError asItShould) {
        drain(recording);
      }
      trace();
      recorded.add(drain(recording));
    }
    System.out.print(recorded);
  }

  private static void descend(int deeper) {
    if (deeper > 0) {
      trace();
      descend(deeper - 1);
    }
  }

  private static void trace() {
    Recorder.enter(STAGE);
    Recorder.exit(STAGE);
  }

  private static String drain(Recording recording) {
    List<Long> samples = new ArrayList<>();
    List<Long> traces = new ArrayList<>();
    recording.drain(
        (stage, thread, trace, start, total, own, failed) -> samples.add(trace),
        (trace, root, pid, traceparent, operation, failed) -> traces.add(trace));
    return samples.size()
        + " sample, "
        + traces.size()
        + " trace, of "
        + (samples.equals(traces) ? "one id" : "several");
  }
}
