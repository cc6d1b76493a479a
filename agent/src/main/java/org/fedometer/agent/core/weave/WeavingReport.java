package org.fedometer.agent.core.weave;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.agent.core.log.AgentLog;

/**
 * Which stages have been woven, and where; filled by threads that load classes, read by the
 * drainer. A stage without a place may come later, may not be in this version of Fedora, or may
 * belong to a part that is not in use.
 */
public final class WeavingReport {

  /**
   * Such as: Join point 'method-execution(void a.B.c(d.E))' in Type 'a.B' (B.java:12) advised by
   * ...
   */
  private static final Pattern JOIN_POINT =
      Pattern.compile("\\((?:.* )?(\\S+)\\(.*\\)\\)' in Type");

  private static final int COMPLAINT_LIMIT = 100;
  private static final String TOMCAT = "org/apache/catalina/";

  private final Map<String, String> stageByAspect;
  private final AgentLog log;
  private final Map<String, Set<String>> placesByStage = new TreeMap<>();
  private int complaints;
  private final Set<String> changedStages = new TreeSet<>();
  private long changes;
  private boolean tomcatSeen;

  WeavingReport(Map<String, String> stageByAspect, AgentLog log) {
    this.stageByAspect = stageByAspect;
    this.log = log;
    for (String stage : stageByAspect.values()) {
      placesByStage.put(stage, new TreeSet<String>());
    }
  }

  synchronized void seen(String internalName) {
    tomcatSeen |= internalName.startsWith(TOMCAT);
  }

  synchronized void woven(String aspect, String message) {
    String stage = stageByAspect.get(aspect);
    if (stage != null) {
      Matcher place = JOIN_POINT.matcher(message);
      if (placesByStage.get(stage).add(place.find() ? place.group(1) : message)) {
        changes++;
        changedStages.add(stage);
      }
    }
  }

  synchronized void complaint(String text) {
    complaints++;
    if (complaints <= COMPLAINT_LIMIT) {
      log.line("weaving: " + text);
    }
  }

  /** Grows whenever a stage is woven in another place. */
  public synchronized long changes() {
    return changes;
  }

  /** Whether Tomcat runs in this JVM. */
  public synchronized boolean tomcatSeen() {
    return tomcatSeen;
  }

  /** One line for people: how many stages are woven and which are not. */
  public synchronized String summary() {
    List<String> missing = new ArrayList<>();
    for (Map.Entry<String, Set<String>> stage : placesByStage.entrySet()) {
      if (stage.getValue().isEmpty()) {
        missing.add(stage.getKey());
      }
    }
    return "woven "
        + (placesByStage.size() - missing.size())
        + " of "
        + placesByStage.size()
        + " stages"
        + (missing.isEmpty() ? "" : "; not seen yet: " + String.join(", ", missing))
        + (complaints == 0 ? "" : "; " + complaints + " complaints of the weaver");
  }

  /**
   * A line for each stage that was woven somewhere since the last call: its name and its places.
   */
  public synchronized List<String> takeNews() {
    List<String> lines = new ArrayList<>();
    for (String stage : changedStages) {
      lines.add("woven: " + stage + " in " + String.join(", ", placesByStage.get(stage)));
    }
    changedStages.clear();
    return lines;
  }
}
