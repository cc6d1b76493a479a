package org.fedometer.analysis;

import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.Phase;
import org.fedometer.store.RunDocument.TripleCounts;
import org.fedometer.store.RunDocument.Verification;

/**
 * A run as it would come out of a real ingest, for the golden files: 300 objects, four workers, the
 * stages of a REST ingest with times near those of Fedora 3.8.1, the first 60 objects four times
 * slower. The same on every machine.
 */
public final class SampleRun {

  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long INGEST_START = 100_000 * MILLI;

  /** Depth, name, microseconds of self time. */
  private static final Object[][] STAGES = {
    {0, "http.request", 900},
    {1, "http.authentication", 130},
    {1, "rest.create-object", 160},
    {2, "ingest", 40},
    {3, "ingest.prepare", 480},
    {4, "ingest.parse", 1900},
    {4, "ingest.validate", 200},
    {5, "ingest.validate.xsd", 800},
    {5, "ingest.validate.schematron", 1700},
    {4, "ingest.pid", 1400},
    {4, "ingest.exists", 380},
    {5, "pool.acquire", 20},
    {4, "ingest.lock", 4},
    {4, "ingest.dublin-core", 90},
    {4, "registry.register", 2300},
    {3, "ingest.authorization", 20},
    {3, "ingest.commit", 1900},
    {4, "content.fetch", 210},
    {4, "store.datastream", 130},
    {4, "ingest.serialize", 100},
    {5, "ingest.checksum", 190},
    {4, "triples.generate", 90},
    {4, "triples.add", 10},
    {4, "store.foxml", 100},
    {4, "index.fields", 2700},
    {5, "pool.release", 5},
  };

  private final Random random = new Random(42);
  private final TestRun run;
  private long trace;

  private SampleRun(TestRun run) {
    this.run = run;
  }

  /** Fills the run's tables and document. */
  public static void fill(TestRun run) throws SQLException {
    new SampleRun(run).fill();
  }

  private void fill() throws SQLException {
    run.sql("BEGIN");
    long[] free = new long[4];
    long last = 0;
    for (int object = 0; object < 300; object++) {
      int worker = object % 4;
      double slower = object < 60 ? 4 : 1;
      long start = INGEST_START + free[worker] + 300 * MICRO;
      long end = request(worker, start + 200 * MICRO, slower);
      run.ingested(object, start, end - start + 250 * MICRO);
      free[worker] = end + 250 * MICRO - INGEST_START;
      last = Math.max(last, end);
      if (object % 50 == 49) {
        run.sample("triples.flush", "pool-1-thread-1", ++trace, end, 120 * MILLI, 5 * MILLI);
        run.sample(
            "triples.write", "pool-1-thread-1", trace, end + 5 * MILLI, 115 * MILLI, 115 * MILLI);
      }
    }
    long ingestEnd = last + 2 * MILLI;
    run.sample("triples.flush", "http-bio-3", ++trace, ingestEnd + MILLI, 90 * MILLI, 4 * MILLI);
    run.sample("triples.write", "http-bio-3", trace, ingestEnd + 5 * MILLI, 86 * MILLI, 86 * MILLI);
    run.sql("COMMIT");
    run.totals(0, 0, true);
    run.objects = new ObjectCounts(300, 300, 0, 300L, 50, 6_144_000);
    run.triples = new TripleCounts(117L, 11_100L, 11_100L);
    run.verification = new Verification(true, 50, 1_024_000, List.of());
    run.phases =
        List.of(
            new Phase("provision", 1 * MILLI, 48_200 * MILLI),
            new Phase("start", 48_200 * MILLI, 62_300 * MILLI),
            new Phase("ingest", INGEST_START, ingestEnd),
            new Phase("drain", ingestEnd, ingestEnd + 140 * MILLI),
            new Phase("verify", ingestEnd + 140 * MILLI, ingestEnd + 1_540 * MILLI));
  }

  private long request(int worker, long start, double slower) throws SQLException {
    long[] selfNanos = new long[STAGES.length];
    for (int i = 0; i < selfNanos.length; i++) {
      double noise = 0.7 + 0.25 * random.nextDouble() + (random.nextInt(40) == 0 ? 2 : 0);
      selfNanos[i] = (long) ((int) STAGES[i][2] * MICRO * slower * noise);
    }
    trace++;
    for (int i = 0; i < selfNanos.length; i++) {
      long total = selfNanos[i];
      for (int child = i + 1; child < selfNanos.length && depth(child) > depth(i); child++) {
        total += selfNanos[child];
      }
      run.sample(
          (String) STAGES[i][1], "http-bio-" + worker, trace, start + i, total, selfNanos[i]);
    }
    long total = 0;
    for (long part : selfNanos) {
      total += part;
    }
    return start + total;
  }

  private static int depth(int stage) {
    return (int) STAGES[stage][0];
  }
}
