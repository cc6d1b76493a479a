package org.fedometer.benchmarks.overhead;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fedometer.benchmarks.collector.CollectorHost;
import org.fedometer.benchmarks.collector.RecordedIngest;
import org.fedometer.benchmarks.process.HostProcess;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunStore;
import org.fedometer.store.Ulid;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;

/**
 * What one timed call costs Fedora's threads: against the two clock readings that no timer can do
 * without, and against Kieker. MooBench's method: a method that calls itself to depth 10 and does
 * nothing else.
 *
 * <p>Samples go to a collector in another process, which stores them; Kieker's records to a
 * receiver in another process, which counts them. What arrives is compared with what was called.
 */
public final class AgentOverhead {

  private static final List<String> JVM = List.of("-Xms256m", "-Xmx256m");

  /** A burst fits the agent's default ring (2,048 samples) and Kieker's default queue (10,000). */
  private static final int CALLS = 150;

  private static final int WARM_UP_BURSTS = 400;
  private static final int ROUNDS = 24;
  private static final int BURSTS = 30;
  private static final int[] THREADS = {1, 4};
  private static final int SATURATION_SECONDS = 5;

  /**
   * With several threads and a full queue, Kieker's default strategy (SPBlockingPutStrategy) lets
   * threads wait for ever.
   */
  private static final int SATURATION_THREADS = 1;

  private static final int SUSTAINED_PER_SECOND = 1_000_000;
  private static final int SUSTAINED_SECONDS = 60;
  private static final int SUSTAINED_THREADS = 4;

  /** Half a second of the sustained row's samples on each of its threads; 3.2 MB each. */
  private static final String SUSTAINED_OPTIONS = ",ring-samples=131072";

  private final Path agentJar;
  private final Path classes;
  private final Path kiekerJar;
  private final Path folder;
  private final Path store;
  private final Path errors;

  /** Nanoseconds for a timed call, of each burst. */
  private static final class Bursts {
    final List<Double> bare = new ArrayList<>();
    final List<Double> clocks = new ArrayList<>();
    final List<Double> woven = new ArrayList<>();

    void add(String answer) {
      String[] numbers = answer.split(" ");
      for (int i = 0; i < numbers.length; i += 3) {
        bare.add(Double.valueOf(numbers[i]));
        clocks.add(Double.valueOf(numbers[i + 1]));
        woven.add(Double.valueOf(numbers[i + 2]));
      }
    }

    /** Each woven burst against the clocks' burst right before it. */
    double wovenToClocks() {
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < woven.size(); i++) {
        ratios.add(woven.get(i) / clocks.get(i));
      }
      return median(ratios);
    }
  }

  private record Cost(int threads, Bursts fedometer, Bursts kieker, Bursts off, double ratio) {}

  private record Flow(long calls, double seconds, long arrived, String remark) {}

  private AgentOverhead(Path agentJar, Path classes, Path kiekerJar, Path folder) {
    this.agentJar = agentJar;
    this.classes = classes;
    this.kiekerJar = kiekerJar;
    this.folder = folder;
    this.store = folder.resolve("store");
    this.errors = folder.resolve("errors");
  }

  /** Arguments: the agent's jar, the folder with the measured class, Kieker's jar. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("fedometer-agent-overhead");
    AgentOverhead benchmark =
        new AgentOverhead(
            Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]), folder);
    try {
      benchmark.run();
    } catch (IOException | RuntimeException failure) {
      if (Files.exists(benchmark.errors)) {
        System.err.print(Files.readString(benchmark.errors));
      }
      throw failure;
    } finally {
      RunDeletion.delete(folder);
    }
  }

  private void run() throws Exception {
    System.out.printf(
        Locale.ROOT,
        "%s %s, %d processors; measured JVMs with %s%n",
        System.getProperty("java.vm.name"),
        System.getProperty("java.runtime.version"),
        Runtime.getRuntime().availableProcessors(),
        String.join(" ", JVM));
    List<Cost> costs = new ArrayList<>();
    long[] made = new long[2];
    long[] arrived = new long[2];
    double allocated = costs(costs, made, arrived);
    costs.forEach(AgentOverhead::print);
    System.out.printf(
        Locale.ROOT,
        "in bursts: Fedometer lost %d of %d, Kieker %d of %d; Fedometer allocated %.3f bytes a"
            + " call%n",
        made[0] - arrived[0],
        made[0],
        made[1] - arrived[1],
        made[1],
        allocated);

    String saturate = "saturate " + SATURATION_THREADS + " " + SATURATION_SECONDS;
    print(
        "without pause, Fedometer", SATURATION_THREADS, fedometerFlow("saturation", "", saturate));
    print("without pause, Kieker", SATURATION_THREADS, kiekerFlow(saturate));
    String sustain =
        "sustain " + SUSTAINED_THREADS + " " + SUSTAINED_PER_SECOND + " " + SUSTAINED_SECONDS;
    Flow sustained = fedometerFlow("sustained", SUSTAINED_OPTIONS, sustain);
    print(
        "1 million/s, Fedometer with " + SUSTAINED_OPTIONS.substring(1),
        SUSTAINED_THREADS,
        sustained);

    RecordedIngest ingest = RecordedIngest.load();
    System.out.printf(
        Locale.ROOT,
        "on the wire, recorded ingest of %d samples: frames of samples take %.2f bytes/sample, those"
            + " of traces and names %.2f more%n",
        ingest.sampleCount(),
        ingest.sampleBytesOnTheWire(),
        ingest.otherBytesOnTheWire());
    System.out.printf(
        Locale.ROOT,
        "agent-overhead: %.2f x two nanoTime calls, Kieker TCP / Fedometer = %.1f x, lost %d of %d,"
            + " %.1f bytes/sample%n",
        costs.get(0).fedometer().wovenToClocks(),
        costs.get(0).ratio(),
        sustained.calls() - sustained.arrived(),
        sustained.calls(),
        ingest.sampleBytesOnTheWire());
  }

  /** Both agents' JVMs take turns; returns the bytes that a call allocates. */
  private double costs(List<Cost> costs, long[] made, long[] arrived) throws Exception {
    String run = "costs";
    double allocated;
    try (HostProcess collector = collector();
        HostProcess receiver = receiver();
        HostProcess fedometer = fedometer(collector, run, "");
        HostProcess kieker = kieker(receiver)) {
      for (int threads : THREADS) {
        String warmUp = "bursts " + threads + " " + WARM_UP_BURSTS + " " + CALLS;
        send(fedometer, warmUp);
        send(kieker, warmUp);
        Bursts ours = new Bursts();
        Bursts theirs = new Bursts();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
          String order = "bursts " + threads + " " + BURSTS + " " + CALLS;
          Bursts ourRound = new Bursts();
          Bursts theirRound = new Bursts();
          String ourAnswer = send(fedometer, order);
          String theirAnswer = send(kieker, order);
          ourRound.add(ourAnswer);
          theirRound.add(theirAnswer);
          ours.add(ourAnswer);
          theirs.add(theirAnswer);
          ratios.add(median(theirRound.woven) / median(ourRound.woven));
        }
        long timed = (long) (WARM_UP_BURSTS + ROUNDS * BURSTS) * threads * CALLS * 10;
        made[0] += timed;
        made[1] += timed;
        costs.add(new Cost(threads, ours, theirs, new Bursts(), median(ratios)));
      }
      String[] bytesAndCalls = send(fedometer, "allocated " + BURSTS + " " + CALLS).split(" ");
      allocated = Double.parseDouble(bytesAndCalls[0]) / Long.parseLong(bytesAndCalls[1]);
      made[0] += Long.parseLong(bytesAndCalls[1]);
      send(fedometer, "off");
      for (Cost cost : costs) {
        send(fedometer, "bursts " + cost.threads() + " " + WARM_UP_BURSTS + " " + CALLS);
        cost.off().add(send(fedometer, "bursts " + cost.threads() + " 300 " + CALLS));
      }
      arrived[1] = -Long.parseLong(send(kieker, "objects"));
      end(fedometer);
      end(kieker);
      arrived[1] += executions(receiver);
      end(collector);
    }
    arrived[0] = samplesOf(run);
    return allocated;
  }

  private Flow fedometerFlow(String run, String options, String order) throws Exception {
    try (HostProcess collector = collector();
        HostProcess fedometer = fedometer(collector, run, options)) {
      send(fedometer, "bursts " + SATURATION_THREADS + " " + WARM_UP_BURSTS + " " + CALLS);
      String[] callsAndNanos = send(fedometer, order).split(" ");
      String dropped = send(fedometer, "dropped");
      end(fedometer);
      end(collector);
      return flow(callsAndNanos, samplesOf(run), ", " + dropped + " of them in full rings");
    }
  }

  private Flow kiekerFlow(String order) throws Exception {
    try (HostProcess receiver = receiver();
        HostProcess kieker = kieker(receiver)) {
      send(kieker, "bursts " + SATURATION_THREADS + " " + WARM_UP_BURSTS + " " + CALLS);
      String[] callsAndNanos = send(kieker, order).split(" ");
      long objects = Long.parseLong(send(kieker, "objects"));
      end(kieker);
      return flow(callsAndNanos, executions(receiver) - objects, "");
    }
  }

  private static Flow flow(String[] callsAndNanos, long arrivedInAll, String remark) {
    long warmUp = (long) WARM_UP_BURSTS * SATURATION_THREADS * CALLS * 10;
    return new Flow(
        Long.parseLong(callsAndNanos[0]),
        Long.parseLong(callsAndNanos[1]) / 1e9,
        arrivedInAll - warmUp,
        remark);
  }

  private HostProcess collector() throws IOException {
    return HostProcess.start("", CollectorHost.class, List.of("-Xmx256m"), store);
  }

  private HostProcess receiver() throws IOException {
    return HostProcess.start("", KiekerReceiver.class, List.of("-Xmx256m"), store);
  }

  private HostProcess fedometer(HostProcess collector, String run, String options)
      throws IOException {
    String port = collector.await("port");
    return probe(
        "fedometer",
        List.of(
            "-javaagent:"
                + agentJar
                + "=collector=127.0.0.1:"
                + port
                + ",run="
                + Ulid.next()
                + ",run-name="
                + run
                + options));
  }

  private HostProcess kieker(HostProcess receiver) throws IOException {
    String writer = "kieker.monitoring.writer.tcp.SingleSocketTcpWriter";
    String port = receiver.await("port");
    return probe(
        "kieker",
        List.of(
            "-javaagent:" + kiekerJar,
            "-Dorg.aspectj.weaver.loadtime.configuration=org/fedometer/benchmarks/overhead/kieker-aop.xml",
            "-Dkieker.monitoring.writer=" + writer,
            "-D" + writer + ".hostname=127.0.0.1",
            "-D" + writer + ".port=" + port));
  }

  private HostProcess probe(String agent, List<String> options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(HostProcess.java());
    command.addAll(JVM);
    command.addAll(options);
    command.addAll(List.of("-cp", classes.toString(), OverheadProbe.class.getName(), agent));
    return HostProcess.start(command, errors);
  }

  private static String send(HostProcess probe, String command) throws IOException {
    probe.send(command);
    return probe.await(OverheadProbe.RESPONSE);
  }

  private static void end(HostProcess process) throws IOException, InterruptedException {
    process.end();
    process.awaitEnd();
  }

  private static long executions(HostProcess receiver) throws IOException {
    return Long.parseLong(receiver.await("executions").split(" ")[0]);
  }

  private long samplesOf(String run) throws Exception {
    try (Query query = RunStore.at(store).run(run).query();
        Rows rows = query.execute("SELECT count(*) FROM samples")) {
      rows.next();
      return rows.integer(0) - OverheadProbe.SAMPLES_BEFORE_COMMANDS;
    }
  }

  private static void print(Cost cost) {
    Bursts ours = cost.fedometer();
    Bursts theirs = cost.kieker();
    double clocks = median(ours.clocks);
    System.out.printf(Locale.ROOT, "%d thread(s)%n", cost.threads());
    print("uninstrumented", median(ours.bare), clocks);
    print("two nanoTime calls", clocks, clocks);
    print("woven, off", median(cost.off().woven), median(cost.off().clocks));
    print("Fedometer to a collector", median(ours.woven), clocks);
    print("Kieker, TCP", median(theirs.woven), median(theirs.clocks));
    System.out.printf(
        Locale.ROOT,
        "  burst against burst: Fedometer / two nanoTime calls %.2f, Kieker / Fedometer %.1f%n",
        ours.wovenToClocks(),
        cost.ratio());
  }

  private static void print(String name, double nanos, double clocks) {
    System.out.printf(
        Locale.ROOT, "  %-26s %7.1f ns a call %6.2f x%n", name, nanos, nanos / clocks);
  }

  private static void print(String name, int threads, Flow flow) {
    System.out.printf(
        Locale.ROOT,
        "%s, %d thread(s): %.2f M calls/s for %.1f s, lost %d of %d (%.1f %%)%s%n",
        name,
        threads,
        flow.calls() / flow.seconds() / 1e6,
        flow.seconds(),
        flow.calls() - flow.arrived(),
        flow.calls(),
        100.0 * (flow.calls() - flow.arrived()) / flow.calls(),
        flow.remark());
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    sorted.sort(null);
    return sorted.get(sorted.size() / 2);
  }
}
