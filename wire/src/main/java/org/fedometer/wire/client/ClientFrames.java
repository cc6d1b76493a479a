package org.fedometer.wire.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.spool.FrameSpool;

/**
 * A client's frames in memory and the state of each. Guarded by the client's lock, see {@link
 * ClientState}: hold it for every call that does not only read limits.
 *
 * <p>A frame is in {@code queued}, and after sending in {@code unacknowledged}. With a spool it is
 * in these, on disk, or in {@code overflow}, in that order of sequences. A frame on disk stays
 * there until it is acknowledged, even after it was read back.
 */
final class ClientFrames {
  private static final int FRAME_MEMORY_OVERHEAD_BYTES = 64;

  private static final long MAX_FRAME_MEMORY =
      Frame.MAX_PAYLOAD_BYTES + FRAME_MEMORY_OVERHEAD_BYTES;

  private static final int MAX_DICTIONARY_BYTES = 1024 * 1024;

  /** In addition to a client's own memory, while it forwards frames of another process. */
  private static final long FORWARDING_MEMORY_BYTES = 2 * MAX_FRAME_MEMORY;

  /** Limit of frames queued and unacknowledged. */
  private final long queueLimitBytes;

  /** Limit of frames waiting to be written to the spool; 0 without a spool. */
  private final long overflowLimitBytes;

  /** Condition of the client's lock; signalled when frames are queued. */
  private final Condition senderWork;

  // Linked lists: an ArrayDeque that fails to grow for lack of memory is empty afterwards.
  private final LinkedList<Frame> queued = new LinkedList<>();
  private final LinkedList<Frame> unacknowledged = new LinkedList<>();
  private final LinkedList<Frame> dictionaries = new LinkedList<>();
  private long dictionaryBytes;
  private long queuedBytes;

  /** Newer than the queued frames and those on disk; empty without a spool. */
  private final LinkedList<Frame> overflow = new LinkedList<>();

  private long overflowBytes;

  /** The newest frame ever queued, lost, or acknowledged unread. */
  private long queuedSequence;

  /** The newest frame ever written to the spool. */
  private long spooledSequence;

  private long nextSequence = 1;
  private long acknowledgedSequence;
  private long lossCountedUpToSequence;
  private long framesDropped;
  private long framesLost;

  /** Creates the frames of a client whose callers offer them. */
  ClientFrames(ClientOptions options, Condition senderWork) {
    this.senderWork = senderWork;
    if (options.spoolFolderOrNull() == null) {
      this.queueLimitBytes = options.maxQueuedBytes();
      this.overflowLimitBytes = 0;
    } else {
      // Half of the minimum memory holds the longest frame without its overhead.
      this.queueLimitBytes = options.maxQueuedBytes() / 2 + FRAME_MEMORY_OVERHEAD_BYTES;
      this.overflowLimitBytes = queueLimitBytes;
    }
  }

  /** Creates the frames of a client that forwards another process's spool. */
  ClientFrames(FrameSpool inheritance, Condition senderWork) {
    this.senderWork = senderWork;
    this.queueLimitBytes = FORWARDING_MEMORY_BYTES;
    this.overflowLimitBytes = 0;
    this.acknowledgedSequence = inheritance.firstSequence() - 1;
    this.lossCountedUpToSequence = acknowledgedSequence;
    this.queuedSequence = acknowledgedSequence;
    this.spooledSequence = inheritance.lastSequence();
    this.nextSequence = spooledSequence + 1;
    for (Frame names : inheritance.names()) {
      dictionaries.add(names);
      dictionaryBytes += names.sizeBytes();
    }
  }

  /** Returns whether an otherwise empty queue can hold such a frame; any thread. */
  boolean canHold(byte[] payload) {
    return memoryOf(payload) <= queueLimitBytes;
  }

  /** Returns the limit of frames queued and unacknowledged; any thread. */
  long limitBytes() {
    return queueLimitBytes;
  }

  private static long memoryOf(byte[] payload) {
    return payload.length + FRAME_MEMORY_OVERHEAD_BYTES;
  }

  // ---- adding frames ----

  /** Returns the payload as the next frame without adding it. */
  Frame next(FrameType type, byte[] payload) {
    return new Frame(type.code(), nextSequence, payload);
  }

  /** Adds the next frame if it can be sent right after those before it. */
  boolean tryQueue(Frame next) {
    if (queuedSequence != nextSequence - 1
        || queuedBytes + memoryOf(next.payload()) > queueLimitBytes) {
      return false;
    }
    enqueue(next);
    nextSequence++;
    try {
      senderWork.signal();
    } catch (OutOfMemoryError full) {
      // The first signal may need memory. The frame is already accepted and must not be offered
      // again.
    }
    return true;
  }

  boolean tryOverflow(Frame next) {
    long memory = memoryOf(next.payload());
    if (overflowBytes + memory > overflowLimitBytes) {
      return false;
    }
    overflow.add(next);
    overflowBytes += memory;
    nextSequence++;
    return true;
  }

  void countDropped() {
    framesDropped++;
  }

  private void enqueue(Frame frame) {
    queued.add(frame);
    queuedBytes += memoryOf(frame.payload());
    queuedSequence = frame.sequence();
  }

  /**
   * Queues frames from memory once no frame on disk precedes them. The caller must signal the
   * sender.
   */
  void drainOverflow() {
    while (!overflow.isEmpty()
        && spooledSequence <= queuedSequence
        && queuedBytes + memoryOf(overflow.peek().payload()) <= queueLimitBytes) {
      Frame next = overflow.peek();
      enqueue(next);
      overflow.remove();
      overflowBytes -= memoryOf(next.payload());
    }
  }

  // ---- sending frames ----

  /**
   * Usually returns the sequence after the last acknowledged one; frames lost on disk may lie
   * between.
   */
  long firstAvailableSequence() {
    for (LinkedList<Frame> frames : Arrays.asList(unacknowledged, queued)) {
      for (Frame frame : frames) {
        if (frame.sequence() > acknowledgedSequence) {
          return frame.sequence();
        }
      }
    }
    return Math.max(acknowledgedSequence, queuedSequence) + 1;
  }

  /** Skips sequences that the original process sent but did not have on disk. */
  void skipTo(long durable) {
    nextSequence = Math.max(nextSequence, durable + 1);
  }

  /**
   * Queues all unacknowledged frames again, for a collector that has everything up to the sequence.
   * Call {@link #acknowledge} next.
   */
  void resendAfter(long durable) {
    while (!unacknowledged.isEmpty()) {
      queued.addFirst(unacknowledged.getLast());
      unacknowledged.removeLast();
    }
    // Dictionaries being resent, if the connection broke meanwhile.
    release(queued, acknowledgedSequence);
    if (durable < acknowledgedSequence) {
      resendDictionariesAfter(durable);
    }
  }

  /**
   * Queues the kept dictionaries with their original sequences before all other frames. They lie
   * below the first available sequence of HELLO, where the collector expects gaps.
   */
  private void resendDictionariesAfter(long durable) {
    List<Frame> again = new ArrayList<>();
    for (Frame dictionary : dictionaries) {
      if (dictionary.sequence() > durable) {
        again.add(dictionary);
      }
    }
    if (acknowledgedSequence > lossCountedUpToSequence) {
      framesLost +=
          acknowledgedSequence - Math.max(durable, lossCountedUpToSequence) - again.size();
      lossCountedUpToSequence = acknowledgedSequence;
    }
    for (int i = again.size() - 1; i >= 0; i--) {
      queued.addFirst(again.get(i));
      queuedBytes += memoryOf(again.get(i).payload());
    }
  }

  /**
   * Returns whether a frame can be sent. Behind frames lost on disk, all earlier ones must be
   * acknowledged and a new HELLO must declare the gap.
   *
   * @param firstAvailable first available sequence in the current connection's HELLO
   * @throws IOException if a new connection is needed to declare lost frames
   */
  boolean maySend(long firstAvailable) throws IOException {
    Frame next = queued.peek();
    if (next == null) {
      return false;
    }
    long before = Math.max(acknowledgedSequence, firstAvailable - 1);
    if (!unacknowledged.isEmpty()) {
      before = Math.max(before, unacknowledged.peekLast().sequence());
    }
    if (next.sequence() <= before + 1) {
      return true;
    }
    if (unacknowledged.isEmpty()) {
      throw new IOException(
          "frames " + (before + 1) + " to " + (next.sequence() - 1) + " are lost; reconnecting");
    }
    return false;
  }

  /** Removes the oldest queued frame, which now awaits its acknowledgement. */
  Frame pollToSend() {
    Frame next = queued.peek();
    unacknowledged.add(next);
    queued.remove();
    return next;
  }

  boolean awaitsAcknowledgement() {
    return !unacknowledged.isEmpty();
  }

  // ---- acknowledging frames ----

  /** Releases every frame up to the sequence, wherever it waits. */
  void acknowledge(long durable) {
    release(unacknowledged, durable);
    release(queued, durable);
    acknowledgedSequence = Math.max(acknowledgedSequence, durable);
    queuedSequence = Math.max(queuedSequence, acknowledgedSequence);
  }

  private void release(LinkedList<Frame> frames, long durable) {
    while (!frames.isEmpty() && frames.peek().sequence() <= durable) {
      Frame frame = frames.peek();
      if (frame.sequence() > acknowledgedSequence) {
        retainIfDictionary(frame);
      }
      frames.remove();
      queuedBytes -= memoryOf(frame.payload());
    }
  }

  private void retainIfDictionary(Frame frame) {
    FrameType type = frame.type();
    if (type != FrameType.STAGES && type != FrameType.THREADS && type != FrameType.METRICS) {
      return;
    }
    dictionaries.add(frame);
    dictionaryBytes += frame.sizeBytes();
    Iterator<Frame> oldest = dictionaries.iterator();
    while (dictionaryBytes > MAX_DICTIONARY_BYTES) {
      dictionaryBytes -= oldest.next().sizeBytes();
      oldest.remove();
    }
  }

  // ---- spooling and reading back ----

  /**
   * Returns whether to write frames. Writing starts at half of the overflow's capacity, so that the
   * other half buffers frames meanwhile.
   *
   * @param spaceNeeded true if a frame did not fit the overflow
   */
  boolean shouldSpoolOverflow(boolean spaceNeeded) {
    long limitBytes = spaceNeeded ? 0 : overflowLimitBytes / 2;
    return overflowBytes > limitBytes;
  }

  boolean isOverflowEmpty() {
    return overflow.isEmpty();
  }

  /**
   * Returns all frames that are only in memory, not the overflow alone. Queued frames are older,
   * and a killed process must not leave frames on disk without their predecessors.
   */
  List<Frame> unwritten() {
    List<Frame> frames = new ArrayList<>();
    for (LinkedList<Frame> part : Arrays.asList(unacknowledged, queued, overflow)) {
      for (Frame frame : part) {
        if (frame.sequence() > spooledSequence && frame.sequence() > acknowledgedSequence) {
          frames.add(frame);
        }
      }
    }
    return frames;
  }

  /** Records that the frame and all before it are on disk. */
  void written(Frame frame) {
    spooledSequence = frame.sequence();
    while (!overflow.isEmpty() && overflow.peek().sequence() <= spooledSequence) {
      overflowBytes -= memoryOf(overflow.poll().payload());
    }
  }

  /** Returns whether the disk has frames that were never queued. */
  boolean hasFramesOnDiskOnly() {
    return spooledSequence > queuedSequence;
  }

  /**
   * Returns whether a frame of any size can be read back: the next one's size is known only on
   * disk.
   */
  boolean mayReadBack() {
    return hasFramesOnDiskOnly() && queuedBytes + MAX_FRAME_MEMORY <= queueLimitBytes;
  }

  /**
   * Queues a frame read from disk.
   *
   * @param next null if it is lost
   * @param lostUpTo sequence up to which all frames after the last queued one are lost
   */
  void readBack(Frame next, long lostUpTo) {
    if (lostUpTo > queuedSequence) {
      framesLost += lostUpTo - queuedSequence;
      queuedSequence = lostUpTo;
    }
    // Otherwise the collector had more than it had reported.
    if (next != null && next.sequence() > queuedSequence) {
      enqueue(next);
    }
    drainOverflow();
    senderWork.signal();
  }

  /** Counts losses of a forwarder, which this client reports. */
  void countLost(long frames) {
    framesLost += frames;
  }

  // ---- state ----

  /** Returns whether every accepted frame has been queued and none is left. */
  boolean isAllForwarded() {
    return queued.isEmpty() && unacknowledged.isEmpty() && queuedSequence == nextSequence - 1;
  }

  /** Returns the sequence of the newest accepted frame; 0 before the first one. */
  long newestSequence() {
    return nextSequence - 1;
  }

  long queuedSequence() {
    return queuedSequence;
  }

  long acknowledgedSequence() {
    return acknowledgedSequence;
  }

  boolean isAcknowledged(Frame frame) {
    return frame.sequence() <= acknowledgedSequence;
  }

  /** Returns the number of frames that are neither at the collector nor on disk. */
  long framesUnsaved() {
    return nextSequence - 1 - Math.max(acknowledgedSequence, spooledSequence);
  }

  /** Returns the memory of all frames except the kept dictionaries. */
  long bytes() {
    return queuedBytes + overflowBytes;
  }

  long framesDropped() {
    return framesDropped;
  }

  long framesLost() {
    return framesLost;
  }

  /** Returns a copy of the kept acknowledged dictionaries, oldest first. */
  List<Frame> dictionaries() {
    return new ArrayList<>(dictionaries);
  }

  /** Returns their size on the wire. */
  long dictionaryBytes() {
    return dictionaryBytes;
  }
}
