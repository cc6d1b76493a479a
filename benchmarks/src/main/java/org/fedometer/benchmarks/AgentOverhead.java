package org.fedometer.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunQuery;
import org.fedometer.store.RunStore;

/**
 * What one timed call costs Fedora's threads, against the two clock readings that no timer can do
 * without. MooBench's method: a method that calls itself to depth 10 and does nothing else. Samples
 * go to a real collector in another process, and what arrives is counted.
 */
public final class AgentOverhead {

  private static final int BURSTS = 120;
  private static final int CALLS = 1_500;

  /** Holds a burst: 1,500 calls, 10 deep. */
  private static final int RING_SAMPLES = 16_384;

  private AgentOverhead() {}

  /** Arguments: the agent's jar, the folder with the measured class. */
  public static void main(String[] arguments) throws Exception {
    Path store = Files.createTempDirectory("fedometer-agent-overhead");
    try {
      Map<String, Double> rows;
      InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      try (CollectorServer collector =
          CollectorServer.start(CollectorOptions.foreground(anyPort, store))) {
        rows = probe(Path.of(arguments[0]), Path.of(arguments[1]), collector.address().getPort());
      }
      report(rows, samplesIn(store));
    } finally {
      delete(store);
    }
  }

  private static Map<String, Double> probe(Path agentJar, Path classes, int port)
      throws IOException, InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms256m",
            "-Xmx256m",
            "-javaagent:"
                + agentJar
                + "=collector=127.0.0.1:"
                + port
                + ",ring-samples="
                + RING_SAMPLES,
            "-cp",
            classes.toString(),
            OverheadProbe.class.getName(),
            String.valueOf(BURSTS),
            String.valueOf(CALLS));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Map<String, Double> rows = new LinkedHashMap<>();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        int equals = line.indexOf('=');
        rows.put(line.substring(0, equals), Double.valueOf(line.substring(equals + 1)));
      }
    }
    if (process.waitFor() != 0) {
      throw new IOException("the measured JVM ended with exit code " + process.exitValue());
    }
    return rows;
  }

  private static long samplesIn(Path store) throws Exception {
    RunFolder run = RunStore.at(store).runs().get(0);
    try (RunQuery query = RunQuery.open(run);
        Statement statement = query.connection().createStatement();
        ResultSet count = statement.executeQuery("SELECT count(*) FROM samples")) {
      count.next();
      return count.getLong(1);
    }
  }

  private static void report(Map<String, Double> rows, long arrived) {
    double recorded = rows.remove("recorded");
    double clocks = rows.get("two nanoTime calls");
    System.out.printf(
        Locale.ROOT,
        "%s %s, %d processors%n",
        System.getProperty("java.vm.name"),
        System.getProperty("java.runtime.version"),
        Runtime.getRuntime().availableProcessors());
    rows.forEach(
        (name, nanos) ->
            System.out.printf(
                Locale.ROOT, "%-20s %7.1f ns a call %6.2f x%n", name, nanos, nanos / clocks));
    System.out.printf(
        Locale.ROOT,
        "agent-overhead: %.2f x two nanoTime calls, lost %.0f of %.0f%n",
        rows.get("woven, recording") / clocks,
        recorded - arrived,
        recorded);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
