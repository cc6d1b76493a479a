package org.fedometer.experiments.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.driver.IngestProgress;
import org.fedometer.driver.request.Latency;
import org.fedometer.experiments.host.DiskMonitor;
import org.fedometer.experiments.job.DurationFormat;
import org.fedometer.wire.Counted;

/** Formats a load's progress: a line for logs, a panel for a terminal. Stateless. */
public final class ProgressPanel {
  private static final long FAR_SECONDS = 366L * 86_400;

  private ProgressPanel() {}

  /** Returns the fraction done, 0 to 1, or {@link Double#NaN} if unknown. */
  public static double fraction(IngestProgress now) {
    if (now.etaSeconds() >= 0 && now.elapsedNanos() > 0) {
      double elapsed = now.elapsedNanos() / 1e9;
      double byTime = elapsed / (elapsed + now.etaSeconds());
      return now.objects().endLoad() ? Math.max(byTime, ofObjects(now)) : byTime;
    }
    return now.objects().endLoad() ? ofObjects(now) : Double.NaN;
  }

  private static double ofObjects(IngestProgress now) {
    return now.objects().total() == 0 ? 1 : (double) now.objects().done() / now.objects().total();
  }

  /** Returns the essentials in one line; the disk is null if unknown. */
  public static String line(IngestProgress now, DiskMonitor.Forecast disk) {
    return (now.load().paused() ? "paused, " : now.load().stopping() ? "ending, " : "")
        + status(now, disk);
  }

  /** Returns the same without the pause state. */
  public static String status(IngestProgress now, DiskMonitor.Forecast disk) {
    StringBuilder line = new StringBuilder(objects(now));
    line.append(
        format(
            ", %s/s, p50 %.0f ms, p99 %.0f ms, %s, %s",
            rate(now.rates().recentObjectsPerSecond()),
            now.latency().p50Millis(),
            now.latency().p99Millis(),
            Counted.of(now.failedRequests(), "error"),
            now.etaSeconds() < 0 ? "end unknown" : eta(now) + " left"));
    String slower = trend(now.rates().trend());
    if (!slower.isEmpty()) {
      line.append(", ").append(slower);
    }
    if (now.load().behindSchedule() > 0) {
      line.append(format(", %,d behind schedule", now.load().behindSchedule()));
    }
    if (disk != null && disk.fullInSeconds() >= 0 && isSoon(disk, now)) {
      line.append(", the disk is full in about ")
          .append(DurationFormat.format(disk.fullInSeconds()));
    }
    if (now.outage() != null) {
      line.append(", waiting for Fedora: ").append(now.outage());
    }
    return line.toString();
  }

  /** Returns whether the disk fills up before the end of the load. */
  private static boolean isSoon(DiskMonitor.Forecast disk, IngestProgress now) {
    return disk.fullInSeconds() < FAR_SECONDS
        && (now.etaSeconds() < 0 || disk.fullInSeconds() < now.etaSeconds());
  }

  /** Returns the lines of a panel, the first to follow a bar; the disk is null if unknown. */
  public static List<String> lines(IngestProgress now, DiskMonitor.Forecast disk) {
    List<String> lines = new ArrayList<>();
    lines.add(
        objects(now)
            + (now.objects().failed() > 0 ? format(", %,d failed", now.objects().failed()) : "")
            + (now.load().paused() ? "   PAUSED" : now.load().stopping() ? "   ending" : ""));
    lines.add(
        "objects/s  now "
            + rate(now.rates().recentObjectsPerSecond())
            + hours(now.rates().trend()));
    lines.add(
        "times      "
            + (now.recentLatency() == null
                ? ""
                : "last minute " + times(now.recentLatency()) + "; ")
            + "in all "
            + times(now.latency()));
    lines.add(
        format("errors     %,d", now.failedRequests())
            + format(", outages %,d", now.outages())
            + (now.outage() == null ? "" : ", waiting for Fedora: " + now.outage()));
    lines.add(
        "load       "
            + Counted.of(now.load().workers(), "worker")
            + (now.load().ratePerSecond() == null
                ? ", closed model"
                : ", " + rate(now.load().ratePerSecond()) + " objects/s due")
            + (now.load().behindSchedule() > 0
                ? format(", %,d behind schedule", now.load().behindSchedule())
                : ""));
    lines.add("left       " + eta(now) + trendOfEta(now) + disk(disk));
    return lines;
  }

  private static String objects(IngestProgress now) {
    return now.objects().endLoad()
        ? format("%,d/", now.objects().done())
            + Counted.of(now.objects().total(), now.objects().thing())
        : Counted.of(now.objects().done(), now.objects().thing());
  }

  private static String hours(IngestProgress.Trend trend) {
    if (trend.seconds() < 60) {
      return "";
    }
    String last = DurationFormat.approximate((long) trend.seconds());
    return format(", last %s %s", last, rate(trend.objectsPerSecond()))
        + (trend.before() == null
            ? ""
            : format(", the %s before %s", last, rate(trend.before()))
                + (trend(trend).isEmpty() ? "" : ": " + trend(trend)));
  }

  /** Returns empty without a notable trend. */
  private static String trend(IngestProgress.Trend trend) {
    if (trend.before() == null || trend.before() <= 0) {
      return "";
    }
    long percent = Math.round(100 * (trend.objectsPerSecond() / trend.before() - 1));
    return percent <= -1 ? -percent + " % slower" : percent >= 1 ? percent + " % faster" : "";
  }

  private static String trendOfEta(IngestProgress now) {
    return now.objects().endLoad()
            && now.rates().trend().growthSeconds() > 0
            && now.etaSeconds() > 0
        ? " if it keeps slowing down"
        : "";
  }

  private static String disk(DiskMonitor.Forecast disk) {
    if (disk == null) {
      return "";
    }
    return "; disk "
        + NumberFormats.bytes(disk.availableBytes())
        + (disk.fullInSeconds() < 0 || disk.fullInSeconds() > FAR_SECONDS
            ? ""
            : ", full in about " + DurationFormat.format(disk.fullInSeconds()));
  }

  private static String eta(IngestProgress now) {
    return now.etaSeconds() < 0 ? "unknown" : DurationFormat.format(now.etaSeconds());
  }

  private static String times(Latency times) {
    return format("p50 %.0f ms, p99 %.0f ms", times.p50Millis(), times.p99Millis());
  }

  private static String rate(double perSecond) {
    return format(perSecond < 10 ? "%.2f" : perSecond < 100 ? "%.1f" : "%,.0f", perSecond);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
