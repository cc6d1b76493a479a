package org.fedometer.aspects;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.fedometer.aspects.recorder.Captures;
import org.fedometer.aspects.recorder.LogLine;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.TripleFlush;

/**
 * Captures updates, duration and failure of each flush of triples. Advice calls it on the flushing
 * thread, seldom a request's. Throws nothing.
 */
final class FlushCapture {

  private static final int START = 0;
  private static final int UPDATES = 1;

  /** Start and number of updates of the thread's flush; JDK types only. */
  private static final ThreadLocal<long[]> CURRENT_FLUSH = new ThreadLocal<>();

  /**
   * {@code getBufferSize()} of Trippi's writer, as (Object) to int; {@code null} if it has none.
   */
  private static final ClassValue<MethodHandle> BUFFER_SIZE =
      new ClassValue<MethodHandle>() {
        @Override
        protected MethodHandle computeValue(Class<?> type) {
          try {
            return MethodHandles.publicLookup()
                .findVirtual(type, "getBufferSize", MethodType.methodType(int.class))
                .asType(MethodType.methodType(int.class, Object.class));
          } catch (ReflectiveOperationException | RuntimeException | LinkageError anotherTrippi) {
            return null;
          }
        }
      };

  private FlushCapture() {}

  /**
   * Records the start. Trippi flushes the current buffer, and perhaps some updates added meanwhile.
   */
  static void begins(Object writer) {
    try {
      if (Captures.current() != null) {
        MethodHandle size = BUFFER_SIZE.get(writer.getClass());
        long updates = size == null ? 0 : (int) size.invokeExact(writer);
        CURRENT_FLUSH.set(new long[] {System.nanoTime(), updates});
      }
    } catch (Throwable ignored) {
      // The flush still has its stage.
    }
  }

  /**
   * @param failure {@code null} on success
   */
  static void ends(Throwable failure) {
    try {
      Captures captures = Captures.current();
      long[] begun = CURRENT_FLUSH.get();
      CURRENT_FLUSH.remove();
      if (captures == null || begun == null) {
        return;
      }
      long now = System.nanoTime();
      if (failure != null) {
        captures
            .flushes()
            .add(
                TripleFlush.failed(
                    now,
                    Recorder.currentTraceId(),
                    Thread.currentThread().getName(),
                    begun[UPDATES],
                    LogLine.Thrown.of(failure)));
      } else if (begun[UPDATES] > 0) {
        captures.flushes().add(TripleFlush.succeeded(now, begun[UPDATES], now - begun[START]));
      }
    } catch (Throwable ignored) {
      // The flush still has its stage; only the number of updates is missing.
    }
  }
}
