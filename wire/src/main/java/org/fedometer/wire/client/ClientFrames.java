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
 * A client's frames in memory, and how far each of them has come. Guarded by the client's lock, see
 * {@link ClientState}: call everything here with that lock held, but for what only looks at limits.
 *
 * <p>A frame is in {@code queued}, and after it was sent in {@code unacknowledged}. With a spool it
 * is in these, or on disk, or in {@code overflow}, in that order of sequences; what lies on disk
 * stays there until it is acknowledged, even when it has been read back.
 */
final class ClientFrames {
  private static final int FRAME_MEMORY_OVERHEAD_BYTES = 64;

  /** Of the longest frame. */
  private static final long MAX_FRAME_MEMORY =
      Frame.MAX_PAYLOAD_BYTES + FRAME_MEMORY_OVERHEAD_BYTES;

  private static final int MAX_DICTIONARY_BYTES = 1024 * 1024;

  /** Besides a client's own memory, while what another process left is sent on. */
  private static final long FORWARDING_MEMORY_BYTES = 2 * MAX_FRAME_MEMORY;

  /** Of frames queued and unacknowledged. */
  private final long queueLimitBytes;

  /** Of frames that wait to be written to the spool; 0 where none do. */
  private final long overflowLimitBytes;

  /** Of the client's lock: told when frames are queued. */
  private final Condition senderWork;

  // Linked, not in arrays: an ArrayDeque that finds no memory to grow in is empty afterwards.
  private final LinkedList<Frame> queued = new LinkedList<>();
  private final LinkedList<Frame> unacknowledged = new LinkedList<>();
  private final LinkedList<Frame> dictionaries = new LinkedList<>();
  private long dictionaryBytes;
  private long queuedBytes;

  /** Newer than what is queued, and than what is on disk; empty without a spool. */
  private final LinkedList<Frame> overflow = new LinkedList<>();

  private long overflowBytes;

  /** The newest frame that was ever queued, or is lost, or was acknowledged unread. */
  private long queuedSequence;

  /** The newest frame that was ever written to the spool. */
  private long spooledSequence;

  private long nextSequence = 1;
  private long acknowledgedSequence;
  private long lossCountedUpToSequence;
  private long framesDropped;
  private long framesLost;

  /** For what callers offer to a client of these options. */
  ClientFrames(ClientOptions options, Condition senderWork) {
    this.senderWork = senderWork;
    if (options.spoolFolderOrNull() == null) {
      this.queueLimitBytes = options.maxQueuedBytes();
      this.overflowLimitBytes = 0;
    } else {
      // Half of the least memory that there may be holds the longest frame, but for its overhead.
      this.queueLimitBytes = options.maxQueuedBytes() / 2 + FRAME_MEMORY_OVERHEAD_BYTES;
      this.overflowLimitBytes = queueLimitBytes;
    }
  }

  /** For what another process left, which is read back from its spool. */
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

  /** Whether there is room for such a frame when nothing else is queued; any thread. */
  boolean canHold(byte[] payload) {
    return memoryOf(payload) <= queueLimitBytes;
  }

  /** Of frames queued and unacknowledged; any thread. */
  long limitBytes() {
    return queueLimitBytes;
  }

  private static long memoryOf(byte[] payload) {
    return payload.length + FRAME_MEMORY_OVERHEAD_BYTES;
  }

  // ---- frames come ----

  /** What the payload is as the next frame, which is not taken with that. */
  Frame next(FrameType type, byte[] payload) {
    return new Frame(type.code(), nextSequence, payload);
  }

  /** Takes the next frame if it can be sent as soon as those before it. */
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
      // The first of all signals may need memory. The frame is taken by now, and may not be offered
      // again.
    }
    return true;
  }

  /** Takes the next frame if there is room for it to wait for its way to the disk. */
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
   * Queues what waits in memory, once nothing on disk comes before it. Whoever calls this is to
   * signal the sender.
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

  // ---- frames are sent ----

  /** Usually the one after the last acknowledged; frames that were lost on disk lie between. */
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

  /** The process that left these frames may have sent more than it had on disk. */
  void skipTo(long durable) {
    nextSequence = Math.max(nextSequence, durable + 1);
  }

  /**
   * All that was sent and not acknowledged is to be sent again, to a collector that has everything
   * up to the sequence; {@link #acknowledge} is to follow.
   */
  void resendAfter(long durable) {
    while (!unacknowledged.isEmpty()) {
      queued.addFirst(unacknowledged.getLast());
      unacknowledged.removeLast();
    }
    // Dictionaries on their second way, if the connection broke meanwhile.
    release(queued, acknowledgedSequence);
    if (durable < acknowledgedSequence) {
      resendDictionariesAfter(durable);
    }
  }

  /**
   * Puts the kept dictionaries, with the sequences that they had, before all other frames. They lie
   * below what HELLO declared as available, where the collector expects gaps.
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
   * Whether there is a frame to send. Behind frames that were lost on disk that is so only when all
   * before them is acknowledged, and after a HELLO that says so.
   *
   * @param firstAvailable what the HELLO of the present connection said
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
          "frames " + (before + 1) + " to " + (next.sequence() - 1) + " are lost; connecting anew");
    }
    return false;
  }

  /** The oldest one that is queued; from now on it waits for its acknowledgement. */
  Frame pollToSend() {
    Frame next = queued.peek();
    unacknowledged.add(next);
    queued.remove();
    return next;
  }

  boolean awaitsAcknowledgement() {
    return !unacknowledged.isEmpty();
  }

  // ---- frames arrive ----

  /** Lets go of every frame up to the sequence, wherever it waits. */
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

  // ---- to the disk and back ----

  /**
   * Whether frames are to be written. The overflow is allowed half of its room, so that writing it
   * has the other half's time.
   *
   * @param spaceNeeded a frame found the overflow too full for it
   */
  boolean shouldSpoolOverflow(boolean spaceNeeded) {
    long limitBytes = spaceNeeded ? 0 : overflowLimitBytes / 2;
    return overflowBytes > limitBytes;
  }

  boolean isOverflowEmpty() {
    return overflow.isEmpty();
  }

  /**
   * All that is only in memory, and not only the overflow: what is queued is older, and a process
   * that is killed shall not leave frames on disk without those before them.
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

  /** The frame is on disk, and all before it. */
  void written(Frame frame) {
    spooledSequence = frame.sequence();
    while (!overflow.isEmpty() && overflow.peek().sequence() <= spooledSequence) {
      overflowBytes -= memoryOf(overflow.poll().payload());
    }
  }

  /** Whether frames that were never queued are on disk. */
  boolean hasFramesOnDiskOnly() {
    return spooledSequence > queuedSequence;
  }

  /** Whether a frame may be read back: any frame, since how long the next one is stands on disk. */
  boolean mayReadBack() {
    return hasFramesOnDiskOnly() && queuedBytes + MAX_FRAME_MEMORY <= queueLimitBytes;
  }

  /**
   * Queues what was read from the disk.
   *
   * @param next null if it is lost
   * @param lostUpTo what lies between the last one queued and this is lost
   */
  void readBack(Frame next, long lostUpTo) {
    if (lostUpTo > queuedSequence) {
      framesLost += lostUpTo - queuedSequence;
      queuedSequence = lostUpTo;
    }
    // Else the collector had more than it had said.
    if (next != null && next.sequence() > queuedSequence) {
      enqueue(next);
    }
    drainOverflow();
    senderWork.signal();
  }

  /** Of another client, whose frames are this one's to tell of. */
  void countLost(long frames) {
    framesLost += frames;
  }

  // ---- how far it has come ----

  /** Whether every frame that was taken has been queued, and none of them is there any more. */
  boolean isAllForwarded() {
    return queued.isEmpty() && unacknowledged.isEmpty() && queuedSequence == nextSequence - 1;
  }

  /** Of the newest frame that was taken; 0 before the first one. */
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

  /** Frames that are neither at the collector nor on disk. */
  long framesUnsaved() {
    return nextSequence - 1 - Math.max(acknowledgedSequence, spooledSequence);
  }

  /** Memory of all frames but the kept dictionaries. */
  long bytes() {
    return queuedBytes + overflowBytes;
  }

  long framesDropped() {
    return framesDropped;
  }

  long framesLost() {
    return framesLost;
  }

  /** A copy: the acknowledged dictionaries that are kept, the oldest first. */
  List<Frame> dictionaries() {
    return new ArrayList<>(dictionaries);
  }

  /** On the wire. */
  long dictionaryBytes() {
    return dictionaryBytes;
  }
}
