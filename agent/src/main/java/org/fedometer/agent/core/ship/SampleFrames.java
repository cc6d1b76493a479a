package org.fedometer.agent.core.ship;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.fedometer.aspects.recorder.Recording;
import org.fedometer.aspects.recorder.SampleSink;
import org.fedometer.aspects.recorder.Stages;
import org.fedometer.aspects.recorder.ThreadRecorder;
import org.fedometer.aspects.recorder.TraceSink;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TraceEncoder;
import org.fedometer.wire.session.Dictionary;

/**
 * Packs samples and traces into frames; sends the name of each stage and thread before its number.
 * Drops and counts data that the client has no space for. Drainer's thread only, unless noted.
 */
final class SampleFrames implements SampleSink, TraceSink {

  /** Large enough to make the frame's overhead negligible, small enough to be sent soon. */
  private static final int FRAME_BYTES = 256 * 1024;

  private final Recording recording;
  private final CollectorClient client;
  private final BitSet namedThreads = new BitSet();

  /** Both null after {@link #abandon} until the next round. */
  private SampleEncoder samples;

  private TraceEncoder traces;
  private int namedStages;

  /** True if the client had no space for a name: no retry until the next flush. */
  private boolean namesRejected;

  /** Written by the drainer's thread, read by any. */
  private volatile long samplesDropped;

  private volatile long tracesDropped;

  /** Guards itself and {@link #newListeners}. */
  private final List<FrameListener> listeners = new ArrayList<>();

  private final ArrayDeque<FrameListener> newListeners = new ArrayDeque<>();

  SampleFrames(Recording recording, CollectorClient client) {
    this.recording = recording;
    this.client = client;
  }

  @Override
  public void sample(
      int stage,
      int threadId,
      long traceId,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed) {
    boolean packed = false;
    try {
      if (isNamed(stage) && isNamedThread(threadId)) {
        samples.add(stage, threadId, traceId, startNanos, durationNanos, selfNanos, failed);
        packed = true;
      }
    } finally {
      if (!packed) {
        samplesDropped++;
      }
    }
    if (packed && samples.sizeBytes() >= FRAME_BYTES) {
      flushSamples();
    }
  }

  @Override
  public void trace(
      long traceId,
      int rootStage,
      String pid,
      String traceparent,
      String operation,
      boolean failed) {
    boolean packed = false;
    try {
      if (isNamed(rootStage)) {
        traces.add(
            traceId,
            rootStage,
            pid == null ? "" : pid,
            traceparent == null ? "" : traceparent,
            operation == null ? "" : operation,
            failed);
        packed = true;
      }
    } finally {
      if (!packed) {
        tracesDropped++;
      }
    }
    if (packed && traces.sizeBytes() >= FRAME_BYTES) {
      flushTraces();
    }
  }

  /** Call before the first sample of a round. */
  void begin() {
    if (samples == null || traces == null) {
      samples = new SampleEncoder();
      traces = new TraceEncoder();
    }
  }

  void flush() {
    flushSamples();
    flushTraces();
    namesRejected = false;
  }

  /** Discards data that an error may have left half written; needs no memory. */
  void abandon() {
    samplesDropped += samples == null ? 0 : samples.count();
    tracesDropped += traces == null ? 0 : traces.count();
    samples = null;
    traces = null;
  }

  long samplesDropped() {
    return samplesDropped;
  }

  long tracesDropped() {
    return tracesDropped;
  }

  void addListener(FrameListener listener) {
    synchronized (listeners) {
      newListeners.add(listener);
    }
  }

  void removeListener(FrameListener listener) {
    synchronized (listeners) {
      newListeners.remove(listener);
      listeners.remove(listener);
    }
  }

  /** Sends new listeners the names that the collector already has. */
  void sendNamesToNewListeners() {
    synchronized (listeners) {
      for (FrameListener listener = newListeners.peek();
          listener != null;
          listener = newListeners.peek()) {
        listener.onFrame(FrameType.STAGES, stageNames(Stages.names(), 0, namedStages).encode());
        listener.onFrame(FrameType.THREADS, threadNames(true).encode());
        listeners.add(listener);
        newListeners.poll();
      }
    }
  }

  boolean offer(FrameType type, byte[] payload) {
    boolean accepted = client.offer(type, payload);
    synchronized (listeners) {
      // No iterator, which needs memory: a frame that the client accepted must not be counted as
      // dropped.
      for (int i = 0; i < listeners.size(); i++) {
        try {
          listeners.get(i).onFrame(type, payload);
        } catch (OutOfMemoryError leftOut) {
          // The listener misses this frame; the collector does not.
        }
      }
    }
    return accepted;
  }

  private void flushSamples() {
    int count = samples.count();
    if (count > 0) {
      byte[] payload = samples.finish();
      boolean accepted = false;
      try {
        accepted = offer(FrameType.SAMPLES, payload);
      } finally {
        if (!accepted) {
          samplesDropped += count;
        }
      }
    }
  }

  private void flushTraces() {
    int count = traces.count();
    if (count > 0) {
      byte[] payload = traces.finish();
      boolean accepted = false;
      try {
        accepted = offer(FrameType.TRACES, payload);
      } finally {
        if (!accepted) {
          tracesDropped += count;
        }
      }
    }
  }

  void nameStages() {
    List<String> names = Stages.names();
    if (names.size() > namedStages && !namesRejected) {
      Dictionary dictionary = stageNames(names, namedStages, names.size());
      if (offer(FrameType.STAGES, dictionary.encode())) {
        namedStages = names.size();
      } else {
        namesRejected = true;
      }
    }
  }

  private static Dictionary stageNames(List<String> names, int from, int to) {
    Dictionary dictionary = new Dictionary();
    for (int number = from; number < to; number++) {
      dictionary.put(number, names.get(number));
    }
    return dictionary;
  }

  /** Returns names of the current threads: those that the collector has, or all others. */
  private Dictionary threadNames(boolean named) {
    Dictionary dictionary = new Dictionary();
    for (ThreadRecorder thread : recording.threads()) {
      if (namedThreads.get(thread.threadId()) == named) {
        dictionary.put(thread.threadId(), thread.threadName());
      }
    }
    return dictionary;
  }

  private boolean isNamed(int stage) {
    if (stage >= namedStages) {
      nameStages();
    }
    return stage < namedStages;
  }

  private boolean isNamedThread(int threadId) {
    if (!namedThreads.get(threadId) && !namesRejected) {
      Dictionary dictionary = threadNames(false);
      if (offer(FrameType.THREADS, dictionary.encode())) {
        for (int named : dictionary.entries().keySet()) {
          namedThreads.set(named);
        }
      } else {
        namesRejected = true;
      }
    }
    return namedThreads.get(threadId);
  }
}
