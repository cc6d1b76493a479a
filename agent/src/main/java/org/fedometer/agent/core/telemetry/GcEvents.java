package org.fedometer.agent.core.telemetry;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.fedometer.agent.core.ship.TelemetrySink;

/**
 * Pauses for garbage collection, as reported by the JVM's beans, in whole milliseconds. Excludes
 * cycles of concurrent collectors, which are no pauses.
 *
 * <p>The JVM calls the listener on its own thread, which only queues the notification; the
 * telemetry thread processes it. Not every JVM has these classes: {@link #begin} then throws a
 * {@link LinkageError}.
 */
final class GcEvents implements NotificationListener {

  /** Each needs some kilobytes. */
  private static final int QUEUE_LIMIT = 256;

  private static final long HOLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final List<NotificationEmitter> emitters = new ArrayList<>();
  private final Set<String> heapPools = new HashSet<>();
  private final ArrayBlockingQueue<Arrival> arrivals = new ArrayBlockingQueue<>(QUEUE_LIMIT);

  private final AtomicLong missed = new AtomicLong();

  /**
   * Not emitted yet; linked, since an ArrayDeque that fails to grow for lack of memory is empty
   * afterwards.
   */
  private final LinkedList<Pause> held = new LinkedList<>();

  /** Offset from the JVM's time of collections to nanoTime. */
  private long offsetNanos = Long.MAX_VALUE;

  private GcEvents() {}

  /** Listens to all collectors from now on or, on failure, to none. */
  static GcEvents begin() {
    GcEvents events = new GcEvents();
    boolean begun = false;
    try {
      events.listen();
      begun = true;
      return events;
    } finally {
      if (!begun) {
        events.end();
      }
    }
  }

  private void listen() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        heapPools.add(pool.getName());
      }
    }
    // Load the class before memory may be low.
    GarbageCollectionNotificationInfo.class.getName();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter && !isOfCycles(collector.getName())) {
        NotificationEmitter emitter = (NotificationEmitter) collector;
        emitters.add(emitter);
        emitter.addNotificationListener(this, null, null);
      }
    }
  }

  void end() {
    for (NotificationEmitter emitter : emitters) {
      try {
        emitter.removeNotificationListener(this);
      } catch (ListenerNotFoundException alreadyGone) {
        // As intended.
      }
    }
  }

  /**
   * Beans with these names measure a cycle from start to end, during most of which the program
   * runs. The ZGC of Java 11 to 14 has no others.
   */
  static boolean isOfCycles(String collector) {
    return collector.endsWith("Cycles") || collector.equals("ZGC");
  }

  @Override
  public void handleNotification(Notification notification, Object none) {
    if (GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION.equals(
        notification.getType())) {
      if (!arrivals.offer(new Arrival(notification, System.nanoTime()))) {
        missed.incrementAndGet();
      }
    }
  }

  /** Returns the collections since the last call that did not fit the queue. */
  long missedSinceLastCall() {
    return missed.getAndSet(0);
  }

  /**
   * Emits the queued pauses, some seconds late.
   *
   * @param all true to include the newest, for the last call
   */
  void read(TelemetrySink sink, boolean all) {
    for (Arrival arrival = arrivals.poll(); arrival != null; arrival = arrivals.poll()) {
      GarbageCollectionNotificationInfo info =
          GarbageCollectionNotificationInfo.from(
              (CompositeData) arrival.notification.getUserData());
      // The JVM's time of collections has an unknown origin. A notification follows the end,
      // usually at once, so the fastest one gives the best estimate. The first ones are slow; hence
      // pauses are held until later ones may have arrived.
      long endNanos = TimeUnit.MILLISECONDS.toNanos(info.getGcInfo().getEndTime());
      offsetNanos = Math.min(offsetNanos, arrival.atNanos - endNanos);
      if (isPause(info.getGcName(), info.getGcCause())) {
        held.add(new Pause(arrival.atNanos, info));
      }
    }
    long now = System.nanoTime();
    while (!held.isEmpty()
        && (all || held.size() > QUEUE_LIMIT || now - held.peek().atNanos > HOLD_NANOS)) {
      GarbageCollectionNotificationInfo info = held.poll().info;
      GcInfo collection = info.getGcInfo();
      sink.pause(
          info.getGcName(),
          info.getGcAction(),
          info.getGcCause(),
          TimeUnit.MILLISECONDS.toNanos(collection.getStartTime()) + offsetNanos,
          TimeUnit.MILLISECONDS.toNanos(collection.getDuration()),
          heapBytes(collection.getMemoryUsageBeforeGc()),
          heapBytes(collection.getMemoryUsageAfterGc()));
    }
  }

  /** CMS reports its cycles by the same bean as its full collections, but without a cause. */
  private static boolean isPause(String collector, String cause) {
    return !(collector.equals("ConcurrentMarkSweep") && cause.equals("No GC"));
  }

  private long heapBytes(Map<String, MemoryUsage> usage) {
    long bytes = 0;
    for (Map.Entry<String, MemoryUsage> pool : usage.entrySet()) {
      if (heapPools.contains(pool.getKey())) {
        bytes += pool.getValue().getUsed();
      }
    }
    return bytes;
  }

  private static final class Arrival {
    private final Notification notification;
    private final long atNanos;

    Arrival(Notification notification, long atNanos) {
      this.notification = notification;
      this.atNanos = atNanos;
    }
  }

  private static final class Pause {
    private final long atNanos;
    private final GarbageCollectionNotificationInfo info;

    Pause(long atNanos, GarbageCollectionNotificationInfo info) {
      this.atNanos = atNanos;
      this.info = info;
    }
  }
}
