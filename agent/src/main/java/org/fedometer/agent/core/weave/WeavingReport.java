package org.fedometer.agent.core.weave;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.AgentReport.Stage;

/** Weaving results of each stage and capture; any thread. */
public final class WeavingReport {

  private static final int COMPLAINT_LIMIT = 100;

  /** Per stage: each new deployment may add others, such as a loader's number. */
  private static final int REASON_LIMIT = 10;

  private static final int MAX_PLACES_SHOWN = 30;

  private static final String TOMCAT = "org.apache.catalina.";

  private final List<PlannedStage> stages;
  private final List<PlannedStage> captures;

  private final List<PlannedStage> plan;

  private final Map<String, String> rejections;
  private final AgentLog log;
  private final int planned;

  /** Places by aspect, over all class loaders. */
  private final Map<String, Set<String>> places = new LinkedHashMap<>();

  /**
   * Methods where threads begin to wait for a lock, and where they have it, by aspect, over all
   * class loaders.
   */
  private final Map<String, Set<String>> waits = new LinkedHashMap<>();

  private final Map<String, Set<String>> acquired = new LinkedHashMap<>();

  /** Waits that are recorded, by aspect. */
  private Set<String> recordedWaits = Collections.emptySet();

  /** Reasons why a stage is not timed in some class, by aspect. */
  private final Map<String, Set<String>> reasons = new LinkedHashMap<>();

  private final Set<String> classesSeen = new LinkedHashSet<>();
  private boolean fedoraSeen;

  /** Aspects of stages that match too many classes. */
  private final Set<String> tooMany = new LinkedHashSet<>();

  /** Types that a custom stage without a match needs and Fedora lacks, by aspect. */
  private final Map<String, Set<String>> missingTypes = new HashMap<>();

  private int complaints;

  WeavingReport(WeavingPlan plan, AgentLog log) {
    this.stages = plan.stages();
    this.captures = plan.captures();
    this.plan = new ArrayList<>(stages);
    this.plan.addAll(captures);
    this.rejections = plan.rejections();
    this.log = log;
    this.planned = names().size() + captures.size();
    for (String refusal : rejections.values()) {
      logWarning(refusal);
    }
  }

  private Set<String> names() {
    Set<String> names = new LinkedHashSet<>(rejections.keySet());
    for (PlannedStage stage : stages) {
      names.add(stage.name());
    }
    return names;
  }

  /** Records a loaded class that the weaver has processed. */
  synchronized void seen(String className) {
    classesSeen.add(className);
    fedoraSeen |= isFedoras(className);
  }

  /** Returns whether it is a class of Fedora with built-in stages. */
  boolean isFedoras(String className) {
    return !className.startsWith(TOMCAT) && isBuiltInTarget(className);
  }

  private boolean isBuiltInTarget(String className) {
    for (PlannedStage stage : stages) {
      if (stage.customPointcutOrNull() == null && stage.targets().contains(className)) {
        return true;
      }
    }
    return false;
  }

  /** Records a woven class by its scan. */
  synchronized void woven(String className, AdviceScan scan) {
    seen(className);
    for (PlannedStage capture : captures) {
      for (String place : scan.callsOf(capture.aspect())) {
        put(places, capture.aspect(), place);
      }
    }
    for (PlannedStage stage : stages) {
      for (String place : scan.placesOf(stage.aspect())) {
        put(places, stage.aspect(), place);
      }
      for (String place : scan.waitsOf(stage.aspect())) {
        put(waits, stage.aspect(), place);
      }
      if (stage.waitOrNull() != null) {
        for (String place : scan.acquiredOf(stage.waitOrNull().acquired().getName())) {
          put(acquired, stage.aspect(), place);
        }
      }
      for (String half : scan.partialPlacesOf(stage.aspect())) {
        putReason(stage.aspect(), "woven only partly in " + half);
      }
    }
  }

  /** Sets the aspects of recorded lock waits, which end wherever they begin. */
  synchronized void setRecordedWaits(Set<String> aspects) {
    recordedWaits = aspects;
  }

  /** Records a class that stays unchanged. */
  synchronized void failed(TypeFacts type, String reason) {
    seen(type.name());
    for (PlannedStage stage : plan) {
      if (stage.mayBeIn(type)) {
        putReason(stage.aspect(), type.name() + ": " + reason);
      }
    }
    logWarning("cannot weave " + type.name() + ": " + reason);
  }

  /** Records a class that stays without custom stages. */
  synchronized void customFailed(TypeFacts type, String reason) {
    for (PlannedStage stage : plan) {
      if (stage.customPointcutOrNull() != null && stage.mayBeIn(type)) {
        putReason(stage.aspect(), type.name() + ": " + reason);
      }
    }
    logWarning("cannot weave custom stages into " + type.name() + ": " + reason);
  }

  /**
   * Records a class that is skipped, since the stages with these aspects match too many already.
   */
  synchronized void tooMany(Set<String> aspects, int limit) {
    for (PlannedStage stage : stages) {
      if (aspects.contains(stage.aspect()) && tooMany.add(stage.aspect())) {
        putReason(
            stage.aspect(),
            "it has places in more than "
                + limit
                + " classes; the others are not woven for it; narrow the pointcut");
        logWarning(
            stage.name()
                + " has places in more than "
                + limit
                + " classes; the others are not woven");
      }
    }
  }

  synchronized List<PlannedStage> customWithoutPlace() {
    List<PlannedStage> without = new ArrayList<>();
    for (PlannedStage stage : stages) {
      if (stage.customPointcutOrNull() != null && !isWoven(stage.aspect())) {
        without.add(stage);
      }
    }
    return without;
  }

  /**
   * @param types that its pointcut needs and Fedora lacks so far; may be empty
   */
  synchronized void missingTypes(String aspect, Set<String> types) {
    missingTypes.put(aspect, types);
  }

  synchronized boolean haveTooMany(Set<String> aspects) {
    return tooMany.containsAll(aspects);
  }

  /** Records a message of the weaver, for the aspects that it names. */
  synchronized void complaint(String text) {
    for (PlannedStage stage : plan) {
      if (text.contains(stage.aspect())) {
        putReason(stage.aspect(), text);
      }
    }
    logWarning(text);
  }

  private void logWarning(String text) {
    complaints++;
    if (complaints <= COMPLAINT_LIMIT) {
      log.append("weaving: " + text);
    }
  }

  private void putReason(String aspect, String reason) {
    Set<String> known = reasons.get(aspect);
    if (known == null || known.size() < REASON_LIMIT) {
      put(reasons, aspect, reason);
    }
  }

  private static void put(Map<String, Set<String>> map, String key, String value) {
    Set<String> known = map.get(key);
    if (known == null) {
      known = new LinkedHashSet<>();
      map.put(key, known);
    }
    known.add(value);
  }

  /** Returns all stages, in the order of their names. */
  public synchronized List<Stage> stages() {
    Map<String, Stage> sorted = statesOf(stages);
    for (Map.Entry<String, String> refusal : rejections.entrySet()) {
      if (!sorted.containsKey(refusal.getKey())) {
        sorted.put(
            refusal.getKey(),
            new Stage(refusal.getKey(), AgentReport.Weaving.FAILED, refusal.getValue()));
      }
    }
    return new ArrayList<>(sorted.values());
  }

  /** Returns all captures, in the order of their names. */
  public synchronized List<Stage> captures() {
    return new ArrayList<>(statesOf(captures).values());
  }

  /** Returns the number of stages and captures, woven or not. */
  public int plannedCount() {
    return planned;
  }

  /** Returns how many of them are woven; cheap enough for a call per second. */
  public synchronized int wovenCount() {
    int woven = 0;
    for (PlannedStage stage : plan) {
      if (isWoven(stage.aspect())) {
        woven++;
      }
    }
    return woven;
  }

  private Map<String, Stage> statesOf(List<PlannedStage> some) {
    Map<String, Stage> sorted = new TreeMap<>();
    for (PlannedStage stage : some) {
      sorted.put(stage.name(), stateOf(stage));
    }
    return sorted;
  }

  /** Limits the list: a user's pattern may match thousands. */
  private static String first(int max, Set<String> all) {
    if (all.size() <= max) {
      return String.join(", ", all);
    }
    List<String> shown = new ArrayList<>(all).subList(0, max);
    return String.join(", ", shown) + " and " + (all.size() - max) + " more";
  }

  private Stage stateOf(PlannedStage stage) {
    Set<String> failures = reasons.get(stage.aspect());
    String detail = detailOrNull(stage.aspect());
    if (detail != null) {
      return new Stage(
          stage.name(),
          AgentReport.Weaving.WOVEN,
          failures == null ? detail : detail + "; but " + String.join("; ", failures));
    }
    if (failures != null) {
      return new Stage(stage.name(), AgentReport.Weaving.FAILED, String.join("; ", failures));
    }
    if (waits.containsKey(stage.aspect())) {
      return new Stage(
          stage.name(),
          AgentReport.Weaving.NOT_FOUND,
          String.join(", ", waits.get(stage.aspect())) + " takes no such lock");
    }
    if (acquired.containsKey(stage.aspect())) {
      return new Stage(
          stage.name(),
          AgentReport.Weaving.FAILED,
          "woven only partly in " + String.join(", ", acquired.get(stage.aspect())));
    }
    Set<String> present = new LinkedHashSet<>(stage.targets());
    present.retainAll(classesSeen);
    if (stage.customPointcutOrNull() != null) {
      return stateOfCustom(stage, fedoraSeen || !present.isEmpty());
    }
    if (!present.isEmpty()) {
      return new Stage(
          stage.name(),
          AgentReport.Weaving.NOT_FOUND,
          String.join(", ", present) + " has no such method");
    }
    return fedoraSeen
        ? new Stage(
            stage.name(),
            AgentReport.Weaving.NOT_FOUND,
            "no class " + String.join(", ", stage.targets()))
        : new Stage(
            stage.name(), AgentReport.Weaving.NOT_LOADED, "none of Fedora's classes is loaded");
  }

  private Stage stateOfCustom(PlannedStage stage, boolean isFedoraThere) {
    Set<String> missing = missingTypes.get(stage.aspect());
    if (isFedoraThere && missing != null && !missing.isEmpty()) {
      return new Stage(
          stage.name(),
          AgentReport.Weaving.FAILED,
          "Fedora has no type "
              + String.join(" and no type ", missing)
              + ", used in "
              + stage.customPointcutOrNull()
              + "; check the spelling in the pointcut");
    }
    return new Stage(
        stage.name(),
        isFedoraThere ? AgentReport.Weaving.NOT_FOUND : AgentReport.Weaving.NOT_LOADED,
        "no loaded class matches " + stage.customPointcutOrNull());
  }

  /** Returns whether a stage is timed somewhere; a wait only if it is recorded. */
  private boolean isWoven(String aspect) {
    return places.containsKey(aspect) || recordedWaits.contains(aspect);
  }

  private String detailOrNull(String aspect) {
    if (!isWoven(aspect)) {
      return null;
    }
    return places.containsKey(aspect)
        ? first(MAX_PLACES_SHOWN, places.get(aspect))
        : String.join(", ", waits.get(aspect))
            + " until "
            + String.join(", ", acquired.get(aspect));
  }

  /** Returns one line for users: how many stages and captures are woven, and which are not. */
  public String summary() {
    return describe(stages(), "stages")
        + "; "
        + describe(captures(), "captures")
        + (complaints() == 0 ? "" : "; complaints: " + complaints());
  }

  private static String describe(List<Stage> stages, String name) {
    int woven = 0;
    Map<AgentReport.Weaving, List<String>> others = new TreeMap<>();
    for (Stage stage : stages) {
      if (stage.weaving() == AgentReport.Weaving.WOVEN) {
        woven++;
      } else {
        List<String> alike = others.get(stage.weaving());
        if (alike == null) {
          alike = new ArrayList<>();
          others.put(stage.weaving(), alike);
        }
        alike.add(stage.name());
      }
    }
    StringBuilder line = new StringBuilder("woven " + woven + " of " + stages.size() + " " + name);
    for (Map.Entry<AgentReport.Weaving, List<String>> other : others.entrySet()) {
      line.append("; ")
          .append(describe(other.getKey()))
          .append(": ")
          .append(String.join(", ", other.getValue()));
    }
    return line.toString();
  }

  private synchronized int complaints() {
    return complaints;
  }

  private static String describe(AgentReport.Weaving weaving) {
    switch (weaving) {
      case NOT_LOADED:
        return "not loaded yet";
      case NOT_FOUND:
        return "not in this Fedora";
      default:
        return "failed";
    }
  }

  /** Returns a line for each woven stage and capture with its places. */
  public List<String> places() {
    List<String> lines = new ArrayList<>();
    List<Stage> all = stages();
    all.addAll(captures());
    for (Stage stage : all) {
      if (stage.weaving() == AgentReport.Weaving.WOVEN) {
        lines.add("woven: " + stage.name() + " in " + stage.detail());
      }
    }
    return lines;
  }
}
