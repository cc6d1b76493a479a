package org.fedometer.experiments.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.attach.AttachObstacle;
import org.fedometer.attach.Jvm;
import org.fedometer.attach.Jvms;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.load.LoadPlan;
import org.fedometer.profiles.stack.java.JavaHomes;
import org.fedometer.store.DiskSpace;
import org.fedometer.store.NativeLibraries;
import org.fedometer.wire.Counted;

/** Checks whether this machine is fit to start, load and measure Fedoras. Not thread-safe. */
public final class MachineChecks {

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Path CLOCK_SOURCE =
      Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");

  /** Clocks whose readings access the kernel or a device, for microseconds. */
  private static final Set<String> SLOW_CLOCKS = Set.of("hpet", "acpi_pm", "pit", "jiffies");

  /**
   * Jars, sockets and files of a Fedora, besides those per worker. Not measured: a shell's usual
   * limit, to cause a warning.
   */
  private static final int OPEN_FILES = 1024;

  /** A connection to the worker, one to the database, an upload and the file of a datastream. */
  private static final int OPEN_FILES_OF_A_WORKER = 4;

  /** Space for a first run with its Fedora and database: README.md. */
  private static final long SMALL_DISK_BYTES = 2_000_000_000L;

  private static final String ATTACH = "attach";

  private MachineChecks() {}

  /**
   * @param store folder of the runs; may be missing yet
   * @throws IllegalArgumentException with a message for the user, if the number of workers is
   *     invalid
   */
  public static List<Check> of(Path store, int workers) {
    LoadPlan.requireWorkers(workers);
    List<Check> checks = new ArrayList<>();
    checks.add(java());
    checks.add(attach());
    checks.add(storeDisk(store));
    checks.add(nativeLibraries(store));
    checks.add(openFiles(workers));
    checks.add(clockSource());
    return checks;
  }

  private static Check java() {
    Map<Integer, Path> found = JavaHomes.found();
    String all =
        found.entrySet().stream()
            .map(each -> each.getKey() + " in " + each.getValue())
            .collect(Collectors.joining(", "));
    return found.isEmpty()
        ? Check.problem(
            "java",
            "no Java for a stack",
            "Install a HotSpot JRE, or give one with --set jvm.home=DIR.")
        : Check.ok("java", all);
  }

  /** Checks the running Fedoras. */
  private static Check attach() {
    try {
      return attach(Jvms.all().stream().filter(jvm -> jvm.fedora().isLikelyFedora()).toList());
    } catch (IOException e) {
      return Check.unknown(ATTACH, Reason.of(e), "Start Fedora with -javaagent.");
    }
  }

  static Check attach(List<Jvm> found) {
    // This command itself may have Fedora's environment.
    List<Jvm> fedoras =
        found.stream().filter(jvm -> jvm.pid() != ProcessHandle.current().pid()).toList();
    List<String> reasons = new ArrayList<>();
    Set<String> remedies = new LinkedHashSet<>();
    boolean obstacles = false;
    for (Jvm jvm : fedoras) {
      Optional<AttachObstacle> obstacle = AttachObstacle.of(jvm);
      if (obstacle.isPresent()) {
        obstacles = true;
        reasons.add(obstacle.get().reason());
        remedies.add(obstacle.get().remedy());
      } else if (!jvm.readable()) {
        reasons.add(
            "the options and the container of process "
                + jvm.pid()
                + ", which belongs to "
                + jvm.user()
                + ", cannot be read");
        remedies.add("run 'fedometer doctor' as that user, or start Fedora with -javaagent");
      }
    }
    if (!reasons.isEmpty()) {
      String finding = String.join("; ", reasons);
      String advice = sentences(remedies);
      return obstacles
          ? Check.warning(ATTACH, finding, advice)
          : Check.unknown(ATTACH, finding, advice);
    }
    return Check.ok(
        ATTACH,
        fedoras.isEmpty()
            ? "no Fedora runs here"
            : fedoras.stream()
                    .map(jvm -> Long.toString(jvm.pid()))
                    .collect(Collectors.joining(", "))
                + " can be attached to");
  }

  /** Makes sentences of clauses; ignores empty ones. */
  static String sentences(Collection<String> clauses) {
    return clauses.stream()
        .filter(clause -> !clause.isEmpty())
        .map(clause -> clause.substring(0, 1).toUpperCase(Locale.ROOT) + clause.substring(1) + ".")
        .collect(Collectors.joining(" "));
  }

  private static Check storeDisk(Path store) {
    String name = "store-disk";
    Path folder = DiskSpace.existing(store);
    long usableBytes = folder.toFile().getUsableSpace();
    String found = NumberFormats.bytes(usableBytes) + " free for " + store;
    if (!Files.isWritable(folder)) {
      return Check.problem(
          name, folder + " cannot be written to", "Give another folder with --store DIR.");
    }
    return usableBytes < SMALL_DISK_BYTES
        ? Check.warning(name, found, "Free disk space, or give another folder with --store DIR.")
        : Check.ok(name, found);
  }

  /** Checks the libraries of the collector, which is to run here. */
  private static Check nativeLibraries(Path store) {
    String name = "native-libraries";
    try {
      NativeLibraries.load(DiskSpace.existing(store));
      return Check.ok(name, "those of zstd and DuckDB can be loaded");
    } catch (IOException e) {
      return Check.problem(
          name, Reason.of(e), "Put --store on a disk that is mounted without noexec.");
    }
  }

  private static Check openFiles(int workers) {
    String name = "open-files";
    long limit = openFilesLimit();
    int needed = OPEN_FILES + OPEN_FILES_OF_A_WORKER * workers;
    if (limit < 0) {
      return Check.unknown(name, "the limit is unknown", "Look at 'ulimit -n'.");
    }
    String found =
        limit == Long.MAX_VALUE
            ? "no limit"
            : String.format(Locale.ROOT, "%,d for a process", limit);
    return limit < needed
        ? Check.warning(
            name,
            found + ", and Fedora with " + Counted.of(workers, "worker") + " may need " + needed,
            "Raise it, with 'ulimit -n' or for the service.")
        : Check.ok(name, found);
  }

  /** Returns -1 if unreadable. */
  private static long openFilesLimit() {
    try {
      return Files.readString(LIMITS)
          .lines()
          .filter(line -> line.startsWith("Max open files"))
          .map(line -> line.substring("Max open files".length()).strip().split("\\s+")[0])
          .mapToLong(text -> text.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(text))
          .findFirst()
          .orElse(-1);
    } catch (IOException | NumberFormatException e) {
      return -1;
    }
  }

  private static Check clockSource() {
    String name = "clock-source";
    String source;
    try {
      source = Files.readString(CLOCK_SOURCE).strip();
    } catch (IOException e) {
      return Check.unknown(
          name, "could not be determined", "Check that it is tsc, or the clock of the hypervisor.");
    }
    return SLOW_CLOCKS.contains(source)
        ? Check.warning(
            name,
            source + "; a reading takes microseconds",
            "Choose a faster one, such as tsc: the agent reads the clock at both ends of each"
                + " stage.")
        : Check.ok(name, source);
  }
}
