package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.analysis.IngestWindow;
import org.fedometer.analysis.compare.StageTime.MeanError;
import org.fedometer.analysis.report.RunReport.Stage;
import org.fedometer.analysis.report.SampleTables;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.query.SqlText;
import org.fedometer.store.rollup.Rollups;

/**
 * Computes each stage's cost per object in the measured part of a run. The sums are exact: from
 * metadata of sealed files, and from samples of the files that the part's ends cut.
 *
 * <p>The uncertainty of such a mean within one run is estimated by batch means. The part is split
 * into batches of equal time, and the ratio of self time to objects is compared between batches
 * (ratio estimator; A. M. Law, "Simulation Modeling and Analysis", 5th edition 2015, 9.5.3, batch
 * means). Batches much longer than the correlation between neighbors are nearly independent. A part
 * of many minutes uses ten-second rollups, a shorter one samples. One use, one thread.
 */
final class StageTimes {

  /** Batch means need 20 to 30 of them, at any length (B. Schmeiser, 1982). */
  static final int BATCHES = 30;

  /** Fewer of them do not reveal the uncertainty. */
  private static final int MIN_BATCHES = 5;

  /**
   * An object belongs to the batch in which it ended; with more objects, batch ends do not matter.
   */
  private static final int MIN_OBJECTS_IN_BATCH = 20;

  private static final int MAX_ATTEMPTS = 5;

  private final Query query;
  private final MeasuredPart part;

  /** A condition on samples; null before they were summed. */
  private String onRequestThread;

  /** Share of a stage's self time. A smaller one gets no error from rollups. */
  private static final double NEGLIGIBLE_SHARE = 0.01;

  private StageTimes(Query query, MeasuredPart part) {
    this.query = query;
    this.part = part;
  }

  private record Place(String stage, boolean outside) {}

  /** Returns every stage with a sample in the part, most self time first; empty without samples. */
  static List<StageTime> of(Query query, MeasuredPart part) throws QueryException {
    return new StageTimes(query, part).list();
  }

  private List<StageTime> list() throws QueryException {
    List<Stage> stages = sums();
    if (stages.isEmpty()) {
      return List.of();
    }
    long requestNanos = stages.stream().mapToLong(Stage::requestSelfNanos).sum();
    Map<Place, MeanError> errors = errors(stages);
    List<StageTime> times = new ArrayList<>();
    for (Stage stage : stages) {
      long outsideNanos = stage.selfNanos() - stage.requestSelfNanos();
      if (stage.requestSelfNanos() > 0 || outsideNanos == 0) {
        Double share =
            requestNanos == 0 ? null : (Double) ((double) stage.requestSelfNanos() / requestNanos);
        times.add(time(new Place(stage.name(), false), stage.requestSelfNanos(), share, errors));
      }
      if (outsideNanos > 0) {
        Double share = requestNanos == 0 ? null : (Double) 0.0;
        times.add(time(new Place(stage.name(), true), outsideNanos, share, errors));
      }
    }
    times.sort(
        Comparator.comparingDouble(StageTime::selfNanos)
            .reversed()
            .thenComparing(StageTime::stage));
    return times;
  }

  private StageTime time(Place place, long nanos, Double share, Map<Place, MeanError> errors) {
    return new StageTime(
        place.stage(), place.outside(), (double) nanos / part.objects(), share, errors.get(place));
  }

  private List<Stage> sums() throws QueryException {
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      SampleTables tables = new SampleTables(query, part.window());
      List<Stage> stages = tables.stages();
      if (tables.hasAllFiles()) {
        onRequestThread = tables.onRequestThread();
        return stages;
      }
    }
    throw new QueryException(
        "The run's files were merged repeatedly while they were read; try again");
  }

  /** Returns empty if the part is too short. */
  private Map<Place, MeanError> errors(List<Stage> stages) throws QueryException {
    int batches = Math.min(BATCHES, part.objects() / MIN_OBJECTS_IN_BATCH);
    IngestWindow window = part.window();
    if (batches < MIN_BATCHES || part.nanos() < batches) {
      return Map.of();
    }
    // Each batch needs at least one.
    CompleteRollups rollups = CompleteRollups.in(query, window, BATCHES);
    if (rollups == null) {
      return ofSamples(batches, "true");
    }
    Map<String, MeanError> ofStages = ofRollups(rollups);
    Map<Place, MeanError> errors = new HashMap<>();
    List<String> inBoth = new ArrayList<>();
    for (Stage stage : stages) {
      double inRequests = (double) stage.requestSelfNanos() / Math.max(1, stage.selfNanos());
      if (Math.min(inRequests, 1 - inRequests) >= NEGLIGIBLE_SHARE) {
        inBoth.add(stage.name());
      } else {
        errors.put(new Place(stage.name(), inRequests < 0.5), ofStages.get(stage.name()));
      }
    }
    if (!inBoth.isEmpty()) {
      // Rollups do not contain threads.
      errors.putAll(ofSamples(batches, "stage IN " + SqlText.list(inBoth)));
    }
    return errors;
  }

  private Map<Place, MeanError> ofSamples(int batches, String whichStages) throws QueryException {
    long start = part.window().startNanos();
    long width = part.nanos() / batches;
    String sql =
        """
        SELECT stage, NOT %5$s, (start_nanos - %1$s) // %2$s AS batch, sum(self_nanos)::BIGINT
        FROM samples WHERE start_nanos >= %1$s AND start_nanos < %3$s AND %4$s GROUP BY ALL\
        """
            .formatted(
                start, width, Math.addExact(start, width * batches), whichStages, onRequestThread);
    double[] objects = new double[batches];
    for (int i = 0; i < batches; i++) {
      long from = start + i * width;
      objects[i] = part.objectsBefore(from + width) - part.objectsBefore(from);
    }
    Map<Place, double[]> selfNanos = new HashMap<>();
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        add(new Place(rows.text(0), rows.flag(1)), rows, 2, objects.length, selfNanos);
      }
    }
    return errors(selfNanos, objects);
  }

  private Map<String, MeanError> ofRollups(CompleteRollups rollups) throws QueryException {
    long first = rollups.first();
    long inBatch = rollups.count() / BATCHES;
    String sql =
        """
        SELECT stage, (begin_epoch_seconds - %1$s) // %2$s AS batch, sum(sum_self_nanos)::BIGINT
        FROM rollups WHERE begin_epoch_seconds >= %1$s AND begin_epoch_seconds < %3$s
          AND NOT starts_with(stage, '%4$s') GROUP BY ALL\
        """
            .formatted(
                CompleteRollups.epochSeconds(first),
                inBatch * Rollups.SECONDS,
                CompleteRollups.epochSeconds(first + inBatch * BATCHES),
                Rollups.DRIVER_REQUEST);
    double[] objects = new double[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
      long from = first + i * inBatch;
      objects[i] =
          part.objectsBefore(rollups.nanoTime(from + inBatch))
              - part.objectsBefore(rollups.nanoTime(from));
    }
    Map<String, double[]> selfNanos = new HashMap<>();
    try (Rows rows = query.execute(sql)) {
      while (rows.next()) {
        add(rows.text(0), rows, 1, objects.length, selfNanos);
      }
    }
    return errors(selfNanos, objects);
  }

  /** Adds a row's self time, which is in the column after its batch. */
  private static <K> void add(
      K key, Rows rows, int batchColumn, int batches, Map<K, double[]> selfNanos)
      throws QueryException {
    int batch = (int) rows.integer(batchColumn);
    selfNanos.computeIfAbsent(key, name -> new double[batches])[batch] +=
        rows.decimal(batchColumn + 1);
  }

  private static <K> Map<K, MeanError> errors(Map<K, double[]> selfNanos, double[] objects) {
    Map<K, MeanError> errors = new HashMap<>();
    selfNanos.forEach((key, sums) -> errors.put(key, error(sums, objects)));
    return errors;
  }

  /** Returns the error of the ratio of both sums between batches. */
  static MeanError error(double[] sums, double[] counts) {
    double sum = 0;
    double count = 0;
    for (int i = 0; i < sums.length; i++) {
      sum += sums[i];
      count += counts[i];
    }
    if (count == 0) {
      return null;
    }
    double ratio = sum / count;
    double squares = 0;
    for (int i = 0; i < sums.length; i++) {
      double off = sums[i] - ratio * counts[i];
      squares += off * off;
    }
    int batches = sums.length;
    return new MeanError(Math.sqrt(squares * batches / (batches - 1)) / count, batches - 1);
  }
}
