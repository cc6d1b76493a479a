package org.fedometer.benchmarks.datasets;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Locale;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.catalogue.Datasets;

/**
 * One thread makes objects, packages them as FOXML with their content and takes the SHA-256 of
 * that, as {@code fedometer dataset generate} does, without the disk. Rates are by processor time
 * of the whole process, compiler and garbage collector included, so that what else the machine does
 * counts little. The yardstick is SHA-256 of as many bytes from memory.
 */
public final class DatasetsBenchmark {
  private static final int WARM_UP_OBJECTS = 5_000;
  private static final int CHUNK_BYTES = 1 << 20;
  private static final double MB = 1e6;

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private DatasetsBenchmark() {}

  private record Generated(
      long contentBytes, long foxmlBytes, double cpuSeconds, double wallSeconds) {}

  /** Arguments: how many objects (100,000), the dataset (patents). */
  public static void main(String[] arguments) throws Exception {
    int objects = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
    String spec = arguments.length > 1 ? arguments[1] : "patents";
    print(
        "%s, %d processors, Java %s",
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        Runtime.version());

    long start = System.nanoTime();
    double startCpu = cpuSeconds();
    Dataset dataset = Datasets.open(spec, DatasetOptions.unlimited("bench"));
    print(
        "opened %s in %.2f s, %.2f s of processor time",
        spec, since(start), cpuSeconds() - startCpu);

    make(dataset, 0, WARM_UP_OBJECTS);
    double heldBefore = heldMegabytes();
    Generated made = make(dataset, WARM_UP_OBJECTS, objects);
    double heldAfter = heldMegabytes();
    double hashingSeconds = hashing(made.foxmlBytes());
    print(
        "%,d objects in %.1f s, %.1f s of processor time: %.1f KB of content, %.1f KB of FOXML an object",
        objects,
        made.wallSeconds(),
        made.cpuSeconds(),
        made.contentBytes() / 1e3 / objects,
        made.foxmlBytes() / 1e3 / objects);
    print(
        "%.0f MB/s of FOXML; %.2f times SHA-256 of as many bytes (%.0f MB/s)",
        made.foxmlBytes() / MB / made.cpuSeconds(),
        made.cpuSeconds() / hashingSeconds,
        made.foxmlBytes() / MB / hashingSeconds);
    print("heap held: %.1f MB before, %.1f MB after", heldBefore, heldAfter);
    print(
        "datasets: %.0f objects/s per core, %.0f MB/s",
        objects / made.cpuSeconds(), made.contentBytes() / MB / made.cpuSeconds());
  }

  private static Generated make(Dataset dataset, long first, int objects) throws IOException {
    long contentBytes = 0;
    long foxmlBytes = 0;
    long start = System.nanoTime();
    double startCpu = cpuSeconds();
    MessageDigest digest = ChecksumAlgorithm.SHA_256.newDigest();
    OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest);
    for (long index = first; index < first + objects; index++) {
      RepositoryObject object = dataset.object(index);
      object.writeFoxml(out);
      digest.digest();
      contentBytes += object.contentBytes();
      foxmlBytes += object.foxmlBytes();
    }
    return new Generated(contentBytes, foxmlBytes, cpuSeconds() - startCpu, since(start));
  }

  private static double hashing(long bytes) {
    byte[] chunk = new byte[CHUNK_BYTES];
    MessageDigest digest = ChecksumAlgorithm.SHA_256.newDigest();
    double startCpu = cpuSeconds();
    for (long done = 0; done < bytes; done += chunk.length) {
      digest.update(chunk);
    }
    digest.digest();
    return cpuSeconds() - startCpu;
  }

  private static double heldMegabytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / MB;
  }

  private static double cpuSeconds() {
    return PROCESS.getProcessCpuTime() / 1e9;
  }

  private static double since(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
