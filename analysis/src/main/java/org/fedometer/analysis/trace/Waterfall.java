package org.fedometer.analysis.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.analysis.trace.ObjectTrace.Span;

/**
 * Builds trees of samples: a stage is nested in another if its time is, on the same thread. Pure.
 */
public final class Waterfall {

  /** Siblings of one name above this number are combined into one line. */
  static final int MAX_SIBLINGS = 20;

  private Waterfall() {}

  /**
   * A stored sample.
   *
   * @param startNanos by the agent's clock, or since an attempt's start
   * @param selfNanos without nested stages
   * @param failed whether it ended by an exception
   */
  public record Sample(
      String stage,
      String thread,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed) {
    public long endNanos() {
      return startNanos + durationNanos;
    }
  }

  /**
   * Returns the samples of one thread as trees, in order of start. Of two with identical times, the
   * one with less self time is the outer one.
   */
  public static List<Span> trees(List<Sample> samplesOfOneThread) {
    List<Sample> sorted = new ArrayList<>(samplesOfOneThread);
    sorted.sort(
        Comparator.comparingLong(Sample::startNanos)
            .thenComparing(Comparator.comparingLong(Sample::durationNanos).reversed())
            .thenComparingLong(Sample::selfNanos)
            .thenComparing(Sample::stage));
    List<Node> roots = new ArrayList<>();
    Deque<Node> open = new ArrayDeque<>();
    for (Sample sample : sorted) {
      while (!open.isEmpty() && open.peek().sample.endNanos() < sample.endNanos()) {
        open.pop();
      }
      Node node = new Node(sample, new ArrayList<>());
      (open.isEmpty() ? roots : open.peek().children).add(node);
      open.push(node);
    }
    return folded(roots);
  }

  /**
   * As {@link #trees(List)}, for samples by the agent's clock, which was {@code zeroNanos} at the
   * start.
   */
  static List<Span> trees(List<Sample> samplesOfOneThread, long zeroNanos) {
    return trees(
        samplesOfOneThread.stream()
            .map(
                sample ->
                    new Sample(
                        sample.stage(),
                        sample.thread(),
                        sample.startNanos() - zeroNanos,
                        sample.durationNanos(),
                        sample.selfNanos(),
                        sample.failed()))
            .toList());
  }

  private record Node(Sample sample, List<Node> children) {}

  private static List<Span> folded(List<Node> siblings) {
    Map<String, List<Node>> byStage = new LinkedHashMap<>();
    for (Node node : siblings) {
      byStage.computeIfAbsent(node.sample.stage(), stage -> new ArrayList<>()).add(node);
    }
    List<Span> spans = new ArrayList<>();
    for (List<Node> same : byStage.values()) {
      if (same.size() > MAX_SIBLINGS) {
        spans.add(span(same));
      } else {
        same.forEach(node -> spans.add(span(List.of(node))));
      }
    }
    spans.sort(Comparator.comparingLong(Span::startNanos));
    return spans;
  }

  private static Span span(List<Node> same) {
    Sample first = same.get(0).sample;
    long end = first.endNanos();
    long durationNanos = 0;
    long selfNanos = 0;
    long failed = 0;
    List<Node> children = new ArrayList<>();
    for (Node node : same) {
      end = Math.max(end, node.sample.endNanos());
      durationNanos += node.sample.durationNanos();
      selfNanos += node.sample.selfNanos();
      failed += node.sample.failed() ? 1 : 0;
      children.addAll(node.children);
    }
    return new Span(
        first.stage(),
        first.thread(),
        same.size(),
        first.startNanos(),
        end,
        durationNanos,
        selfNanos,
        failed,
        folded(children));
  }
}
