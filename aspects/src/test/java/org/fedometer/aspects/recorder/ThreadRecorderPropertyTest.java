package org.fedometer.aspects.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Any sequence of enters and exits, paired or not, against a model that is slow and plain. */
class ThreadRecorderPropertyTest {

  private static final int STAGES = 4;

  /** Covers all paths: no space for nesting, hardly any, and rings with the fast path. */
  private static final int[] RING_SAMPLES = {2, 8, 128};

  enum Kind {
    ENTER,
    EXIT,
    FAIL,
    NOTE_PID,
    NOTE_FAILURE,
    DRAIN
  }

  record Step(Kind kind, int stage, int nanosLater) {}

  record Sample(int stage, long startNanos, long durationNanos, long selfNanos, boolean failed) {}

  record Trace(int rootStage, String pid, boolean failed) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequency(
            net.jqwik.api.Tuple.of(10, Kind.ENTER),
            net.jqwik.api.Tuple.of(8, Kind.EXIT),
            net.jqwik.api.Tuple.of(2, Kind.FAIL),
            net.jqwik.api.Tuple.of(1, Kind.NOTE_PID),
            net.jqwik.api.Tuple.of(1, Kind.NOTE_FAILURE),
            net.jqwik.api.Tuple.of(1, Kind.DRAIN));
    return Combinators.combine(
            kinds,
            Arbitraries.integers().between(0, STAGES - 1),
            Arbitraries.integers().between(0, 1000))
        .as(Step::new)
        .list()
        .ofMaxSize(400);
  }

  @Property(tries = 500)
  void recordsWhatThePlainModelRecords(@ForAll("steps") List<Step> steps) {
    for (int ringSamples : RING_SAMPLES) {
      recordsWhatThePlainModelRecords(steps, ringSamples);
    }
  }

  private static void recordsWhatThePlainModelRecords(List<Step> steps, int ringSamples) {
    Recording recording = new Recording(ringSamples, 1);
    ThreadRecorder recorder =
        recording.recorderOf(Thread.currentThread(), new Recorder.RecorderHolder());
    Model model = new Model(ringSamples);
    StageSums totals = new StageSums();
    List<Sample> samples = new ArrayList<>();
    List<Trace> traces = new ArrayList<>();
    long now = Long.MAX_VALUE - 50_000; // nanoTime may overflow at any moment
    for (Step step : steps) {
      now += step.nanosLater;
      switch (step.kind) {
        case ENTER -> {
          recorder.enter(step.stage, now);
          model.enter(step.stage, now);
        }
        case EXIT, FAIL -> {
          recorder.exit(step.stage, now, step.kind == Kind.FAIL ? RingWord.FAIL : RingWord.EXIT);
          model.exit(step.stage, now, step.kind == Kind.FAIL);
        }
        case NOTE_PID -> {
          recorder.notePid("test:" + step.stage);
          model.notePid("test:" + step.stage);
        }
        case NOTE_FAILURE -> {
          recorder.noteFailure();
          model.noteFailure();
        }
        case DRAIN -> drain(recorder, samples, traces, totals, now, model);
      }
    }
    drain(recorder, samples, traces, totals, now, model);
    recorder.addDropsTo(totals);

    assertThat(samples).isEqualTo(model.samples);
    assertThat(traces).isEqualTo(model.traces);
    assertThat(totals.samplesDropped).isEqualTo(model.samplesDropped);
    assertThat(totals.tracesDropped).isEqualTo(model.tracesDropped);
    assertThat(totals.stagesSkipped).isEqualTo(model.stagesSkipped);
    for (int stage = 0; stage < STAGES; stage++) {
      assertThat(totals.count[stage]).isEqualTo(model.count[stage]);
      assertThat(totals.failed[stage]).isEqualTo(model.failed[stage]);
      assertThat(totals.durationNanos[stage]).isEqualTo(model.durationNanos[stage]);
    }
  }

  private static void drain(
      ThreadRecorder recorder,
      List<Sample> samples,
      List<Trace> traces,
      StageSums totals,
      long now,
      Model model) {
    recorder.drain(
        (stage, thread, trace, start, total, own, failed) ->
            samples.add(new Sample(stage, start, total, own, failed)),
        (trace, root, pid, traceparent, operation, failed) ->
            traces.add(new Trace(root, pid, failed)),
        totals,
        now);
    model.wordsInRing = 0;
    model.tracesInRing = 0;
  }

  private static final class Model {

    private static final class Open {
      final int stage;
      final long startNanos;
      long childNanos;
      boolean hasDroppedChildren;
      boolean inRing;

      Open(int stage, long startNanos) {
        this.stage = stage;
        this.startNanos = startNanos;
      }
    }

    final int ringWords;
    final int ringTraces;
    final List<Open> open = new ArrayList<>();
    final List<Integer> skipped = new ArrayList<>();
    final List<Sample> samples = new ArrayList<>();
    final List<Trace> traces = new ArrayList<>();
    final long[] count = new long[STAGES];
    final long[] failed = new long[STAGES];
    final long[] durationNanos = new long[STAGES];
    int wordsInRing;
    int tracesInRing;
    long samplesDropped;
    long tracesDropped;
    long stagesSkipped;
    String pid;
    boolean traceFailed;

    Model(int ringSamples) {
      ringWords = ringSamples * 2;
      ringTraces = Math.max(1, ringSamples / 4);
    }

    void enter(int stage, long now) {
      if (open.size() == ThreadRecorder.DEPTH_LIMIT) {
        skipped.add(stage);
        stagesSkipped++;
        return;
      }
      if (open.isEmpty()) {
        pid = null;
        traceFailed = false;
      }
      open.add(new Open(stage, now));
      bringIntoRing();
    }

    /** A word for the trace, one for each beginning, two kept for each end. */
    void bringIntoRing() {
      int outside = (int) open.stream().filter(stage -> !stage.inRing).count();
      int beginnings = outside + (open.get(0).inRing ? 0 : 1);
      if (wordsInRing + beginnings + 2 * open.size() <= ringWords) {
        wordsInRing += beginnings;
        open.forEach(stage -> stage.inRing = true);
      }
    }

    void exit(int stage, long now, boolean stageFailed) {
      if (skipped.remove((Integer) stage)) {
        return;
      }
      int at = open.size() - 1;
      while (at >= 0 && open.get(at).stage != stage) {
        at--;
      }
      if (at < 0) {
        return;
      }
      skipped.clear();
      Open ended = open.get(at);
      open.subList(at + 1, open.size()).clear();
      if (!ended.inRing) {
        bringIntoRing();
      }
      open.remove(at);
      long nanos = now - ended.startNanos;
      count[stage]++;
      failed[stage] += stageFailed ? 1 : 0;
      durationNanos[stage] += nanos;
      if (ended.inRing) {
        wordsInRing += ended.hasDroppedChildren ? 2 : 1;
        samples.add(
            new Sample(stage, ended.startNanos, nanos, nanos - ended.childNanos, stageFailed));
      } else {
        samplesDropped++;
      }
      if (at > 0) {
        Open parent = open.get(at - 1);
        parent.childNanos += nanos;
        parent.hasDroppedChildren |= !ended.inRing && nanos != 0;
      } else if (tracesInRing < ringTraces) {
        tracesInRing++;
        traces.add(new Trace(stage, pid, stageFailed || traceFailed));
      } else {
        tracesDropped++;
      }
    }

    void notePid(String noted) {
      if (!open.isEmpty()) {
        pid = Objects.requireNonNull(noted);
      }
    }

    void noteFailure() {
      traceFailed = true;
    }
  }
}
