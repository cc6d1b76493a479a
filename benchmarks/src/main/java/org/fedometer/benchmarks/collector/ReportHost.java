package org.fedometer.benchmarks.collector;

import java.nio.file.Path;
import java.util.Locale;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.benchmarks.process.ProcessMemory;
import org.fedometer.store.RunFolder;

/** Makes a report in a process of its own, as the command does. */
final class ReportHost {
  private ReportHost() {}

  /** Argument: the run's folder. Prints what was counted, and what memory it took at most. */
  public static void main(String[] arguments) throws Exception {
    RunReport report = RunReport.of(new RunFolder(Path.of(arguments[0])));
    System.out.printf(
        Locale.ROOT,
        "samples %d stages %d%n",
        report.samples().received(),
        report.stages().list().size());
    System.out.println(ProcessMemory.peak());
  }
}
