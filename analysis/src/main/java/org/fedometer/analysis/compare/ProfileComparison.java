package org.fedometer.analysis.compare;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.compare.EnvironmentDifference.Difference;
import org.fedometer.analysis.statistics.Comparison;
import org.fedometer.analysis.statistics.LogRatio;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.statistics.SizeRange;
import org.fedometer.analysis.statistics.WithinRun;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunSummary;
import org.fedometer.store.query.QueryException;

/**
 * Compares profiles: which is better, by how much, with which confidence, and why. Documented in
 * {@code docs/experiments-and-compare.md}. Immutable.
 *
 * @param experiment name of its experiment, or null
 * @param sizes compared repository sizes; null for all after the warm-up
 * @param profiles the baseline first
 * @param contenders all profiles but the baseline, against it
 * @param missing labels of an experiment's profiles without a run that counts
 * @param recommendations one for each goal with data
 * @param remarks caveats, a sentence each
 */
public record ProfileComparison(
    String experiment,
    Choices choices,
    SizeRange sizes,
    List<MeasuredProfile> profiles,
    List<Contender> contenders,
    List<String> missing,
    List<Recommendation> recommendations,
    List<String> remarks) {

  /** Limit of listed names: runs of one profile should not differ at all. */
  private static final int MAX_NAMES = 8;

  /** Share of a median from which a resolution is reported. */
  private static final double COARSE_SHARE = 0.01;

  /** Time between runs of a block, excluding the runs. */
  private static final Duration LONG_PAUSE = Duration.ofMinutes(10);

  public ProfileComparison {
    profiles = List.copyOf(profiles);
    contenders = List.copyOf(contenders);
    missing = List.copyOf(missing);
    recommendations = List.copyOf(recommendations);
    remarks = List.copyOf(remarks);
  }

  public MeasuredProfile baseline() {
    return profiles.get(0);
  }

  /**
   * Computes a comparison from runs' folders only.
   *
   * @throws IOException if a document of a run is unreadable; the message is one sentence
   * @throws QueryException if a sealed table is unreadable
   * @throws IllegalArgumentException if the runs have no size in common, with a sentence for the
   *     user
   */
  public static ProfileComparison of(Lineup lineup, Choices choices)
      throws IOException, QueryException {
    List<Lineup.Profile> order = lineup.inOrder();
    List<String> remarks = new ArrayList<>(lineup.remarks());
    SizeRange sizes = choices.atEqualSize() ? commonSizes(order, choices) : null;
    List<MeasuredProfile> profiles = measured(order, choices, sizes);
    for (int i = 0; i < order.size(); i++) {
      profiles.get(i).runs().forEach(run -> remarks.addAll(run.remarks()));
      remarkOnUnlikeRuns(order.get(i), remarks);
    }
    remarkOnMissingRecords(profiles, remarks);
    remarkOnResolution(profiles, remarks);
    List<Contender> contenders = contenders(order, profiles, choices);
    remarkOnFullRuns(contenders, choices, remarks);
    remarkOnPageCaches(profiles, remarks);
    for (Contender contender : contenders) {
      remarks.addAll(contender.difference().remarks());
      remarkOnRunsWithoutPair(contender, remarks);
      remarkOnBlocksPulledApart(contender, profiles.size(), remarks);
      remarkOnFlush(contender, choices, remarks);
    }
    return new ProfileComparison(
        lineup.experiment(),
        choices,
        sizes,
        profiles,
        contenders,
        lineup.missing(),
        Recommendation.of(profiles, contenders, choices),
        List.copyOf(new LinkedHashSet<>(remarks)));
  }

  private static String letter(int index) {
    return index < 26 ? String.valueOf((char) ('A' + index)) : Integer.toString(index + 1);
  }

  /**
   * Measures profiles; examines variation within runs only if a profile has a single comparable
   * run.
   */
  private static List<MeasuredProfile> measured(
      List<Lineup.Profile> order, Choices choices, SizeRange sizes)
      throws IOException, QueryException {
    boolean ended =
        order.stream()
            .allMatch(
                profile ->
                    profile.runs().stream().filter(Lineup.Run::cameToItsEnd).count()
                        >= Comparison.MIN_RUNS);
    List<MeasuredProfile> profiles = measured(order, choices, sizes, !ended);
    boolean enough =
        profiles.stream().allMatch(profile -> profile.comparable().size() >= Comparison.MIN_RUNS);
    // A completed run may still have too few objects.
    return ended && !enough ? measured(order, choices, sizes, true) : profiles;
  }

  private static List<MeasuredProfile> measured(
      List<Lineup.Profile> order, Choices choices, SizeRange sizes, boolean withinRun)
      throws IOException, QueryException {
    List<MeasuredProfile> profiles = new ArrayList<>();
    for (Lineup.Profile profile : order) {
      List<MeasuredRun> runs = new ArrayList<>();
      for (Lineup.Run run : profile.runs()) {
        runs.add(RunMeasurement.of(run, choices, withinRun, sizes));
      }
      profiles.add(new MeasuredProfile(profile.label(), letter(profiles.size()), runs));
    }
    return profiles;
  }

  private static SizeRange commonSizes(List<Lineup.Profile> profiles, Choices choices)
      throws IOException, QueryException {
    long from = 0;
    long to = Long.MAX_VALUE;
    for (Lineup.Profile profile : profiles) {
      for (Lineup.Run run : profile.runs()) {
        Optional<SizeRange> sizes = RunMeasurement.sizes(run, choices);
        if (sizes.isPresent()) {
          from = Math.max(from, sizes.get().from());
          to = Math.min(to, sizes.get().to());
        }
      }
    }
    if (to == Long.MAX_VALUE || to - from < WithinRun.MIN_REQUESTS) {
      throw new IllegalArgumentException(
          "the runs do not share %s after their warm-up at the same size of the repository;"
              .concat(" compare them without --equal-size")
              .formatted(NumberFormats.count(WithinRun.MIN_REQUESTS, "object")));
    }
    return new SizeRange(from, to);
  }

  private static List<Contender> contenders(
      List<Lineup.Profile> order, List<MeasuredProfile> profiles, Choices choices)
      throws IOException {
    MeasuredProfile baseline = profiles.get(0);
    List<Sides> sides =
        profiles.stream().skip(1).map(profile -> Sides.of(baseline, profile)).toList();
    List<List<RatioEstimate>> service =
        judged(sides.stream().map(Sides::service).toList(), choices);
    List<List<RatioEstimate>> response =
        judged(sides.stream().map(Sides::response).toList(), choices);
    List<Contender> contenders = new ArrayList<>();
    for (int i = 0; i < sides.size(); i++) {
      contenders.add(
          new Contender(
              baseline,
              profiles.get(i + 1),
              sides.get(i),
              service.get(i),
              response.get(i),
              sides.get(i).stages(choices.confidence()),
              difference(order.get(0).runs().get(0), order.get(i + 1).runs().get(0))));
    }
    return contenders;
  }

  /** Judges all ratios as one family, which excludes undetermined ones. */
  private static List<List<RatioEstimate>> judged(List<List<LogRatio>> ratios, Choices choices) {
    List<List<LogRatio>> reported = ratios.stream().filter(list -> !list.isEmpty()).toList();
    List<List<RatioEstimate>> estimates =
        reported.isEmpty()
            ? List.of()
            : Comparison.judgeEach(reported, choices.threshold(), choices.confidence());
    List<List<RatioEstimate>> all = new ArrayList<>();
    int next = 0;
    for (List<LogRatio> list : ratios) {
      all.add(list.isEmpty() ? List.of() : estimates.get(next++));
    }
    return all;
  }

  /**
   * Adds a remark if the full runs yield another verdict than the cut ones, unless sizes are
   * chosen.
   */
  private static void remarkOnFullRuns(
      List<Contender> contenders, Choices choices, List<String> remarks) {
    if (choices.atEqualSize()) {
      return;
    }
    List<Sides> sides = contenders.stream().map(Contender::sides).toList();
    List<List<RatioEstimate>> service =
        judged(sides.stream().map(Sides::fullService).toList(), choices);
    List<List<RatioEstimate>> response =
        judged(sides.stream().map(Sides::fullResponse).toList(), choices);
    for (int i = 0; i < contenders.size(); i++) {
      Contender contender = contenders.get(i);
      List<String> others = new ArrayList<>();
      for (RatioEstimate full : service.get(i)) {
        contender
            .service(full.metric())
            .ifPresent(cut -> addIfTurned(full.metric().jsonName(), cut, full, others));
      }
      for (RatioEstimate full : response.get(i)) {
        if (full.metric() != Metric.THROUGHPUT) {
          contender
              .response(full.metric())
              .ifPresent(
                  cut -> addIfTurned("response " + full.metric().jsonName(), cut, full, others));
        }
      }
      if (!others.isEmpty()) {
        remarks.add(
            "With the warm-up included, %s%s."
                .formatted(
                    contenders.size() == 1
                        ? ""
                        : "%s against %s: "
                            .formatted(contender.profile().label(), contender.baseline().label()),
                    String.join("; ", others)));
      }
    }
  }

  private static void addIfTurned(
      String name, RatioEstimate cut, RatioEstimate full, List<String> others) {
    if (cut.verdict() != full.verdict()) {
      others.add(
          "%s is %s (%s times %s) instead of %s"
              .formatted(
                  name,
                  ComparisonSummary.verdict(full.verdict()),
                  ComparisonSummary.ratio(full.ratio()),
                  ComparisonSummary.interval(full),
                  ComparisonSummary.verdict(cut.verdict())));
    }
  }

  /**
   * Adds a remark on unpaired runs: an unfinished experiment may lack a profile in its last block.
   */
  private static void remarkOnRunsWithoutPair(Contender contender, List<String> remarks) {
    if (!contender.sides().paired()) {
      return;
    }
    List<MeasuredRun> alone = new ArrayList<>(contender.baseline().comparable());
    alone.addAll(contender.profile().comparable());
    alone.removeAll(contender.sides().baseline());
    alone.removeAll(contender.sides().contender());
    for (MeasuredRun run : alone) {
      remarks.add(
          "The run %s has no partner in its block: the ratios of %s to %s leave it out."
              .formatted(run.name(), contender.profile().label(), contender.baseline().label()));
    }
  }

  /**
   * Adds a remark on late runs. Pairing removes what a block has in common, which holds only for
   * consecutive runs.
   */
  private static void remarkOnBlocksPulledApart(
      Contender contender, int profiles, List<String> remarks) {
    Sides sides = contender.sides();
    if (!sides.paired()) {
      return;
    }
    for (int i = 0; i < sides.baseline().size(); i++) {
      RunDocument first = sides.baseline().get(i).document();
      RunDocument second = sides.contender().get(i).document();
      Long firstMillis = RunSummary.durationMillis(first);
      Long secondMillis = RunSummary.durationMillis(second);
      if (firstMillis == null || secondMillis == null) {
        continue;
      }
      Duration apart =
          Duration.between(Instant.parse(first.started()), Instant.parse(second.started())).abs();
      Duration block = Duration.ofMillis(firstMillis + secondMillis).multipliedBy(profiles);
      if (apart.compareTo(block.plus(LONG_PAUSE)) > 0) {
        remarks.add(
            "The runs %s and %s are a pair, but began %s apart: their ratio includes other changes in the meantime."
                .formatted(
                    first.name(), second.name(), NumberFormats.duration((double) apart.toNanos())));
      }
    }
  }

  private static void remarkOnPageCaches(List<MeasuredProfile> profiles, List<String> remarks) {
    Map<String, List<String>> runs = new TreeMap<>();
    for (MeasuredProfile profile : profiles) {
      for (MeasuredRun run : profile.comparable()) {
        RunDocument.Experiment at = run.document().experiment();
        if (at != null && at.pageCache() != null) {
          runs.computeIfAbsent(at.pageCache(), cache -> new ArrayList<>()).add(run.name());
        }
      }
    }
    if (runs.size() > 1) {
      remarks.add(
          "The page cache was not the same before all runs: "
              + String.join(
                  "; ",
                  runs.entrySet().stream()
                      .map(
                          cache ->
                              cache.getKey()
                                  + " before "
                                  + String.join(
                                      ", ", cache.getValue().stream().limit(MAX_NAMES).toList()))
                      .toList())
              + ".");
    }
  }

  /**
   * Adds a remark on work after the last response, where throughput ends. The whole run's rate
   * includes it and should have the same verdict.
   */
  private static void remarkOnFlush(Contender contender, Choices choices, List<String> remarks) {
    Optional<RatioEstimate> throughput = contender.service(Metric.THROUGHPUT);
    OptionalDouble first =
        Sides.typical(contender.sides().baseline(), MeasuredRun::objectsPerSecondWithDrain);
    OptionalDouble second =
        Sides.typical(contender.sides().contender(), MeasuredRun::objectsPerSecondWithDrain);
    if (throughput.isEmpty() || first.isEmpty() || second.isEmpty()) {
      return;
    }
    if (first.getAsDouble() == 0) {
      return;
    }
    double whole = second.getAsDouble() / first.getAsDouble();
    double measured = throughput.get().ratio();
    boolean otherWay = (whole - 1) * (measured - 1) < 0;
    if (otherWay && Math.abs(whole - 1) > choices.threshold()) {
      remarks.add(
          "Over full runs, warm-up and final flush included, %s ingests %s times as many objects as %s, not %s times as in the measured part."
              .formatted(
                  contender.profile().label(),
                  ComparisonSummary.ratio(whole),
                  contender.baseline().label(),
                  ComparisonSummary.ratio(measured)));
    }
  }

  private static RunDifference difference(Lineup.Run first, Lineup.Run second) throws IOException {
    return RunDifference.of(first.view(), first.document(), second.view(), second.document());
  }

  private static void remarkOnMissingRecords(List<MeasuredProfile> profiles, List<String> remarks) {
    List<MeasuredRun> runs = profiles.stream().flatMap(p -> p.comparable().stream()).toList();
    remarkOn(
        runs,
        run -> run.stages().isEmpty(),
        "no samples of Fedora's stages: the comparison cannot show where the time went",
        remarks);
    remarkOn(
        runs,
        run -> !run.stages().isEmpty() && run.resources().fedoraCpuNanos() == null,
        "no telemetry of Fedora's process: the comparison cannot show its resources",
        remarks);
    remarkOn(
        runs,
        ProfileComparison::sharedItsMachine,
        "shared the machine: other processes took a quarter of its processors or more",
        remarks);
  }

  private static void remarkOnResolution(List<MeasuredProfile> profiles, List<String> remarks) {
    Map<Long, List<MeasuredRun>> coarse = new TreeMap<>();
    for (MeasuredProfile profile : profiles) {
      for (MeasuredRun run : profile.comparable()) {
        RunStatistics statistics = run.part().service().statistics();
        long resolution = statistics.exactness().resolutionNanos();
        if (resolution > 1 && resolution >= COARSE_SHARE * statistics.p50Nanos()) {
          coarse.computeIfAbsent(resolution, nanos -> new ArrayList<>()).add(run);
        }
      }
    }
    coarse.forEach(
        (resolution, runs) ->
            remarkOn(
                runs,
                run -> true,
                "a resolution of %s: smaller differences are not visible, and no interval is narrower"
                    .formatted(NumberFormats.duration((double) resolution)),
                remarks));
  }

  private static boolean sharedItsMachine(MeasuredRun run) {
    Double machine = run.resources().machineBusy();
    Double ofRun = run.resources().processorsBusy();
    return machine != null && ofRun != null && machine - ofRun >= LimitingResource.OTHERS_SHARE;
  }

  private static void remarkOn(
      List<MeasuredRun> runs, Predicate<MeasuredRun> lacks, String what, List<String> remarks) {
    List<String> names = runs.stream().filter(lacks).map(MeasuredRun::name).toList();
    if (names.size() == 1) {
      remarks.add("The run %s has %s.".formatted(names.get(0), what));
    } else if (!names.isEmpty()) {
      List<String> shown = names.stream().limit(MAX_NAMES).toList();
      remarks.add(
          "The runs %s%s have %s."
              .formatted(
                  String.join(", ", shown),
                  names.size() > shown.size() ? " and others" : "",
                  what));
    }
  }

  /** Adds a remark on differences between repeated runs of a profile. */
  private static void remarkOnUnlikeRuns(Lineup.Profile profile, List<String> remarks)
      throws IOException {
    Set<String> all = new LinkedHashSet<>();
    Lineup.Run first = profile.runs().get(0);
    for (Lineup.Run run : profile.runs().subList(1, profile.runs().size())) {
      EnvironmentDifference difference = difference(first, run).difference();
      for (List<Difference> part : List.of(difference.profile(), difference.other())) {
        for (Difference each : part) {
          all.add(each.area() + " " + each.name());
        }
      }
    }
    if (!all.isEmpty()) {
      List<String> shown = all.stream().limit(MAX_NAMES).toList();
      remarks.add(
          "The runs of %s differ from each other in %s%s."
              .formatted(
                  profile.label(),
                  String.join(", ", shown),
                  all.size() > shown.size()
                      ? " and " + (all.size() - shown.size()) + " more"
                      : ""));
    }
  }
}
