package org.fedometer.analysis.report;

import static org.fedometer.analysis.NumberFormats.count;
import static org.fedometer.analysis.NumberFormats.duration;
import static org.fedometer.analysis.NumberFormats.rate;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fedometer.analysis.report.RunReport.ClientTime;
import org.fedometer.analysis.report.RunReport.Stage;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.store.LoadTime;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.Phase;
import org.fedometer.store.RunState;

/** Describes a run in words, for reports of any format. Pure. */
public final class ReportSummary {

  private static final Pattern DIGEST = Pattern.compile("\\b([0-9a-f]{12})[0-9a-f]{28,52}\\b");

  private static final DateTimeFormatter TIME_OF_DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

  private ReportSummary() {}

  public static String outcome(RunReport report) {
    boolean well = report.endedWell();
    if (report.isMonitoringRun()) {
      String ended = report.run().ended();
      return "a Fedora with an agent, without a load"
          + (ended == null ? "" : "; ended " + timeOfDay(ended));
    }
    String outcome =
        RunState.of(report.run().state())
            .map(state -> stateText(state, well))
            .orElse(report.run().state());
    if (report.imported()) {
      long requests = report.requests() == null ? 0 : report.requests().sent();
      return outcome
          + ": "
          + count(requests, "request")
          + " from "
          + report.run().imported().file();
    }
    ObjectCounts objects = report.objects();
    return objects == null
        ? outcome
        : outcome
            + ": "
            + count(objects.ingested())
            + " of "
            + count(objects.requested(), "object")
            + " ingested";
  }

  private static String stateText(RunState state, boolean well) {
    return switch (state) {
      case DONE -> well ? "ended well" : "ended, but something is wrong";
      case DONE_WITH_ERRORS -> "ended with errors";
      case RUNNING -> "not ended";
      case IMPORTED -> "imported" + (well ? "" : ", and something is wrong");
      case FAILED, INTERRUPTED, MONITORING -> state.id();
    };
  }

  /** Returns the measured subject by name: source, profile, dataset; omits unknown ones. */
  public static Map<String, String> subject(RunDocument run) {
    Map<String, String> facts = new LinkedHashMap<>();
    if (run.imported() != null) {
      facts.put("from", source(run.imported()));
    }
    if (run.profile() != null) {
      facts.put("profile", run.profile().name() + parenthesized(run.profile().choices()));
    }
    if (run.dataset() != null) {
      facts.put("dataset", run.dataset().name() + parenthesized(run.dataset().parameters()));
    }
    return facts;
  }

  /** Returns versions, time and conditions of the measurement by name; omits unknown ones. */
  public static Map<String, String> circumstances(RunDocument run) {
    Map<String, String> facts = new LinkedHashMap<>();
    if (!run.versions().isEmpty()) {
      facts.put("versions", pairs(run.versions()));
    }
    if (run.started() != null) {
      facts.put("started", timeOfDay(run.started()));
    }
    String phases = phases(run);
    if (!phases.isEmpty()) {
      facts.put("took", phases);
    }
    return facts;
  }

  public static String explainTimes(RunReport report) {
    if (report.imported()) {
      return "Times are those of successful ingests, measured by another tool. The file does not say"
          + " whether the load was a closed model or had a rate.";
    }
    return report.openModel()
        ? "Times are service times of successful ingests, from sending the request. Response times,"
            + " from its intended start, are below."
        : "Times are service times of successful ingests in a closed model"
            + (report.run().workers() > 0 ? " of " + count(report.run().workers(), "worker") : "")
            + ". Users arriving at a rate of their own would wait longer.";
  }

  public static String growth(SizeSlope growth) {
    String objects =
        "From %s to %s the time per object "
            .formatted(count(growth.fromObjects()), count(growth.toObjects(), "object"));
    String bounds = perThousand(growth.low()) + " and " + perThousand(growth.high());
    if (growth.low() <= 0 && growth.high() >= 0) {
      return objects
          + "shows no growth: its slope is between "
          + bounds
          + " per thousand objects (95 %).";
    }
    return objects
        + "goes from %s to %s: %s per thousand objects, between %s (95 %%), p %s."
            .formatted(
                duration(growth.fromNanos()),
                duration(growth.toNanos()),
                perThousand(growth.nanosPerObject()),
                bounds,
                growth.pValue() < 0.001
                    ? "< 0.001"
                    : String.format(Locale.ROOT, "= %.3f", growth.pValue()));
  }

  private static String perThousand(double nanos) {
    return (nanos < 0 ? "" : "+") + duration(nanos * 1_000);
  }

  public static String warmUp(WarmUp warmUp) {
    return switch (warmUp.verdict()) {
      case TOO_SHORT ->
          "Fewer than "
              + WarmUp.MIN_BATCHES * WarmUp.BATCH_OBJECTS
              + " objects: too few to find the warm-up.";
      case NOT_SETTLED ->
          "The run has not settled: by MSER-5 its warm-up does not end in the first half."
              + " Nothing is cut, and its halves are shown instead of cold and warm. Load more"
              + " objects (--objects): Fedora needs some thousand ingests to settle.";
      case GIVEN ->
          "Warm-up given by the experiment: the first %s."
              .formatted(count(warmUp.coldObjects(), "object"));
      case SETTLED ->
          warmUp.coldObjects() == 0
              ? "No warm-up found by MSER-5: all objects count as warm."
              : "Warm-up found by MSER-5: the first " + count(warmUp.coldObjects(), "object") + ".";
    };
  }

  public static String highestCleanRate(RunDocument.Load load) {
    return load.highestCleanRate() == null
        ? "No step was clean."
        : "Highest clean rate: "
            + rate(load.highestCleanRate())
            + " objects a second"
            + (reachedLimit(load) ? "." : "; no limit was reached.");
  }

  private static boolean reachedLimit(RunDocument.Load load) {
    return load.steps().stream()
        .anyMatch(
            step ->
                RunDocument.LoadStep.ERRORS.equals(step.outcome())
                    || RunDocument.LoadStep.NOT_HELD.equals(step.outcome()));
  }

  /** Returns the outcome of a load step; empty if unknown. */
  public static String stepOutcome(RunDocument.LoadStep step) {
    return step.outcome() == null
        ? ""
        : step.outcome().replace(RunDocument.LoadStep.NOT_HELD, "not held");
  }

  public static String explainSteps(boolean rates) {
    return rates
        ? "Times are response times, from the intended start of a request. Failed counts requests."
            + " Late counts objects begun more than 1 s, or a tenth of a step, after that, or never."
        : "Times are service times, from sending a request. Failed counts requests.";
  }

  public static String explainOperations(RunReport report) {
    return "Times are those of successful requests, from sending them."
        + (report.openModel()
            ? " Response times are from the intended start. Late requests were sent 1 ms or more after"
                + " it."
            : "");
  }

  /** Returns a run's time inside Fedora as a heading's suffix; empty without any. */
  public static String timeInRequests(RunReport.Stages stages) {
    return stages.requests() == 0
        ? ""
        : duration(stages.requestNanos())
            + " in "
            + count(stages.requests(), "request")
            + " inside Fedora";
  }

  /** Describes stages that ran both inside and outside requests; empty without any. */
  public static String mixedStages(RunReport.Stages stages) {
    String mixed =
        stages.list().stream()
            .filter(stage -> stage.outsideCount() > 0 && stage.outsideCount() < stage.count())
            .map(ReportSummary::outside)
            .collect(Collectors.joining(", "));
    return mixed.isEmpty()
        ? ""
        : "Some calls of "
            + mixed
            + " ran outside the requests; shares count only the calls inside.";
  }

  public static String clientTime(ClientTime client) {
    return "A request took "
        + duration(client.meanNanos())
        + " on average as the driver saw it, "
        + duration(client.meanHttpRequestNanos())
        + (client.beyondFedoraNanos() < 0
            ? " in Fedora's http.request: Fedora continued for "
                + duration(-client.beyondFedoraNanos())
                + " or more after the client had its answer."
            : " of that in Fedora's http.request: "
                + duration(client.beyondFedoraNanos())
                + " is network, connection handling and the client.");
  }

  public static String explainStages(RunReport.Stages stages) {
    return "Self is a stage's time without the stages inside it. Share is self time as a share of the"
        + " time of all requests. Percentiles are of total time."
        + (stages.requests() == 0
            ? ""
            : " Self time of http.request is request time outside all other stages.");
  }

  private static String outside(Stage stage) {
    return stage.name() + " (" + count(stage.outsideCount()) + " of " + count(stage.count()) + ")";
  }

  private static String source(RunDocument.Imported from) {
    return from.file()
        + " (SHA-256 "
        + abbreviated(String.valueOf(from.sha256()))
        + "), format "
        + from.format()
        + ", durations in "
        + from.unit()
        + (from.ingestLabel() == null ? "" : ", ingests are " + from.ingestLabel());
  }

  /** Abbreviates a commit or checksum as git does; run.json has the whole. */
  public static String abbreviated(String value) {
    return DIGEST.matcher(value).replaceAll("$1");
  }

  public static String timeOfDay(String iso) {
    try {
      return TIME_OF_DAY.format(Instant.parse(iso));
    } catch (DateTimeParseException e) {
      return iso;
    }
  }

  /** Returns a name's suffix with its components; empty if unknown. */
  public static String parenthesized(Map<String, String> facts) {
    return facts == null || facts.isEmpty() ? "" : " (" + pairs(facts) + ")";
  }

  public static String pairs(Map<String, String> facts) {
    return facts.entrySet().stream()
        .map(fact -> fact.getKey() + " " + abbreviated(fact.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** Describes the phases with a duration; empty if there are none. */
  public static String phases(RunDocument run) {
    return run.phases().stream()
        .filter(phase -> phase.endNanos() > phase.startNanos())
        .map(phase -> phase(phase, run))
        .collect(Collectors.joining(", "));
  }

  private static String phase(Phase phase, RunDocument run) {
    return phase.name() + " " + duration(LoadTime.of(phase, run));
  }
}
