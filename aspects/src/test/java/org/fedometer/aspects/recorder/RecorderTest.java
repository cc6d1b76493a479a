package org.fedometer.aspects.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecorderTest {

  private static final int OUTER = Stages.numberOf("test.outer");
  private static final int INNER = Stages.numberOf("test.inner");
  private static final TraceSink NO_TRACES =
      (trace, root, pid, traceparent, operation, failed) -> {};

  private final List<Integer> stages = new ArrayList<>();
  private final SampleSink stagesOnly =
      (stage, thread, trace, start, total, own, failed) -> stages.add(stage);

  @AfterEach
  void switchOff() {
    Recorder.stop();
  }

  @Test
  void recordsNothingWhileItIsOff() {
    Recording recording = new Recording(16, 4);
    Recorder.start(recording);
    Recorder.stop();
    Recorder.enter(OUTER);
    Recorder.exit(OUTER);
    recording.drain(stagesOnly, NO_TRACES);
    assertThat(stages).isEmpty();
  }

  @Test
  void forgetsAStageThatWasOpenWhenTheSwitchWasThrown() {
    Recording recording = new Recording(16, 4);
    Recorder.start(recording);
    Recorder.enter(OUTER);
    Recorder.stop();
    Recorder.enter(INNER);
    Recorder.start(recording);
    Recorder.exit(INNER); // entered while off
    Recorder.exit(OUTER); // entered in an epoch that is over
    Recorder.enter(INNER);
    Recorder.exit(INNER);
    recording.drain(stagesOnly, NO_TRACES);
    assertThat(stages).containsExactly(INNER);
  }

  @Test
  void givesEveryTraceAUniqueIdAcrossThreads() throws Exception {
    Recording recording = new Recording(1024, 8);
    Recorder.start(recording);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int trace = 0; trace < 200; trace++) {
                  Recorder.enter(OUTER);
                  Recorder.enter(INNER);
                  Recorder.exit(INNER);
                  Recorder.exit(OUTER);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Set<Long> outer = new HashSet<>();
    Set<Long> inner = new HashSet<>();
    Set<Long> finished = new HashSet<>();
    recording.drain(
        (stage, thread, trace, start, total, own, failed) ->
            (stage == OUTER ? outer : inner).add(trace),
        (trace, root, pid, traceparent, operation, failed) -> finished.add(trace));
    assertThat(outer).hasSize(800).doesNotContain(0L).isEqualTo(inner).isEqualTo(finished);
  }

  @Test
  void releasesDeadThreadsAndKeepsTheirSums() throws Exception {
    Recording recording = new Recording(4, 2);
    Recorder.start(recording);
    for (int i = 0; i < 5; i++) {
      Thread thread = new Thread(() -> repeat(10));
      thread.start();
      thread.join();
      recording.drain(stagesOnly, NO_TRACES);
    }
    assertThat(recording.threads()).isEmpty();
    assertThat(recording.threadsRefused()).isZero();
    assertThat(recording.totals().count[OUTER]).isEqualTo(50);
    assertThat(recording.totals().samplesDropped).isEqualTo(50 - stages.size());
  }

  @Test
  void keepsNoThreadThatHasDied() throws Exception {
    Recording recording = new Recording(16, 4);
    Recorder.start(recording);
    Thread thread = new Thread(() -> repeat(1));
    thread.start();
    thread.join();
    recording.drain(stagesOnly, NO_TRACES);
    WeakReference<Thread> gone = new WeakReference<>(thread);
    thread = null;
    await()
        .until(
            () -> {
              System.gc();
              return gone.get() == null;
            });
  }

  /**
   * Thread ids equal modulo the number of slots share one; both threads keep their own recorder.
   */
  @Test
  void threadsThatShareASlotDoNotMixTheirSamples() throws Exception {
    Recording recording = new Recording(1024, 8);
    Recorder.start(recording);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          new Thread(() -> repeat(200)) {
            @Override
            public long getId() {
              return 7;
            }
          });
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long[] samples = new long[4];
    recording.drain(
        (stage, thread, trace, start, total, own, failed) -> samples[thread]++, NO_TRACES);
    assertThat(samples).containsOnly(200);
  }

  @Test
  void rejectsThreadsBeyondTheLimitAndCountsThem() throws Exception {
    Recording recording = new Recording(4, 1);
    Recorder.start(recording);
    repeat(1);
    Thread second = new Thread(() -> repeat(1));
    second.start();
    second.join();
    assertThat(recording.threadsRefused()).isEqualTo(1);
    recording.drain(stagesOnly, NO_TRACES);
    assertThat(stages).hasSize(1);
  }

  @Test
  void leavesOutTheThreadThatStartsTheWebappAndKeepsTheOneThatStopsIt() throws Exception {
    Recording recording = new Recording(16, 4);
    Recorder.start(recording);
    run("localhost-startStop-1");
    run("http-bio-8080-exec-1");
    run("localhost-startStop-2");
    assertThat(recording.threads())
        .extracting(ThreadRecorder::threadName)
        .containsExactly("http-bio-8080-exec-1", "localhost-startStop-2");
  }

  @Test
  void losesAndDuplicatesNothingWhileItIsDrained() {
    Recording recording = new Recording(256, 1);
    long calls = 2_000_000;
    long beginning = System.nanoTime();
    AtomicBoolean done = new AtomicBoolean();
    Thread owner =
        new Thread(
            () -> {
              ThreadRecorder recorder =
                  recording.recorderOf(Thread.currentThread(), new Recorder.RecorderHolder());
              for (long call = 0; call < calls; call++) {
                recorder.enter(OUTER, beginning + call);
                recorder.exit(OUTER, beginning + call + 3, RingWord.EXIT);
              }
              done.set(true);
            });
    owner.start();
    long[] seen = {0, beginning - 1};
    SampleSink sink =
        (stage, thread, trace, start, total, own, failed) -> {
          assertThat(start).isGreaterThan(seen[1]);
          assertThat(total).isEqualTo(3);
          seen[0]++;
          seen[1] = start;
        };
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofNanos(1000))
        .until(
            () -> {
              recording.drain(sink, NO_TRACES);
              return done.get();
            });
    recording.drain(sink, NO_TRACES);
    StageSums totals = recording.totals();
    assertThat(seen[0] + totals.samplesDropped).isEqualTo(calls);
    assertThat(totals.count[OUTER]).isEqualTo(calls);
    assertThat(totals.durationNanos[OUTER]).isEqualTo(3 * calls);
  }

  /** A ring of 32 words: stages wait, are dropped, and come into it late; so do traces. */
  @Test
  void textsAndSelfTimesStayWithTheirTracesWhileDraining() {
    Recording recording = new Recording(16, 1);
    long calls = 200_000;
    long beginning = System.nanoTime();
    AtomicBoolean done = new AtomicBoolean();
    Thread owner =
        new Thread(
            () -> {
              ThreadRecorder recorder =
                  recording.recorderOf(Thread.currentThread(), new Recorder.RecorderHolder());
              for (long call = 0; call < calls; call++) {
                long start = beginning + 10 * call;
                recorder.enter(OUTER, start);
                recorder.notePid("p:" + recorder.currentTraceId());
                recorder.enter(INNER, start + 1);
                recorder.exit(INNER, start + 2, RingWord.EXIT);
                recorder.exit(OUTER, start + 5, RingWord.EXIT);
              }
              done.set(true);
            });
    owner.start();
    long[] samples = new long[1];
    SampleSink sampleSink =
        (stage, thread, trace, start, duration, self, failed) -> {
          samples[0]++;
          assertThat(duration).isEqualTo(stage == OUTER ? 5 : 1);
          assertThat(self).isEqualTo(stage == OUTER ? 4 : 1);
        };
    long[] traces = {0, 0};
    TraceSink traceSink =
        (trace, root, pid, traceparent, operation, failed) -> {
          traces[0]++;
          assertThat(trace).isGreaterThan(traces[1]);
          traces[1] = trace;
          assertThat(pid).isEqualTo("p:" + trace);
        };
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofNanos(1000))
        .until(
            () -> {
              recording.drain(sampleSink, traceSink);
              return done.get();
            });
    recording.drain(sampleSink, traceSink);
    StageSums totals = recording.totals();
    assertThat(samples[0] + totals.samplesDropped).isEqualTo(2 * calls);
    assertThat(traces[0] + totals.tracesDropped).isEqualTo(calls);
    assertThat(totals.count[OUTER]).isEqualTo(calls);
    assertThat(totals.count[INNER]).isEqualTo(calls);
    assertThat(totals.durationNanos[OUTER]).isEqualTo(5 * calls);
    assertThat(totals.durationNanos[INNER]).isEqualTo(calls);
  }

  @Test
  void stackOverflowDoesNotAffectTheNextTrace() {
    Recording recording = new Recording(1024, 4);
    Recorder.start(recording);
    Recorder.enter(OUTER);
    assertThatThrownBy(() -> descend(1_000_000)).isInstanceOf(StackOverflowError.class);
    Recorder.exit(OUTER);
    repeat(1);
    List<Integer> roots = new ArrayList<>();
    List<Long> traces = new ArrayList<>();
    long[] last = new long[2];
    recording.drain(
        (stage, thread, trace, start, total, own, failed) -> {
          stages.add(stage);
          last[0] = trace;
          last[1] = total - own;
        },
        (trace, root, pid, traceparent, operation, failed) -> {
          roots.add(root);
          traces.add(trace);
        });
    assertThat(roots).containsExactly(OUTER, OUTER);
    assertThat(traces).doesNotHaveDuplicates();
    assertThat(stages).contains(INNER).endsWith(OUTER);
    assertThat(last).as("trace, and time of children").containsExactly(traces.get(1), 0);
  }

  /** Runs in a JVM that compiles nothing: each call of a method then needs the same stack space. */
  @Test
  void traceThatOverflowsTheStackDoesNotAffectTheNext() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xint",
                "-cp",
                System.getProperty("java.class.path"),
                TracesToTheEndOfTheStack.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).isEqualTo("[1 sample, 1 trace, of one id]");
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void allocatesNothingAfterAThreadsFirstCall() {
    Recorder.start(new Recording(1024, 4));
    repeat(20_000); // first call, and compiled
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    repeat(1_000_000);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    // The question itself may cost some bytes; a million calls must not.
    assertThat(allocated).isLessThan(10_000);
  }

  @Test
  void givesTheSinkNoSampleTwiceWhenTheSinkFails() {
    Recording recording = new Recording(16, 4);
    Recorder.start(recording);
    repeat(3);
    assertThatThrownBy(
            () ->
                recording.drain(
                    (stage, thread, trace, start, total, own, failed) -> {
                      throw new OutOfMemoryError("for the test");
                    },
                    NO_TRACES))
        .isInstanceOf(OutOfMemoryError.class);
    recording.drain(stagesOnly, NO_TRACES);
    assertThat(stages).hasSize(2);
    assertThat(recording.totals().count[OUTER]).isEqualTo(3);
  }

  /**
   * Reproduces a request for content in which Fedora internally requests a file name and finds
   * none.
   */
  @Test
  void firstChangeOrOperationNamesATraceAndAnyChangeCanFailIt() {
    Recording recording = new Recording(64, 4);
    List<String> traces = new ArrayList<>();
    Recorder.start(recording);

    Recorder.enter(OUTER);
    Recorder.operationBegins("read", "p:1", false);
    Recorder.operationEnds(false);
    Recorder.operationBegins("list", "p:2", false);
    Recorder.operationEnds(true);
    Recorder.exit(OUTER);

    Recorder.enter(OUTER);
    Recorder.operationBegins("purge", "p:3", true);
    Recorder.operationBegins("list", "p:4", false);
    Recorder.operationEnds(false);
    Recorder.operationEnds(true);
    Recorder.exit(OUTER);

    Recorder.enter(OUTER);
    Recorder.operationBegins("look", "p:6", false);
    Recorder.operationEnds(true);
    Recorder.operationBegins("modify", "p:6", true);
    Recorder.operationEnds(false);
    Recorder.operationBegins("modify", "p:7", true);
    Recorder.operationEnds(true);
    Recorder.exit(OUTER);

    Recorder.operationBegins("of no trace", "p:5", false);
    Recorder.operationEnds(true);
    Recorder.enter(OUTER);
    Recorder.exit(OUTER);

    recording.drain(
        stagesOnly,
        (trace, root, pid, traceparent, operation, failed) ->
            traces.add(operation + " " + pid + " " + failed));
    assertThat(traces)
        .containsExactly("read p:1 false", "purge p:3 true", "modify p:6 true", "null null false");
  }

  @Test
  void keepsTheLastOperationThatATraceNames() {
    Recording recording = new Recording(16, 4);
    Recorder.start(recording);
    Recorder.noteOperation("before any trace");
    Recorder.enter(OUTER);
    Recorder.noteOperation("POST");
    Recorder.enter(INNER);
    Recorder.noteOperation("ingest");
    Recorder.noteOperation(null);
    Recorder.exit(INNER);
    Recorder.exit(OUTER);
    repeat(1);
    Recorder.enter(OUTER);
    Recorder.noteOperation("x".repeat(TraceRing.TEXT_LIMIT + 1));
    Recorder.exit(OUTER);
    List<String> operations = new ArrayList<>();
    recording.drain(
        stagesOnly,
        (trace, root, pid, traceparent, operation, failed) -> operations.add(operation));

    assertThat(operations).containsExactly("ingest", null, "x".repeat(TraceRing.TEXT_LIMIT));
  }

  @Test
  void keepsTheThreadsRecorderWhileRecordingIsPaused() {
    Recording recording = new Recording(16, 4);
    for (int times = 1; times <= 3; times++) {
      Recorder.start(recording);
      repeat(1);
      Recorder.stop();
    }
    assertThat(recording.threads()).hasSize(1);
    recording.drain(stagesOnly, NO_TRACES);
    assertThat(stages).hasSize(3);
  }

  /** Fedora's threads live on for months after the agent has gone. */
  @Test
  void leavesNothingOfARecordingWithThreadsThatLiveOn() throws Exception {
    int count = 40;
    WeakReference<Recording> gone;
    CountDownLatch met = new CountDownLatch(count);
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    try {
      gone = new WeakReference<>(startedWithThreadLimit(count - 10));
      for (int i = 0; i < count; i++) {
        long id = i < 10 ? 7 : 1000 + i; // ten have one slot, the last ten are rejected
        threads.add(parkedAfterAStage(id, met, end));
      }
      met.await();
      Recorder.stop();
      await()
          .until(
              () -> {
                System.gc();
                return gone.get() == null;
              });
      assertThat(threads).allMatch(Thread::isAlive);
    } finally {
      end.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private static Recording startedWithThreadLimit(int threadLimit) {
    Recording recording = new Recording(1024, threadLimit);
    Recorder.start(recording);
    return recording;
  }

  private static Thread parkedAfterAStage(long id, CountDownLatch met, CountDownLatch end) {
    Thread thread =
        new Thread(
            () -> {
              Recorder.enter(OUTER);
              repeat(1);
              met.countDown();
              try {
                end.await();
              } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
              }
            }) {
          @Override
          public long getId() {
            return id;
          }
        };
    thread.start();
    return thread;
  }

  @Test
  void noThreadKeepsARecordingThatIsSwitchedOffWhileTheThreadComesToIt() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      threads.add(
          new Thread(
              () -> {
                while (!done.get()) {
                  repeat(1);
                }
              }));
    }
    threads.forEach(Thread::start);
    List<WeakReference<Recording>> recordings = new ArrayList<>();
    for (int times = 0; times < 2000; times++) {
      recordings.add(new WeakReference<>(startedWithThreadLimit(4)));
      Recorder.stop();
    }
    try {
      await()
          .until(
              () -> {
                System.gc();
                return recordings.stream().allMatch(recording -> recording.get() == null);
              });
    } finally {
      done.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  @Test
  void pausesRegistrationWithoutMemoryForAThread() {
    AtomicLong nanos = new AtomicLong();
    int[] attempts = new int[1];
    Recording recording =
        new Recording(
            16,
            4,
            (of, thread, place, id, ringSamples) -> {
              if (attempts[0]++ == 0) {
                throw new OutOfMemoryError("for the test");
              }
              return new ThreadRecorder(of, thread, place, id, ringSamples);
            },
            nanos::get);
    Recorder.start(recording);
    repeat(100);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(Recording.REGISTRATION_PAUSE_SECONDS) - 1);
    repeat(100);
    assertThat(attempts[0]).isEqualTo(1);
    assertThat(recording.threadsRefused()).isEqualTo(1);
    assertThat(recording.memoryBytes()).isZero();

    nanos.incrementAndGet();
    repeat(1);
    assertThat(attempts[0]).isEqualTo(2);
    assertThat(recording.threadsRefused()).isEqualTo(1);
    recording.drain(stagesOnly, NO_TRACES);
    assertThat(stages).hasSize(1);
  }

  @Test
  void aPauseLeavesThreadsTheirRecordersAndRecordsNothing() {
    Recording recording = new Recording(16, 4);
    Recorder.start(recording);
    repeat(2);
    Recorder.enter(OUTER);
    Recorder.pause();
    Recorder.exit(OUTER);
    assertThat(Recorder.isOn()).isFalse();
    repeat(3);
    Recorder.resume();
    assertThat(Recorder.isOn()).isTrue();
    repeat(1);
    recording.drain(stagesOnly, NO_TRACES);
    assertThat(stages).hasSize(3);
    assertThat(recording.threads()).hasSize(1);

    Recorder.pause();
    Recorder.stop();
    Recorder.resume();
    assertThat(Recorder.isOn()).as("what was let go does not come back").isFalse();
  }

  @Test
  void reportsWhetherAllIsDrained() {
    Recording recording = new Recording(16, 4);
    assertThat(Recorder.recording()).isNull();
    Recorder.start(recording);
    assertThat(Recorder.recording()).isSameAs(recording);
    assertThat(recording.isDrained()).isTrue();
    repeat(1);
    assertThat(recording.isDrained()).isFalse();
    recording.drain(stagesOnly, NO_TRACES);
    assertThat(recording.isDrained()).isTrue();
  }

  @Test
  void reportsItsMemory() throws Exception {
    Recording recording = new Recording(1024, 4);
    Recorder.start(recording);
    assertThat(recording.memoryBytes()).isZero();
    repeat(1);
    assertThat(recording.memoryBytes()).isEqualTo(Recording.bytesPerThread(1024));
    Thread second = new Thread(() -> repeat(1));
    second.start();
    second.join();
    assertThat(recording.memoryBytes()).isEqualTo(2 * Recording.bytesPerThread(1024));
    recording.drain(stagesOnly, NO_TRACES);
    assertThat(recording.memoryBytes()).isEqualTo(Recording.bytesPerThread(1024));
  }

  @Test
  void usesNoMoreMemoryPerThreadThanReported() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int ringSamples : new int[] {2, 16, 1024, 1 << 16}) {
      Recording recording = new Recording(ringSamples, 4);
      recording.recorderOf(
          Thread.currentThread(), new Recorder.RecorderHolder()); // classes are loaded
      Recording measured = new Recording(ringSamples, 4);
      long before = threads.getCurrentThreadAllocatedBytes();
      measured.recorderOf(Thread.currentThread(), new Recorder.RecorderHolder());
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      long said = Recording.bytesPerThread(ringSamples);
      assertThat(said).isBetween(allocated, allocated + 1000L + 4L * ringSamples);
    }
  }

  @Test
  void refusesSizesThatCannotWork() {
    assertThatThrownBy(() -> new Recording(1000, 4))
        .hasMessageContaining("1000")
        .hasMessageContaining("power of two");
    assertThatThrownBy(() -> new Recording(16, 0)).hasMessageContaining("thread limit 0");
  }

  private static void run(String threadName) throws InterruptedException {
    Thread thread = new Thread(() -> repeat(1), threadName);
    thread.start();
    thread.join();
  }

  private static void repeat(int times) {
    for (int i = 0; i < times; i++) {
      Recorder.enter(OUTER);
      Recorder.exit(OUTER);
    }
  }

  /** As woven code does in a method that calls itself. */
  private static void descend(int deeper) {
    if (deeper == 0) {
      return;
    }
    Recorder.enter(INNER);
    try {
      descend(deeper - 1);
    } catch (Throwable full) {
      Recorder.fail(INNER);
      throw full;
    }
    Recorder.exit(INNER);
  }
}
