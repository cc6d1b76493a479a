package org.fedometer.benchmarks.overhead;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Recording;

/**
 * The measured JVM of {@link AgentOverhead}: runs with Fedometer's agent or with Kieker's, takes
 * orders line by line from standard input and answers on standard output. Ends when the input does.
 *
 * <p>In a burst every thread makes the same calls. Bursts of the dresses take turns, so that a
 * change of the machine's mood meets all alike. A woven burst is followed by a pause until all of
 * it has been taken away; that is not timed.
 */
public final class OverheadProbe {

  /** Begins each answer; a measured agent may print as well. */
  static final String RESPONSE = "probe";

  /** That many a JVM with our agent has made before it obeys the first order. */
  static final int SAMPLES_BEFORE_COMMANDS = 1;

  static final int DEPTH = 10;

  /** After the rings are empty: what was in them is being encoded, sent and stored. */
  private static final long SETTLE_MILLIS = 3;

  private static final int TICKS_PER_SECOND = 1000;
  private static final int CALLS_PER_CLOCK_READ = 100;
  private static final long WEAVING_NANOS = TimeUnit.SECONDS.toNanos(60);

  private interface Variant {
    int call();
  }

  private static final class Worker {
    private final DOTranslatorImpl woven = new DOTranslatorImpl();
    private final Yardsticks yardsticks = new Yardsticks();
    private final Variant[] variants = {
      () -> yardsticks.bare(DEPTH), () -> yardsticks.twoClocks(DEPTH), () -> woven.serialize(DEPTH)
    };
    private int sum;

    /** Nanoseconds for each timed call. */
    double burst(int variant, int calls) {
      long start = System.nanoTime();
      for (int call = 0; call < calls; call++) {
        sum += variants[variant].call();
      }
      return (double) (System.nanoTime() - start) / ((long) calls * DEPTH);
    }

    int wovenCalls(int calls) {
      for (int call = 0; call < calls; call++) {
        sum += woven.serialize(DEPTH);
      }
      return calls * DEPTH;
    }

    boolean hasWorked() {
      return sum + yardsticks.spentNanos() != 0;
    }
  }

  /** A pool for each number of threads, so that the same threads make the same bursts. */
  private final Map<Integer, ExecutorService> pools = new HashMap<>();

  private final List<Worker> workers = new ArrayList<>();
  private final BooleanSupplier drained;

  private OverheadProbe(BooleanSupplier drained) {
    this.drained = drained;
  }

  /** Argument: {@code fedometer} or {@code kieker}. */
  public static void main(String[] arguments) throws Exception {
    OverheadProbe probe =
        new OverheadProbe(arguments[0].equals("kieker") ? kiekersQueue() : fedometersRings());
    if (arguments[0].equals("fedometer")) {
      awaitWoven();
    }
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try {
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        String[] words = order.split(" ");
        int[] numbers = new int[words.length];
        for (int i = 1; i < words.length; i++) {
          numbers[i] = Integer.parseInt(words[i]);
        }
        System.out.println(RESPONSE + " " + probe.execute(words[0], numbers));
      }
    } finally {
      // Or their threads would keep alive a JVM that answers no more.
      probe.pools.values().forEach(ExecutorService::shutdown);
    }
  }

  /** Classes are woven after they are loaded. Ends with the first call that is timed. */
  private static void awaitWoven() {
    DOTranslatorImpl target = new DOTranslatorImpl();
    Recording recording = Recorder.recording();
    long begun = System.nanoTime();
    while (recording.memoryBytes() == 0) {
      if (System.nanoTime() - begun > WEAVING_NANOS) {
        throw new IllegalStateException(
            "the agent has not woven this JVM's classes; its lines above say why");
      }
      target.serialize(1);
    }
  }

  private String execute(String command, int[] numbers) throws Exception {
    switch (command) {
      case "bursts":
        return bursts(numbers[1], numbers[2], numbers[3]);
      case "allocated":
        return allocated(numbers[1], numbers[2]);
      case "saturate":
        return saturate(numbers[1], numbers[2]);
      case "sustain":
        return sustain(numbers[1], numbers[2], numbers[3]);
      case "off":
        Recorder.stop();
        return "off";
      case "dropped":
        awaitDrained();
        return String.valueOf(Recorder.recording().totals().samplesDropped);
      case "objects":
        return String.valueOf(workers.size());
      default:
        throw new IllegalArgumentException("order " + command);
    }
  }

  /** For each burst: nanoseconds of a call bare, with two clocks, woven; means of the threads. */
  private String bursts(int threadCount, int bursts, int calls) throws Exception {
    StringBuilder response = new StringBuilder();
    for (int burst = 0; burst < bursts; burst++) {
      for (int variant = 0; variant < 3; variant++) {
        double sum = 0;
        for (double nanos : burst(threadCount, variant, calls)) {
          sum += nanos;
        }
        response.append(sum / threadCount).append(' ');
      }
      awaitDrained();
    }
    return response.toString().trim();
  }

  private List<Double> burst(int threadCount, int variant, int calls) throws Exception {
    CyclicBarrier start = new CyclicBarrier(threadCount);
    List<Callable<Double>> work = new ArrayList<>();
    for (Worker worker : workers(threadCount)) {
      work.add(
          () -> {
            start.await();
            return worker.burst(variant, calls);
          });
    }
    return results(work);
  }

  /** Bytes that the measured threads allocated in all of the woven calls, and these. */
  private String allocated(int bursts, int calls) throws Exception {
    ThreadMXBean threadsBean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Worker worker = workers(1).get(0);
    long bytes = 0;
    for (int burst = 0; burst < bursts; burst++) {
      bytes +=
          results(
                  List.<Callable<Long>>of(
                      () -> {
                        threadsBean.getCurrentThreadAllocatedBytes();
                        long before = threadsBean.getCurrentThreadAllocatedBytes();
                        worker.wovenCalls(calls);
                        return threadsBean.getCurrentThreadAllocatedBytes() - before;
                      }))
              .get(0);
      awaitDrained();
    }
    return bytes + " " + (long) bursts * calls * DEPTH;
  }

  /** Calls without a pause; answers how many, and in how many nanoseconds. */
  private String saturate(int threadCount, int seconds) throws Exception {
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    List<Callable<Long>> work = new ArrayList<>();
    for (Worker worker : workers(threadCount)) {
      work.add(
          () -> {
            long calls = 0;
            while (System.nanoTime() - end < 0) {
              calls += worker.wovenCalls(CALLS_PER_CLOCK_READ);
            }
            return calls;
          });
    }
    return callsAndNanos(work, begin);
  }

  /** So many calls in each second, a thousandth of them at a time; answers likewise. */
  private String sustain(int threadCount, int callsPerSecond, int seconds) throws Exception {
    int callsAtATime = callsPerSecond / threadCount / TICKS_PER_SECOND / DEPTH;
    long begin = System.nanoTime();
    List<Callable<Long>> work = new ArrayList<>();
    for (Worker worker : workers(threadCount)) {
      work.add(
          () -> {
            long calls = 0;
            for (long tick = 1; tick <= (long) seconds * TICKS_PER_SECOND; tick++) {
              calls += worker.wovenCalls(callsAtATime);
              long deadline = begin + tick * TimeUnit.SECONDS.toNanos(1) / TICKS_PER_SECOND;
              while (deadline - System.nanoTime() > 0) {
                LockSupport.parkNanos(deadline - System.nanoTime());
              }
            }
            return calls;
          });
    }
    return callsAndNanos(work, begin);
  }

  private String callsAndNanos(List<Callable<Long>> work, long begin) throws Exception {
    long calls = 0;
    for (long each : results(work)) {
      calls += each;
    }
    return calls + " " + (System.nanoTime() - begin);
  }

  private List<Worker> workers(int count) {
    while (workers.size() < count) {
      workers.add(new Worker());
    }
    return workers.subList(0, count);
  }

  private <T> List<T> results(List<Callable<T>> work) throws Exception {
    List<T> results = new ArrayList<>();
    ExecutorService pool = pools.computeIfAbsent(work.size(), Executors::newFixedThreadPool);
    for (Future<T> future : pool.invokeAll(work)) {
      results.add(future.get());
    }
    if (workers.stream().noneMatch(Worker::hasWorked)) {
      throw new IllegalStateException("the calls were optimised away");
    }
    return results;
  }

  private void awaitDrained() throws InterruptedException {
    while (!drained.getAsBoolean()) {
      Thread.sleep(1);
    }
    Thread.sleep(SETTLE_MILLIS);
  }

  private static BooleanSupplier fedometersRings() {
    return () -> {
      Recording recording = Recorder.recording();
      return recording == null || recording.isDrained();
    };
  }

  /** Kieker does not say it; it is the version that the build names, so its fields are known. */
  private static BooleanSupplier kiekersQueue() throws ReflectiveOperationException {
    Object controller =
        Class.forName("kieker.monitoring.core.controller.MonitoringController")
            .getMethod("getInstance")
            .invoke(null);
    Object writerController = field(controller, "writerController");
    Queue<?> queue = (Queue<?>) field(writerController, "writerQueue");
    return queue::isEmpty;
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
