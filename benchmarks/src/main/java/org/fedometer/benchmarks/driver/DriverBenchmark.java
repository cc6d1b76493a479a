package org.fedometer.benchmarks.driver;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.fedometer.benchmarks.fedora.FedoraUnderTest;
import org.fedometer.benchmarks.process.HostProcess;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.profiles.Profiles;
import org.fedometer.store.RunDeletion;

/**
 * What the driver itself takes: its rate against a server that does nothing, beside that of a real
 * Fedora with the same dataset in the same run; its processor time at Fedora's full rate; its heap;
 * how it keeps a rate; the bytes of its journal. Driver, null server and Fedora are processes of
 * their own.
 */
public final class DriverBenchmark {
  private static final List<String> HEAP = List.of("-Xmx256m", "-XX:+UseSerialGC");
  private static final String PROFILE = "mulgara-derby";
  private static final int WORKERS = 4;
  private static final double CAPACITY_SHARE = 0.8;

  private final Path folder;
  private int drivers;

  private DriverBenchmark(Path folder) {
    this.folder = folder;
  }

  private record DriverResult(
      long objects,
      double seconds,
      double cpuSeconds,
      double heapMegabytes,
      long journalBytes,
      long failed) {

    double perSecond() {
      return objects / seconds;
    }

    /** Of all processors. */
    double cpuShare() {
      return cpuSeconds / seconds / Runtime.getRuntime().availableProcessors();
    }
  }

  /** Arguments: seconds of each measurement (120), the dataset (patents:scale=paper). */
  public static void main(String[] arguments) throws Exception {
    int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 120;
    String dataset = arguments.length > 1 ? arguments[1] : "patents:scale=paper";
    print(
        "%s, %d processors, Java %s",
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        Runtime.version());
    Path folder = Files.createTempDirectory("bench-driver");
    try {
      new DriverBenchmark(folder).run(seconds, dataset);
    } finally {
      RunDeletion.delete(folder);
    }
  }

  private void run(int seconds, String dataset) throws Exception {
    DriverResult nothing = againstNullServer(seconds, dataset);
    printResult("null server, closed model", nothing);
    DriverResult fedora;
    DriverResult paced;
    try (FedoraUnderTest under = new FedoraUnderTest(folder.resolve("fedora"))) {
      under.start(Profiles.ofUser().profile(PROFILE));
      FedoraLogin login = under.login();
      Path password = folder.resolve("password");
      Files.writeString(password, new String(login.password()));
      String url = login.url().toString();
      fedora = runDriver(url, password, dataset, "full", seconds, WORKERS, 0, seconds);
      printResult(PROFILE + ", closed model", fedora);
      double rate = CAPACITY_SHARE * fedora.perSecond();
      paced = runDriver(url, password, dataset, "paced", seconds, 64, rate, seconds / 4);
      printResult(PROFILE + String.format(Locale.ROOT, ", %.2f objects/s due", rate), paced);
      print(
          "rate kept within %.2f %% at %.0f %% of capacity",
          100 * Math.abs(paced.perSecond() / rate - 1), 100 * CAPACITY_SHARE);
    }
    print("driver at Fedora's full rate: %.1f %% of the machine", 100 * fedora.cpuShare());
    print(
        "journal: %.1f bytes an object",
        (double) nothing.journalBytes() / Math.max(1, nothing.objects()));
    print(
        "driver: %.1f x Fedora's rate against the null server, %.0f MB heap",
        nothing.perSecond() / fedora.perSecond(),
        Math.max(nothing.heapMegabytes(), fedora.heapMegabytes()));
  }

  private DriverResult againstNullServer(int seconds, String dataset) throws Exception {
    Path unused = Files.writeString(folder.resolve("nothing"), "secret");
    try (HostProcess server = HostProcess.start("", NullFedora.class, List.of(), unused)) {
      String url = "http://127.0.0.1:" + server.await("port") + "/fedora";
      DriverResult result =
          runDriver(url, unused, dataset, "null", seconds, WORKERS, 0, seconds / 4);
      server.end();
      server.awaitEnd();
      return result;
    }
  }

  private DriverResult runDriver(
      String url,
      Path password,
      String dataset,
      String namespace,
      int seconds,
      int workers,
      double rate,
      int warmSeconds)
      throws Exception {
    Path arguments = folder.resolve("driver-" + ++drivers);
    Files.write(
        arguments,
        List.of(
            url,
            password.toString(),
            dataset,
            namespace,
            Integer.toString(seconds),
            Integer.toString(workers),
            Double.toString(rate),
            folder.resolve("journal-" + drivers).toString(),
            Integer.toString(warmSeconds)));
    try (HostProcess driver = HostProcess.start("", DriverHost.class, HEAP, arguments)) {
      String[] fields = driver.await("done").split(" ");
      driver.awaitEnd();
      return new DriverResult(
          Long.parseLong(fields[0]),
          Double.parseDouble(fields[1]),
          Double.parseDouble(fields[2]),
          Double.parseDouble(fields[3]),
          Long.parseLong(fields[4]),
          Long.parseLong(fields[5]));
    }
  }

  private static void printResult(String what, DriverResult result) {
    print(
        "%s: %,d objects in %.1f s, %.1f/s, %.2f ms of the driver's processor time an object, %.0f MB"
            + " of heap at most, %d failed",
        what,
        result.objects(),
        result.seconds(),
        result.perSecond(),
        1e3 * result.cpuSeconds() / Math.max(1, result.objects()),
        result.heapMegabytes(),
        result.failed());
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
