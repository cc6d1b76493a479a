package org.fedometer.benchmarks.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.fedometer.analysis.html.HtmlReport;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;

/**
 * How long it takes to make the page of a run of millions of objects. The yardstick is DuckDB's own
 * time, in the same process, to read the durations of all requests once. Once, in a JVM that has
 * done nothing like it before, as the command does.
 */
public final class ReportBenchmark {
  private static final long MILLION = 1_000_000;

  private ReportBenchmark() {}

  /** Argument: how many million objects the run has (14). */
  public static void main(String[] arguments) throws Exception {
    long millions = arguments.length > 0 ? Long.parseLong(arguments[0]) : 14;
    print(
        "%d processors, load %.1f, Java %s, heap of at most %,d MB",
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.version(),
        Runtime.getRuntime().maxMemory() >> 20);
    Path temporary = Files.createTempDirectory("fedometer-bench");
    try {
      measure(new LongRun(temporary.resolve("long"), millions * MILLION).write(), millions);
    } finally {
      RunDeletion.delete(temporary);
    }
  }

  private static void measure(RunFolder run, long millions) throws IOException, QueryException {
    print("the run has %,d MB", bytes(run.path()) >> 20);
    // Once before, so that the files are in memory for what follows.
    scanSeconds(run);
    double scan = scanSeconds(run);
    print("%.2f s for DuckDB to read the durations once", scan);
    long begin = System.nanoTime();
    RunReport report = RunReport.of(run);
    long reported = System.nanoTime();
    print("%.2f s of it for the figures of the report in text", (reported - begin) / 1e9);
    String page = HtmlReport.of(run, report, "benchmark");
    double seconds = (System.nanoTime() - begin) / 1e9;
    print(
        "report: %.1f s for %d million objects, %.0f x one scan of the requests, HTML %.2f MB",
        seconds, millions, seconds / scan, page.getBytes(StandardCharsets.UTF_8).length / 1e6);
  }

  private static double scanSeconds(RunFolder run) throws IOException, QueryException {
    long begin = System.nanoTime();
    try (Query query = run.query();
        Rows row =
            query.execute(
                "SELECT min(duration_nanos), max(duration_nanos), sum(duration_nanos)"
                    + " FROM requests")) {
      row.next();
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
