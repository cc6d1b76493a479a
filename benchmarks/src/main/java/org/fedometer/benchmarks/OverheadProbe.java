package org.fedometer.benchmarks;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;
import org.fedometer.aspects.recorder.Recorder;

/**
 * The measured JVM of {@link AgentOverhead}: runs with the agent and prints nanoseconds a call for
 * each dress of the method.
 *
 * <p>Dresses take turns in short bursts, so that a change of the machine's mood meets all alike.
 * After each woven burst comes a pause in which the drainer empties the ring; it is not timed. The
 * first half is warm-up; the median of the bursts counts.
 */
public final class OverheadProbe {

  private static final int DEPTH = 10;
  private static final long DRAIN_MILLIS = 130;

  private interface Dress {
    int call(DOTranslatorImpl target);
  }

  private OverheadProbe() {}

  /** Arguments: bursts, outer calls a burst. */
  public static void main(String[] arguments) throws InterruptedException {
    int bursts = Integer.parseInt(arguments[0]);
    int calls = Integer.parseInt(arguments[1]);
    Map<String, Dress> dresses = new LinkedHashMap<>();
    dresses.put("uninstrumented", target -> target.bare(DEPTH));
    dresses.put("two nanoTime calls", target -> target.twoClocks(DEPTH));
    dresses.put("woven, recording", target -> target.serialize(DEPTH));
    long wovenCalls = measure(dresses, bursts, calls, DRAIN_MILLIS);
    System.out.println("recorded=" + wovenCalls);
    Recorder.stop();
    dresses.keySet().removeIf(name -> !name.startsWith("woven"));
    dresses.put("woven, off", dresses.remove("woven, recording"));
    measure(dresses, bursts, calls, 0);
  }

  private static long measure(Map<String, Dress> dresses, int bursts, int calls, long pauseMillis)
      throws InterruptedException {
    DOTranslatorImpl target = new DOTranslatorImpl();
    Map<String, double[]> nanosPerCall = new LinkedHashMap<>();
    int result = 0;
    for (int burst = 0; burst < bursts; burst++) {
      for (Map.Entry<String, Dress> dress : dresses.entrySet()) {
        long start = System.nanoTime();
        for (int call = 0; call < calls; call++) {
          result += dress.getValue().call(target);
        }
        double nanos = (double) (System.nanoTime() - start) / ((long) calls * DEPTH);
        nanosPerCall.computeIfAbsent(dress.getKey(), name -> new double[bursts])[burst] = nanos;
      }
      Thread.sleep(pauseMillis);
    }
    nanosPerCall.forEach((name, nanos) -> System.out.println(name + "=" + median(nanos)));
    if (result + target.spentNanos() == 0) {
      throw new IllegalStateException("the calls were optimised away");
    }
    return (long) bursts * calls * DEPTH;
  }

  private static double median(double[] bursts) {
    double[] second = Arrays.copyOfRange(bursts, bursts.length / 2, bursts.length);
    Arrays.sort(second);
    return second[second.length / 2];
  }
}
