package org.fedometer.benchmarks.driver;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.EndConditions;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.journal.Journal;
import org.fedometer.driver.load.Count;
import org.fedometer.driver.load.Load;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;
import org.fedometer.driver.request.RequestSink;
import org.fedometer.wire.record.RequestEncoder;

/**
 * The driver in a process of its own, with a journal on disk; requests are encoded for a collector
 * and not sent. Its one argument is a file of lines: URL, password file, dataset, namespace,
 * seconds, workers, rate (0: closed model), journal folder, seconds of warm-up. Prints what it did
 * after the warm-up, which loads other objects in a closed model: a driver works for days, and its
 * compiler for a minute.
 */
public final class DriverHost {
  private static final int REQUESTS_PER_FRAME = 256;

  private DriverHost() {}

  /** Encodes as the way to a collector does. */
  private static final class Encoding implements RequestSink {
    private final RequestEncoder encoder = new RequestEncoder();
    private long bytes;

    @Override
    public synchronized void record(RequestEvent event) throws IOException {
      event.addTo(encoder);
      if (encoder.count() >= REQUESTS_PER_FRAME || encoder.isFull()) {
        bytes += encoder.finish().length;
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    List<String> lines = Files.readAllLines(Path.of(arguments[0]));
    String password = Files.readString(Path.of(lines.get(1))).strip();
    FedoraLogin login =
        new FedoraLogin(URI.create(lines.get(0)), "fedoraAdmin", password.toCharArray());
    int workers = Integer.parseInt(lines.get(5));
    double rate = Double.parseDouble(lines.get(6));
    String namespace = lines.get(3);
    int warmSeconds = Integer.parseInt(lines.get(8));
    OperatingSystemMXBean process =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (Journal journal = Journal.create(Path.of(lines.get(7)), 0);
        FedoraClient client = FedoraClient.open(login, FedoraClientOptions.forWorkers(workers))) {
      if (warmSeconds > 0) {
        driver(
                client,
                lines.get(2),
                "warm-" + namespace,
                options(workers, warmSeconds, new Load.ClosedModel()),
                Journal.inMemory(0))
            .run();
      }
      IngestDriver driver =
          driver(
              client,
              lines.get(2),
              namespace,
              options(
                  workers,
                  Integer.parseInt(lines.get(4)),
                  rate == 0 ? new Load.ClosedModel() : new Load.ArrivalRate(rate)),
              journal);
      double cpuBefore = process.getProcessCpuTime() / 1e9;
      IngestResult result = driver.run();
      double cpuSeconds = process.getProcessCpuTime() / 1e9 - cpuBefore;
      double seconds = (result.endNanos() - result.startNanos()) / 1e9;
      System.out.println(
          String.format(
              Locale.ROOT,
              "done %d %.3f %.3f %.1f %d %d",
              result.count(Count.INGESTED),
              seconds,
              cpuSeconds,
              peakHeapMegabytes(),
              journal.bytesWritten(),
              result.count(Count.FAILED)));
    }
  }

  private static IngestOptions options(int workers, int seconds, Load load) {
    return IngestOptions.of(Long.MAX_VALUE, workers)
        .withLoad(load)
        .withEndConditions(
            EndConditions.AT_THE_LAST_OBJECT.withMaxDuration(Duration.ofSeconds(seconds)))
        .withTriples(false, Duration.ZERO);
  }

  private static IngestDriver driver(
      FedoraClient client,
      String dataset,
      String namespace,
      IngestOptions options,
      Journal journal) {
    return new IngestDriver(
        client,
        Datasets.open(dataset, DatasetOptions.unlimited(namespace)),
        options,
        journal,
        new Encoding(),
        RequestListener.NONE);
  }

  private static double peakHeapMegabytes() {
    long bytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        bytes += pool.getPeakUsage().getUsed();
      }
    }
    return bytes / 1e6;
  }
}
