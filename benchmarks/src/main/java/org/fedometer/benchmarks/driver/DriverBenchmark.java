package org.fedometer.benchmarks.driver;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.fedometer.benchmarks.fedora.FedoraUnderTest;
import org.fedometer.benchmarks.process.HostProcess;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.profiles.Profiles;
import org.fedometer.store.Disposal;

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
  private static final double OF_CAPACITY = 0.8;

  private final Path folder;
  private int drivers;

  private DriverBenchmark(Path folder) {
    this.folder = folder;
  }

  private record Driven(
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
      Disposal.delete(folder);
    }
  }

  private void run(int seconds, String dataset) throws Exception {
    Driven nothing = againstNothing(seconds, dataset);
    say("null server, closed loop", nothing);
    Driven fedora;
    Driven paced;
    try (FedoraUnderTest under = new FedoraUnderTest(folder.resolve("fedora"))) {
      under.start(Profiles.ofUser().profile(PROFILE));
      FedoraLogin login = under.login();
      Path password = folder.resolve("password");
      Files.writeString(password, new String(login.password()));
      String url = login.url().toString();
      fedora = drive(url, password, dataset, "full", seconds, WORKERS, 0, seconds);
      say(PROFILE + ", closed loop", fedora);
      double rate = OF_CAPACITY * fedora.perSecond();
      paced = drive(url, password, dataset, "paced", seconds, 64, rate, seconds / 4);
      say(PROFILE + String.format(Locale.ROOT, ", %.2f objects/s due", rate), paced);
      print(
          "rate kept within %.2f %% at %.0f %% of capacity",
          100 * Math.abs(paced.perSecond() / rate - 1), 100 * OF_CAPACITY);
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

  private Driven againstNothing(int seconds, String dataset) throws Exception {
    Path unused = Files.writeString(folder.resolve("nothing"), "secret");
    try (HostProcess server = HostProcess.start("", NullFedora.class, List.of(), unused)) {
      String url = "http://127.0.0.1:" + server.await("port") + "/fedora";
      Driven driven = drive(url, unused, dataset, "null", seconds, WORKERS, 0, seconds / 4);
      server.end();
      server.awaitEnd();
      return driven;
    }
  }

  private Driven drive(
      String url,
      Path password,
      String dataset,
      String namespace,
      int seconds,
      int workers,
      double rate,
      int warmSeconds)
      throws Exception {
    Path asked = folder.resolve("driver-" + ++drivers);
    Files.write(
        asked,
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
    try (HostProcess driver = HostProcess.start("", DriverHost.class, HEAP, asked)) {
      String[] said = driver.await("done").split(" ");
      driver.awaitEnd();
      return new Driven(
          Long.parseLong(said[0]),
          Double.parseDouble(said[1]),
          Double.parseDouble(said[2]),
          Double.parseDouble(said[3]),
          Long.parseLong(said[4]),
          Long.parseLong(said[5]));
    }
  }

  private static void say(String what, Driven driven) {
    print(
        "%s: %,d objects in %.1f s, %.1f/s, %.2f ms of the driver's processor time an object, %.0f MB"
            + " of heap at most, %d failed",
        what,
        driven.objects(),
        driven.seconds(),
        driven.perSecond(),
        1e3 * driven.cpuSeconds() / Math.max(1, driven.objects()),
        driven.heapMegabytes(),
        driven.failed());
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
