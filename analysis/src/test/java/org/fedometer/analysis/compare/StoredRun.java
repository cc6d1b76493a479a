package org.fedometer.analysis.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.fedometer.analysis.TestRun;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.Experiment;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.Phase;
import org.fedometer.store.RunDocument.Profile;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.query.QueryException;

/**
 * A run in a store, its requests, samples and readings made up so that what a comparison has to
 * find is known: four workers, an ingest of which {@code index.fields} and {@code ingest.validate}
 * are the stages. The same on every machine.
 */
final class StoredRun {
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000 * MILLI;
  private static final long INGEST_START = 100 * SECOND;
  private static final int WORKERS = 4;

  private final Path store;
  private final String name;
  private final Random random;

  int objects = 300;
  double indexMillis = 10;
  double validateMillis = 10;
  String state = "done";
  Profile profile =
      new Profile(
          "mptstore-postgresql", Map.of("triplestore", "mptstore"), Map.of("xacml.enabled", "no"));
  Double ratePerSecond;

  /** Service times, one object after the other; null for those that are made up. */
  long[] durationNanos;

  Experiment experiment;
  Long warmObjects;
  List<String> labels = List.of("first", "second");
  boolean samples = true;
  boolean telemetry = true;
  boolean databaseTelemetry = true;
  int daysLater;
  boolean rollups;
  Map<String, String> environment = Map.of("cpu.count", "2");
  double gcShare = 0.02;
  double cpuMillis = 8;
  double poolMillis;

  /** Self times of more stages, by object, which prolong the requests. */
  Map<String, Double> moreMillis = Map.of();

  /** Self times of more stages, by object, on a thread outside the requests. */
  Map<String, Double> outsideMillis = Map.of();

  long memoryBytes = 1_000_000_000;
  long autovacuumAt = Long.MAX_VALUE;
  List<RunDocument.Outage> outages = List.of();
  RunDocument.Load load;
  RunDocument.Imported imported;

  /** Self times, by object. */
  interface Pace {
    double factor(int object);
  }

  Pace pace = object -> 1;

  /** Rows of a run besides those that all have. */
  interface More {
    void addTo(TestRun run) throws SQLException;
  }

  More more = run -> {};

  StoredRun(Path store, String name) {
    this.store = store;
    this.name = name;
    this.random = new Random(name.hashCode());
  }

  StoredRun of(String profileName) {
    profile = new Profile(profileName, Map.of("triplestore", profileName), Map.of());
    return this;
  }

  /** As a run of an experiment of two profiles. */
  StoredRun in(String experimentName, String label, int repetition, Integer block) {
    experiment =
        new Experiment(
            "01EXPERIMENT",
            experimentName,
            label,
            "first",
            labels,
            block == null ? "randomised" : "interleaved",
            1,
            repetition,
            block,
            10 * repetition + label.length(),
            1,
            warmObjects,
            "warm");
    return this;
  }

  /** An experiment called e of three profiles, with a run of each; that of one of them failed. */
  static void experimentInWhichFails(String label, Path store) throws Exception {
    List<String> three = List.of("first", "second", "third");
    for (String each : three) {
      StoredRun run = new StoredRun(store, "e.1." + each);
      run.labels = three;
      run.state = each.equals(label) ? "failed" : "done";
      run.in("e", each, 1, 1).write();
    }
  }

  RunFolder write() throws SQLException, IOException, QueryException {
    RunFolder folder = new RunFolder(Files.createDirectories(store.resolve("runs").resolve(name)));
    TestRun run = new TestRun(folder);
    run.sql("BEGIN");
    long last = ingest(run);
    addTelemetry(run, last);
    run.sql("COMMIT");
    more.addTo(run);
    if (rollups) {
      addRollups(run);
    }
    run.seal();
    Files.write(folder.documentFile(), RunDocumentJson.write(document(last)));
    return folder;
  }

  private long ingest(TestRun run) throws SQLException {
    if (durationNanos != null) {
      return inTurn(run);
    }
    long[] free = new long[WORKERS];
    long last = INGEST_START;
    for (int object = 0; object < objects; object++) {
      int worker = 0;
      for (int i = 1; i < WORKERS; i++) {
        worker = free[i] < free[worker] ? i : worker;
      }
      double factor = pace.factor(object) * (0.9 + 0.2 * random.nextDouble());
      long index = (long) (indexMillis * factor * MILLI);
      long validate = (long) (validateMillis * factor * MILLI);
      long pool = (long) (poolMillis * factor * MILLI);
      long more = 0;
      for (double millis : moreMillis.values()) {
        more += (long) (millis * factor * MILLI);
      }
      long duration = index + validate + pool + more + MILLI;
      long intendedStart = INGEST_START + free[worker];
      if (ratePerSecond != null) {
        intendedStart = INGEST_START + (long) (object * 1e9 / ratePerSecond);
      }
      long start = Math.max(intendedStart, INGEST_START + free[worker]);
      request(run, object, worker, start, duration, intendedStart);
      free[worker] = start + duration - INGEST_START;
      last = Math.max(last, start + duration);
      if (samples) {
        String thread = "http-" + worker;
        int trace = object + 1;
        run.sample("http.request", thread, trace, start, duration, MILLI);
        run.sample("ingest.validate", thread, trace, start + 1, validate, validate);
        run.sample("index.fields", thread, trace, start + 2, index, index);
        if (pool > 0) {
          run.sample("pool.acquire", thread, trace, start + 3, pool, pool);
        }
        for (Map.Entry<String, Double> stage : moreMillis.entrySet()) {
          long nanos = (long) (stage.getValue() * factor * MILLI);
          run.sample(stage.getKey(), thread, trace, start + 4, nanos, nanos);
        }
        for (Map.Entry<String, Double> stage : outsideMillis.entrySet()) {
          long nanos = (long) (stage.getValue() * factor * MILLI);
          run.sample(stage.getKey(), "flusher", 0, start + 5, nanos, nanos);
        }
      }
    }
    return last;
  }

  private long inTurn(TestRun run) throws SQLException {
    objects = durationNanos.length;
    long at = INGEST_START;
    for (int object = 0; object < objects; object++) {
      request(run, object, 0, at, durationNanos[object], at);
      at += durationNanos[object];
    }
    return at;
  }

  private static void request(
      TestRun run, int object, int worker, long start, long duration, long intendedStart) {
    run.row(
        Table.REQUESTS,
        "driver",
        object,
        "patents:" + object,
        "",
        worker,
        1,
        start,
        duration,
        201,
        1000,
        "",
        "ingest",
        intendedStart);
  }

  private void addTelemetry(TestRun run, long last) throws SQLException {
    if (!telemetry) {
      return;
    }
    double perNano = objects == 0 ? 0 : objects / (double) (last - INGEST_START);
    // Short runs want readings more often than once a second.
    for (long at = INGEST_START - SECOND; at <= last + SECOND; at += SECOND / 4) {
      double done = Math.max(0, (at - INGEST_START) * perNano);
      addReading(run, at, "fedora.process.cpu.time", done * cpuMillis / 1000);
      if (databaseTelemetry) {
        addReading(run, at, "database.process.cpu.time", done * cpuMillis / 4 / 1000);
      }
      if (databaseTelemetry && profile != null && profile.choices().containsKey("database")) {
        addReading(run, at, "database.process.memory.usage", memoryBytes);
      }
      addReading(run, at, "driver.process.cpu.time", done / 1000);
      addReading(run, at, "system.disk.written", done * 40_000);
      addReading(run, at, "fedora.process.memory.usage", memoryBytes);
      addReading(run, at, "pg_stat_user_tables.autovacuum_count", at > autovacuumAt ? 1 : 0);
    }
    for (long at = INGEST_START; at < last; at += SECOND / 2) {
      run.row(Table.GC, "gc.log", "G1", "young", "full", at, (long) (gcShare * SECOND / 2), 0, 0);
    }
  }

  /** As a collector sums samples up, whose clock is 7 s ahead of the driver's. */
  private static void addRollups(TestRun run) throws SQLException {
    run.sql(
        "INSERT INTO sources (source, sequence, kind, name, first_seen_epoch_millis,"
            + " epoch_offset_nanos, finished) VALUES ('driver', 1, 'driver', 'driver', 1,"
            + " 7000000000, false)");
    run.sql(
        "INSERT INTO rollups SELECT (start_nanos + duration_nanos + 7000000000) // 10000000000 * 10,"
            + " stage, count(*), 0, sum(duration_nanos), sum(duration_nanos - children_nanos),"
            + " min(duration_nanos), max(duration_nanos), ''::BLOB FROM samples GROUP BY 1, 2");
  }

  private static void addReading(TestRun run, long at, String metric, double value) {
    run.row(Table.TELEMETRY, "driver", metric, "x", at, value);
  }

  private RunDocument document(long last) {
    return RunDocument.builder(name, state)
        .id("01JD5B1Z0000000000%08X".formatted(name.hashCode()))
        .profile(profile)
        .dataset(new RunDocument.Dataset("patents", Map.of("seed", "1")))
        .workers(WORKERS)
        .ratePerSecond(ratePerSecond)
        .objects(new ObjectCounts(objects, objects, 0, (long) objects, 0, 0))
        .phases(
            List.of(
                new Phase("ingest", INGEST_START, last),
                new Phase("drain", last, last + 100 * MILLI)))
        .outages(outages)
        .load(load)
        .environment(environment)
        .bootId("boot")
        .started("2026-11-%dT10:12:03.123Z".formatted(20 + daysLater))
        .ended("2026-11-%dT10:14:34Z".formatted(20 + daysLater))
        .experiment(experiment)
        .imported(imported)
        .build();
  }
}
