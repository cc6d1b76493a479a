package org.fedometer.experiments.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.GcDecoder;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The log against the same JVM's MXBeans. */
class GcLogTest {

  /** G1 stops threads for these, too; its beans of Java 17 do not count them. */
  private static final List<String> NOT_IN_THE_BEANS = List.of("Pause Remark", "Pause Cleanup");

  private static final GcLog.Progress NO_PROGRESS = fraction -> {};

  private static final Path HERE = Path.of(System.getProperty("java.home"));

  /** At most, with those of a cycle of the young generation inside one of the old. */
  private static final int PAUSES_OF_A_CYCLE = 8;

  private static final String YOUNG = "GC(0) Pause Young (Allocation Failure) 9M->8M(64M) 1.000ms";

  private static final String LINE = "[2026-11-21T10:00:0%d.500+0100][%d.500s][info][gc] %s%n";

  @TempDir private Path folder;

  /** Makes garbage, then prints its beans' counts: collections and milliseconds. */
  public static final class Garbage {
    private Garbage() {}

    public static void main(String[] arguments) {
      byte[][] kept = new byte[256][];
      for (int i = 0; i < 40_000; i++) {
        kept[i % kept.length] = new byte[16 * 1024];
      }
      System.gc();
      long count = 0;
      long millis = 0;
      for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
        // Others are of what runs beside the program.
        if (!bean.getName().matches("G1 Concurrent GC|.* Cycles")) {
          count += bean.getCollectionCount();
          millis += bean.getCollectionTime();
        }
      }
      System.out.print(count + " " + millis + " " + kept[0].length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Serial", "Parallel", "G1"})
  void agreesWithTheMxBeans(String collector) throws Exception {
    Path log = folder.resolve("gc.log");
    long before = System.currentTimeMillis();
    String[] beans = run(HERE, collector, log).split(" ");
    long after = System.currentTimeMillis();

    GcLog.Reading read = GcLog.read(List.of(log), null, NO_PROGRESS);

    List<GcLog.Pause> pauses =
        read.pauses().stream().filter(pause -> !NOT_IN_THE_BEANS.contains(pause.action())).toList();
    assertThat(read.notes()).isEmpty();
    assertThat(pauses).hasSize(Integer.parseInt(beans[0]));
    assertTimesAgree(pauses, beans);
    assertThat(pauses)
        .allSatisfy(
            pause -> {
              assertThat(pause.collector()).isEqualTo(collector);
              assertThat(pause.startEpochNanos() / 1_000_000).isBetween(before - 1, after);
              assertThat(pause.cause()).isNotBlank();
              assertThat(pause.heapBeforeBytes()).isBetween(1L << 20, 64L << 20);
              assertThat(pause.heapAfterBytes()).isLessThanOrEqualTo(pause.heapBeforeBytes());
            })
        .anyMatch(pause -> pause.cause().equals("System.gc()"));
  }

  /** Those of this Java, and of another one where it is installed. */
  @ParameterizedTest
  @CsvSource({
    "17, Z, ZGC",
    "17, Shenandoah, Shenandoah",
    "25, Z, ZGC",
    "25, Shenandoah, Shenandoah"
  })
  void collectorsThatWorkBesideTheProgramAgreeToo(int version, String option, String collector)
      throws Exception {
    Path java = java(version);
    Path log = folder.resolve("gc.log");
    String[] beans = run(java, option, log).split(" ");

    GcLog.Reading read = GcLog.read(List.of(log), null, NO_PROGRESS);

    assertThat(read.notes()).isEmpty();
    // A cycle may have gone on when the beans were asked.
    int counted = Integer.parseInt(beans[0]);
    assertThat(read.pauses()).hasSizeBetween(counted - 1, counted + PAUSES_OF_A_CYCLE);
    assertTimesAgree(read.pauses(), beans);
    assertThat(read.pauses())
        .allSatisfy(
            pause -> {
              assertThat(pause.collector()).isEqualTo(collector);
              assertThat(pause.action()).contains("Pause ");
            });
  }

  private static void assertTimesAgree(List<GcLog.Pause> pauses, String[] beans) {
    assertThat(pauses).hasSizeGreaterThan(5);
    double millis = pauses.stream().mapToLong(GcLog.Pause::durationNanos).sum() / 1e6;
    // The beans count each collection in whole milliseconds.
    assertThat(millis)
        .isBetween(
            Long.parseLong(beans[1]) - 1.5 * pauses.size() - 5,
            Long.parseLong(beans[1]) + 1.5 * pauses.size() + 5);
  }

  private static Path java(int version) throws IOException {
    Optional<Path> found =
        Runtime.version().feature() == version ? Optional.of(HERE) : installed(version);
    if (found.isEmpty() && "1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      throw new AssertionError("Java " + version + " is required and not installed");
    }
    Assumptions.assumeTrue(found.isPresent(), "SKIPPED: no Java " + version + " here");
    return found.get();
  }

  private static Optional<Path> installed(int version) throws IOException {
    Path usual = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(usual)) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(usual)) {
      return homes
          .filter(home -> Files.isExecutable(home.resolve("bin/java")))
          .filter(home -> isOf(version, home.resolve("release")))
          .sorted()
          .findFirst();
    }
  }

  private static boolean isOf(int version, Path release) {
    try {
      return Pattern.compile("JAVA_VERSION=\"" + version + "\\b")
          .matcher(Files.readString(release))
          .find();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void pausesBecomeFramesInTheTimesOfThisHost() throws Exception {
    Path log = folder.resolve("gc.log");
    run(HERE, "Serial", log);
    List<GcLog.Pause> pauses = GcLog.read(List.of(log), null, NO_PROGRESS).pauses();
    long offset = 1_000_000_000L * 1_000_000;
    List<Long> starts = new ArrayList<>();

    GcLog.encode(
        pauses,
        offset,
        payload -> {
          try {
            GcDecoder.decode(ByteBuffer.wrap(payload), row -> starts.add(row.startNanos));
          } catch (MalformedFrameException e) {
            throw new AssertionError(e);
          }
        });

    assertThat(starts)
        .isNotEmpty()
        .containsExactlyElementsOf(pauses.stream().map(p -> p.startEpochNanos() - offset).toList());
  }

  @Test
  void aPauseDuringAMarkThatNeverEndsCountsAsAnyOther() throws IOException {
    Path log = folder.resolve("gc.log");
    Files.writeString(
        log,
        line(0, "Using G1")
            + line(
                1,
                "GC(0) Pause Young (Concurrent Start) (G1 Humongous Allocation) 9M->8M(64M) 1.250ms")
            + line(2, "GC(1) Concurrent Mark Cycle")
            + line(
                3,
                "GC(2) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure) 9M->8M(64M) 2.000ms")
            + line(4, "GC(1) Pause Remark 8M->8M(64M) 0.500ms")
            + "[2026-11-21T10:00:05.500+0100][5.500s][info][gc] GC(3) Pause Young (Normal) (G1 Ev");

    GcLog.Reading read = GcLog.read(List.of(log), null, NO_PROGRESS);

    long firstEnd = OffsetDateTime.parse("2026-11-21T10:00:01.500+01:00").toEpochSecond();
    assertThat(read.notes()).as("the torn line is of no pause that has ended").isEmpty();
    assertThat(read.pauses())
        .containsExactly(
            new GcLog.Pause(
                "G1",
                "Pause Young (Concurrent Start)",
                "G1 Humongous Allocation",
                firstEnd * 1_000_000_000 + 500_000_000 - 1_250_000,
                1_250_000,
                9 << 20,
                8 << 20),
            new GcLog.Pause(
                "G1",
                "Pause Young (Normal) (Evacuation Failure)",
                "G1 Evacuation Pause",
                (firstEnd + 2) * 1_000_000_000 + 500_000_000 - 2_000_000,
                2_000_000,
                9 << 20,
                8 << 20),
            new GcLog.Pause(
                "G1",
                "Pause Remark",
                "",
                (firstEnd + 3) * 1_000_000_000 + 500_000_000 - 500_000,
                500_000,
                8 << 20,
                8 << 20));
  }

  @Test
  void pausesOfAllPartsAreThere() throws IOException {
    Path older = folder.resolve("gc.log.0");
    Path newer = folder.resolve("gc.log");
    Files.writeString(older, line(0, "Using Serial") + line(1, YOUNG));
    Files.writeString(newer, line(2, YOUNG) + line(3, YOUNG));

    GcLog.Reading read = GcLog.read(List.of(older, newer), null, NO_PROGRESS);

    assertThat(read.pauses()).hasSize(3).allMatch(pause -> pause.collector().equals("Serial"));
    assertThat(read.cut()).isFalse();
    assertThat(read.notes()).isEmpty();
  }

  @Test
  void reportsAMissingBeginning() throws IOException {
    Path log = Files.writeString(folder.resolve("gc.log"), line(2, YOUNG));

    GcLog.Reading read = GcLog.read(List.of(log), null, NO_PROGRESS);

    assertThat(read.pauses()).hasSize(1).allMatch(pause -> pause.collector().equals("unknown"));
    assertThat(read.cut()).isTrue();
    assertThat(GcLog.read(List.of(log), "Serial", NO_PROGRESS).pauses())
        .allMatch(pause -> pause.collector().equals("Serial"));
  }

  @Test
  void aPauseThatCannotBeReadIsCounted() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("gc.log"),
            line(0, "Using Serial") + line(1, YOUNG) + "[yesterday][info][gc] " + YOUNG + "\n");

    GcLog.Reading read = GcLog.read(List.of(log), null, NO_PROGRESS);

    assertThat(read.pauses()).hasSize(1);
    assertThat(read.notes()).singleElement().asString().contains("has 1 of 2 pauses");
  }

  @Test
  void doesNotCountSafepointsAsPauses() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("gc.log"),
            line(0, "Using G1")
                + "[2026-11-21T10:00:01.500+0100][1.500s][info][safepoint   ] Safepoint"
                + " \"G1CollectForAllocation\", Time since last: 8 ns, Reaching safepoint: 7 ns,"
                + " At safepoint: 1 ns, Total: 9 ns\n");

    assertThat(GcLog.read(List.of(log), null, NO_PROGRESS).pauses()).isEmpty();
  }

  @Test
  void reportsProgressOfALongLog() throws IOException {
    Path log = folder.resolve("gc.log");
    Files.writeString(log, line(0, "Using Serial") + line(1, "GC(0) Age table").repeat(250_000));
    List<Double> fractions = new ArrayList<>();

    GcLog.read(List.of(log), null, fractions::add);

    assertThat(fractions)
        .hasSize(2)
        .isSorted()
        .allMatch(fraction -> fraction > 0.3 && fraction < 1);
  }

  /** As Java 8 writes it with -XX:+PrintGCDetails -XX:+PrintGCDateStamps. */
  @Test
  void theParallelCollectorOfJava8IsUnderstood() throws IOException {
    Path log =
        java8(
            """
            2026-11-21T10:00:01.100+0100: 1.234: [GC (Allocation Failure) [PSYoungGen: 65536K->10736K(76288K)] 65536K->15122K(251392K), 0.0123456 secs] [Times: user=0.03 sys=0.01, real=0.01 secs]
            2026-11-21T10:00:01.112+0100: 1.246: Total time for which application threads were stopped: 0.0125000 seconds, Stopping threads took: 0.0000200 seconds
            2026-11-21T10:00:02.200+0100: 2.334: [GC (Metadata GC Threshold) [PSYoungGen: 40000K->8000K(76288K)] 44386K->13000K(251392K), 0.0080000 secs] [Times: user=0.02 sys=0.00, real=0.01 secs]
            2026-11-21T10:00:02.208+0100: 2.342: [Full GC (Metadata GC Threshold) [PSYoungGen: 8000K->0K(76288K)] [ParOldGen: 5000K->11000K(175104K)] 13000K->11000K(251392K), [Metaspace: 20480K->20480K(1067008K)], 0.0400000 secs] [Times: user=0.07 sys=0.00, real=0.04 secs]
            2026-11-21T10:00:03.300+0100: 3.434: [GC (Allocation Fail""",
            "-XX:+UseParallelGC");

    GcLog.Reading read = GcLog.read(List.of(log), null, NO_PROGRESS);

    assertThat(read.pauses())
        .extracting(GcLog.Pause::durationNanos, p -> p.heapBeforeBytes() / 1024, GcLog.Pause::cause)
        .containsExactly(
            tuple(12_345_600L, 65536L, "Allocation Failure"),
            tuple(8_000_000L, 44386L, "Metadata GC Threshold"),
            tuple(40_000_000L, 13000L, "Metadata GC Threshold"));
    assertThat(openFiles()).noneMatch(file -> file.startsWith(folder));
    assertThat(read.pauses().get(0).startEpochNanos() / 1_000_000)
        .isEqualTo(
            OffsetDateTime.parse("2026-11-21T10:00:01.100+01:00").toInstant().toEpochMilli());
    assertThat(read.notes()).singleElement().asString().contains("has 3 of 4 pauses");
  }

  @Test
  void marksAndYoungCollectionsOfCmsOfJava8AreUnderstood() throws IOException {
    Path log =
        java8(
            """
            2026-11-21T10:00:01.100+0100: 1.234: [GC (Allocation Failure) 2026-11-21T10:00:01.100+0100: 1.234: [ParNew: 69952K->8704K(78656K), 0.0120000 secs] 69952K->12000K(253440K), 0.0121000 secs] [Times: user=0.02 sys=0.00, real=0.01 secs]
            2026-11-21T10:00:02.000+0100: 2.134: [GC (CMS Initial Mark) [1 CMS-initial-mark: 90000K(174784K)] 95000K(253440K), 0.0020000 secs] [Times: user=0.00 sys=0.00, real=0.00 secs]
            2026-11-21T10:00:02.002+0100: 2.136: [CMS-concurrent-mark-start]
            2026-11-21T10:00:02.050+0100: 2.184: [CMS-concurrent-mark: 0.048/0.048 secs] [Times: user=0.05 sys=0.00, real=0.05 secs]
            2026-11-21T10:00:02.050+0100: 2.184: [CMS-concurrent-preclean-start]
            2026-11-21T10:00:02.051+0100: 2.185: [CMS-concurrent-preclean: 0.001/0.001 secs] [Times: user=0.00 sys=0.00, real=0.00 secs]
            2026-11-21T10:00:02.060+0100: 2.194: [GC (CMS Final Remark) [YG occupancy: 20000 K (78656 K)]2026-11-21T10:00:02.060+0100: 2.194: [Rescan (parallel) , 0.0030000 secs]2026-11-21T10:00:02.063+0100: 2.197: [weak refs processing, 0.0000100 secs]2026-11-21T10:00:02.063+0100: 2.197: [class unloading, 0.0040000 secs]2026-11-21T10:00:02.067+0100: 2.201: [scrub symbol table, 0.0020000 secs]2026-11-21T10:00:02.069+0100: 2.203: [scrub string table, 0.0002000 secs][1 CMS-remark: 90000K(174784K)] 110000K(253440K), 0.0095000 secs] [Times: user=0.01 sys=0.00, real=0.01 secs]
            2026-11-21T10:00:02.070+0100: 2.204: [CMS-concurrent-sweep-start]
            2026-11-21T10:00:02.090+0100: 2.224: [CMS-concurrent-sweep: 0.020/0.020 secs] [Times: user=0.02 sys=0.00, real=0.02 secs]
            """,
            "-XX:+UseConcMarkSweepGC -XX:+UseParNewGC");

    GcLog.Reading read = GcLog.read(List.of(log), null, NO_PROGRESS);

    assertThat(read.notes()).isEmpty();
    assertThat(read.pauses())
        .extracting(GcLog.Pause::durationNanos)
        .containsExactly(12_100_000L, 2_000_000L, 9_500_000L);
  }

  private static List<Path> openFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
      for (Path link : links.toList()) {
        if (Files.isSymbolicLink(link)) {
          files.add(Files.readSymbolicLink(link));
        }
      }
    }
    return files;
  }

  private Path java8(String lines, String arguments) throws IOException {
    return Files.writeString(
        folder.resolve("gc.log"),
        """
        OpenJDK 64-Bit Server VM (25.392-b08) for linux-amd64 JRE (1.8.0_392-b08), built on Oct 14 2023 00:45:49 by "temurin" with gcc 7.5.0
        Memory: 4k page, physical 8000000k(4000000k free), swap 0k(0k free)
        CommandLine flags: -XX:+PrintGC -XX:+PrintGCDateStamps -XX:+PrintGCDetails -XX:+PrintGCTimeStamps %s
        """
                .formatted(arguments)
            + lines);
  }

  private static String line(int second, String text) {
    return LINE.formatted(second, second, text);
  }

  @Test
  void theOldestPartComesFirst() throws IOException {
    Path newest = Files.writeString(folder.resolve("gc.log"), "newest");
    Path older = Files.writeString(folder.resolve("gc.log.1"), "older");
    Path oldest = Files.writeString(folder.resolve("gc.log.0"), "oldest");
    Files.setLastModifiedTime(oldest, FileTime.fromMillis(1_000));
    Files.setLastModifiedTime(older, FileTime.fromMillis(2_000));

    assertThat(
            GcLog.parts(
                Map.of("gc.log", newest, "gc.log.0", oldest, "gc.log.1", older, "x.log", newest)))
        .containsExactly(oldest, older, newest);
    assertThat(GcLog.parts(Map.of("fedora.log", newest))).isEmpty();
  }

  @Test
  void aLogWithoutACollectionHasNoPause() throws IOException {
    Path log = folder.resolve("gc.log");
    Files.writeString(log, "[2026-11-21T10:00:00.000+0000][0.010s][info][gc] Using Serial\n");

    assertThat(GcLog.read(List.of(log), null, NO_PROGRESS).pauses()).isEmpty();
  }

  private String run(Path java, String collector, Path log)
      throws IOException, InterruptedException {
    Process jvm =
        new ProcessBuilder(
                java.resolve("bin/java").toString(),
                "-Xmx64m",
                "-Xms64m",
                "-XX:+Use" + collector + "GC",
                "-Xlog:gc*,safepoint:file=" + log + ":time,uptime,level,tags",
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                Garbage.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jvm.waitFor()).as(said).isZero();
    return said;
  }
}
