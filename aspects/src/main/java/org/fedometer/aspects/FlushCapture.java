package org.fedometer.aspects;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.fedometer.aspects.recorder.Captures;
import org.fedometer.aspects.recorder.LogLine;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.TripleFlush;

/**
 * Takes down how many updates each flush of triples had, how long it took and whether it failed;
 * called by advice on the thread that flushes, which is seldom a request's. Throws nothing.
 */
final class FlushCapture {

  private static final int START = 0;
  private static final int UPDATES = 1;

  /** When the thread's flush began, and with how many updates; of the JDK's types only. */
  private static final ThreadLocal<long[]> CURRENT_FLUSH = new ThreadLocal<>();

  /** {@code getBufferSize()} of Trippi's writer, as (Object) to int; {@code null} for none. */
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

  /** Trippi takes all that is in the buffer now, and perhaps a little that comes meanwhile. */
  static void begins(Object writer) {
    try {
      if (Captures.current() != null) {
        MethodHandle size = BUFFER_SIZE.get(writer.getClass());
        long updates = size == null ? 0 : (int) size.invokeExact(writer);
        CURRENT_FLUSH.set(new long[] {System.nanoTime(), updates});
      }
    } catch (Throwable ignored) {
      // The stage tells of the flush, too.
    }
  }

  /**
   * @param failure {@code null} if all went well
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
      // The flush has its stage all the same; only how many updates it had is not told.
    }
  }
}
