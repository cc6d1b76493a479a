package org.fedometer.driver.mix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.fedometer.driver.fedora.Operation;
import org.fedometer.driver.request.RunStop;
import org.fedometer.driver.request.StopSignal;

/**
 * Orders a mix's steps on one object where it matters. An object is used only after its ingest,
 * changed in the order of the steps, and purged after all earlier steps. Steps wait only for
 * earlier ones, so that deadlocks are impossible. Thread-safe.
 */
final class TargetTurns {

  private static final long POLL_MILLIS = 250;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition entered = lock.newCondition();

  /** Steps under way by their object's index. */
  private final Map<Long, List<Turn>> queues = new HashMap<>();

  private final StopSignal stop;
  private long next;

  TargetTurns(long first, StopSignal stop) {
    this.next = first;
    this.stop = stop;
  }

  /** One step's place in the queue of its object. */
  final class Turn {

    private final long target;
    private final Operation operation;
    private final List<Turn> before;
    private final CountDownLatch over = new CountDownLatch(1);

    /** Written before {@link #over}, read after it. */
    private boolean unsent;

    private Turn(long target, Operation operation, List<Turn> before) {
      this.target = target;
      this.operation = operation;
      this.before = before;
    }

    /**
     * Waits until the step may be performed.
     *
     * @return false if a step it waits for is no longer sent
     */
    boolean await() throws RunStop {
      for (Turn turn : before) {
        try {
          while (!turn.over.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            if (stop.raised()) {
              throw RunStop.asRequested();
            }
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw RunStop.asRequested();
        }
        if (turn.unsent) {
          return false;
        }
      }
      return true;
    }

    /** Marks the step as not to be sent. */
    void release() {
      unsent = true;
      end();
    }

    /** Ends a step that succeeded, failed or was abandoned. */
    void end() {
      lock.lock();
      try {
        List<Turn> queue = queues.get(target);
        if (queue != null && queue.remove(this) && queue.isEmpty()) {
          queues.remove(target);
        }
      } finally {
        lock.unlock();
      }
      over.countDown();
    }
  }

  /**
   * Queues the step, after all steps of lower numbers.
   *
   * @param target index of the object, or -1 if the step has none
   */
  Turn take(long number, Operation operation, long target) throws RunStop {
    lock.lock();
    try {
      while (next != number) {
        if (stop.raised()) {
          throw RunStop.asRequested();
        }
        entered.awaitNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
      }
      next++;
      entered.signalAll();
      if (target < 0) {
        return new Turn(target, operation, List.of());
      }
      List<Turn> queue = queues.computeIfAbsent(target, index -> new ArrayList<>());
      Turn turn =
          new Turn(
              target,
              operation,
              queue.stream().filter(earlier -> waitsFor(operation, earlier)).toList());
      queue.add(turn);
      return turn;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RunStop.asRequested();
    } finally {
      lock.unlock();
    }
  }

  private static boolean waitsFor(Operation operation, Turn earlier) {
    return switch (operation) {
      case PURGE -> true;
      case MODIFY_DATASTREAM, ADD_DATASTREAM ->
          earlier.operation == Operation.INGEST
              || earlier.operation == Operation.MODIFY_DATASTREAM
              || earlier.operation == Operation.ADD_DATASTREAM;
      default -> earlier.operation == Operation.INGEST;
    };
  }
}
