package org.fedometer.analysis.html;

import static org.fedometer.analysis.NumberFormats.duration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.timeline.RunTimeline.Part;

/**
 * A stage as a box below its parent, as wide as its share of the parent's time.
 *
 * @param widthPercent of the box above
 */
public record IcicleView(
    String widthPercent, String label, String tooltip, List<IcicleView> children) {

  /** Share of the whole below which a box is invisible and omitted. */
  private static final double MIN_SHARE = 0.001;

  static IcicleView of(Part root) {
    return of(root, 100, Math.max(root.millis(), Double.MIN_NORMAL));
  }

  private static IcicleView of(Part part, double widthPercent, double wholeMillis) {
    List<IcicleView> children = new ArrayList<>();
    double inside = part.children().stream().mapToDouble(Part::millis).sum();
    // Means of traces with dropped samples may sum up to more than the stage itself.
    double width = Math.max(part.millis(), inside);
    for (Part child : part.children()) {
      if (child.millis() >= MIN_SHARE * wholeMillis) {
        children.add(of(child, 100 * child.millis() / width, wholeMillis));
      }
    }
    String share = NumberFormats.share(part.millis() / wholeMillis);
    return new IcicleView(
        String.format(Locale.ROOT, "%.3f", widthPercent),
        part.name() + " " + duration(part.millis() * 1e6),
        "%s: %s on average in an ingest (%s), %s self time, called %s times"
            .formatted(
                part.name(),
                duration(part.millis() * 1e6),
                share,
                duration(part.self() * 1e6),
                NumberFormats.rate(part.calls())),
        children);
  }
}
