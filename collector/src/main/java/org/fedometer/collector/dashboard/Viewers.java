package org.fedometer.collector.dashboard;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Those who look on at one open run, and what they were told of it. For the dashboard's thread. */
final class Viewers {
  static final byte[] END =
      event("end", "{\"reason\":\"closed\"}".getBytes(StandardCharsets.US_ASCII));

  private static final long UPDATE_NANOS = Duration.ofSeconds(2).toNanos();

  /** Sources fall silent, too, which nobody tells. */
  private static final long STILL_THERE_NANOS = Duration.ofSeconds(10).toNanos();

  private static final long HEARTBEAT_NANOS = Duration.ofSeconds(15).toNanos();
  private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

  private final RunBoard board;

  /** All of them know the same. */
  private final List<Dashboard.Watching> viewers = new ArrayList<>();

  /** These know nothing yet. */
  private final List<Dashboard.Watching> joining = new ArrayList<>();

  private int generationTold;
  private byte[] documentTold = {};
  private long toldNanos = System.nanoTime() - STILL_THERE_NANOS;

  Viewers(RunBoard board) {
    this.board = board;
  }

  void join(Dashboard.Watching viewer) {
    joining.add(viewer);
  }

  /** Whether there is one who has been told something. */
  boolean areThere() {
    return !viewers.isEmpty();
  }

  /** To be called often. */
  void tellWhatIsDue(Supplier<BoardJson.Circumstances> circumstances) {
    viewers.removeIf(Dashboard.Watching::isGone);
    joining.removeIf(Dashboard.Watching::isGone);
    if (!joining.isEmpty() || !viewers.isEmpty() && isDue()) {
      tell(circumstances.get());
    }
    for (Dashboard.Watching viewer : viewers) {
      if (System.nanoTime() - viewer.sentNanos() >= HEARTBEAT_NANOS) {
        viewer.send(HEARTBEAT);
      }
    }
  }

  private boolean isDue() {
    return System.nanoTime() - toldNanos >= UPDATE_NANOS;
  }

  /** Brings all viewers to the same state. What they get is written once. */
  void tell(BoardJson.Circumstances circumstances) {
    byte[] all = null;
    if (viewers.isEmpty() || BoardJson.needsSnapshot(board, generationTold)) {
      all = event("snapshot", BoardJson.snapshot(board, circumstances, true));
      sendTo(viewers, all);
      toldNanos = System.nanoTime();
    } else {
      boolean documentChanged = !Arrays.equals(circumstances.document(), documentTold);
      if (documentChanged
          || BoardJson.hasChanged(board)
          || System.nanoTime() - toldNanos >= STILL_THERE_NANOS) {
        sendTo(viewers, event("update", BoardJson.update(board, circumstances, documentChanged)));
        toldNanos = System.nanoTime();
      }
    }
    generationTold = board.course.generation();
    documentTold = circumstances.document();
    if (!joining.isEmpty()) {
      if (all == null) {
        all = event("snapshot", BoardJson.snapshot(board, circumstances, false));
      }
      sendTo(joining, all);
      viewers.addAll(joining);
      joining.clear();
    }
  }

  private static void sendTo(List<Dashboard.Watching> viewers, byte[] event) {
    viewers.forEach(viewer -> viewer.send(event));
  }

  void end(Supplier<BoardJson.Circumstances> circumstances) {
    if (!viewers.isEmpty() || !joining.isEmpty()) {
      tell(circumstances.get());
      viewers.forEach(
          viewer -> {
            viewer.send(END);
            viewer.end();
          });
    }
  }

  /** As a browser's EventSource reads it. */
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
