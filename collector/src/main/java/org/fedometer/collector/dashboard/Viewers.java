package org.fedometer.collector.dashboard;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Viewers of one open run, and the state sent to them. For the dashboard's thread. */
final class Viewers {
  static final byte[] END =
      event("end", "{\"reason\":\"closed\"}".getBytes(StandardCharsets.US_ASCII));

  private static final long UPDATE_NANOS = Duration.ofSeconds(2).toNanos();

  /** Refreshes even without frames, since silent sources send no event. */
  private static final long REFRESH_NANOS = Duration.ofSeconds(10).toNanos();

  private static final long HEARTBEAT_NANOS = Duration.ofSeconds(15).toNanos();
  private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

  private final RunBoard board;

  /** All with the same state. */
  private final List<Dashboard.Subscription> viewers = new ArrayList<>();

  /** Without any state yet. */
  private final List<Dashboard.Subscription> joining = new ArrayList<>();

  private int generationSent;
  private byte[] documentSent = {};
  private long updatedNanos = System.nanoTime() - REFRESH_NANOS;

  Viewers(RunBoard board) {
    this.board = board;
  }

  void join(Dashboard.Subscription viewer) {
    joining.add(viewer);
  }

  /** Returns whether a viewer has received state. */
  boolean hasViewers() {
    return !viewers.isEmpty();
  }

  /** Updates viewers if due. Call often. */
  void updateIfDue(Supplier<BoardJson.RunContext> context) {
    viewers.removeIf(Dashboard.Subscription::isGone);
    joining.removeIf(Dashboard.Subscription::isGone);
    if (!joining.isEmpty() || !viewers.isEmpty() && isDue()) {
      update(context.get());
    }
    for (Dashboard.Subscription viewer : viewers) {
      if (System.nanoTime() - viewer.sentNanos() >= HEARTBEAT_NANOS) {
        viewer.send(HEARTBEAT);
      }
    }
  }

  private boolean isDue() {
    return System.nanoTime() - updatedNanos >= UPDATE_NANOS;
  }

  /** Brings all viewers to the same state. Serializes once. */
  void update(BoardJson.RunContext context) {
    byte[] all = null;
    if (viewers.isEmpty() || BoardJson.needsSnapshot(board, generationSent)) {
      all = event("snapshot", BoardJson.snapshot(board, context, true));
      sendTo(viewers, all);
      updatedNanos = System.nanoTime();
    } else {
      boolean documentChanged = !Arrays.equals(context.document(), documentSent);
      if (documentChanged
          || BoardJson.hasChanged(board)
          || System.nanoTime() - updatedNanos >= REFRESH_NANOS) {
        sendTo(viewers, event("update", BoardJson.update(board, context, documentChanged)));
        updatedNanos = System.nanoTime();
      }
    }
    generationSent = board.timeline.generation();
    documentSent = context.document();
    if (!joining.isEmpty()) {
      if (all == null) {
        all = event("snapshot", BoardJson.snapshot(board, context, false));
      }
      sendTo(joining, all);
      viewers.addAll(joining);
      joining.clear();
    }
  }

  private static void sendTo(List<Dashboard.Subscription> viewers, byte[] event) {
    viewers.forEach(viewer -> viewer.send(event));
  }

  void end(Supplier<BoardJson.RunContext> context) {
    if (!viewers.isEmpty() || !joining.isEmpty()) {
      update(context.get());
      viewers.forEach(
          viewer -> {
            viewer.send(END);
            viewer.end();
          });
    }
  }

  /** Formats an event for a browser's EventSource. */
  static byte[] event(String name, byte[] json) {
    byte[] head = ("event: " + name + "\ndata: ").getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream event = new ByteArrayOutputStream(head.length + json.length + 2);
    event.writeBytes(head);
    event.writeBytes(json);
    event.write('\n');
    event.write('\n');
    return event.toByteArray();
  }
}
