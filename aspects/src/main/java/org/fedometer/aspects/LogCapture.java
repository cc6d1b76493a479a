package org.fedometer.aspects;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.fedometer.aspects.recorder.Captures;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.aspects.recorder.LogLine;
import org.fedometer.aspects.recorder.Recorder;

/**
 * Captures Fedora's log from events of logback and log4j 1.2, whose classes are unknown at compile
 * time. Advice calls it on the logging threads.
 *
 * <p>The JVM keeps the method handles of each event class with that class, so they disappear with
 * its class loader. An event below the wanted level costs that look-up and one call.
 */
final class LogCapture {

  /** Set while an event is read: lines logged by that reading are not captured. */
  private static final ThreadLocal<Boolean> READING = new ThreadLocal<>();

  private static final ClassValue<Reader> READERS =
      new ClassValue<Reader>() {
        @Override
        protected Reader computeValue(Class<?> type) {
          return Reader.of(type);
        }
      };

  private LogCapture() {}

  /** Captures an event on its way to the appenders; throws nothing. */
  static void logged(Object event) {
    try {
      Captures captures = Captures.current();
      if (captures == null || event == null) {
        return;
      }
      Reader reader = READERS.get(event.getClass());
      if (reader == null) {
        return;
      }
      FedoraLog log = captures.log();
      int level = (int) reader.level.invokeExact(event);
      if (log.isEnabled(level)) {
        capture(log, reader, event, level);
      }
    } catch (Throwable ignored) {
      // The line is still in Fedora's own log.
    }
  }

  private static void capture(FedoraLog log, Reader reader, Object event, int level)
      throws Throwable {
    if (READING.get() != null) {
      return;
    }
    READING.set(Boolean.TRUE);
    try {
      if (log.tryAcquire()) {
        log.add(
            new LogLine(
                System.nanoTime(),
                level,
                Recorder.currentTraceId(),
                (String) (Object) reader.logger.invokeExact(event),
                Thread.currentThread().getName(),
                (String) (Object) reader.message.invokeExact(event),
                LogLine.Thrown.of(reader.thrownOf(event))));
      }
    } finally {
      READING.remove();
    }
  }

  /** Method handles of one event class, each from Object to Object, the level's to int. */
  private static final class Reader {

    private static final MethodType OF_OBJECT = MethodType.methodType(Object.class, Object.class);

    private final MethodHandle level;
    private final MethodHandle logger;
    private final MethodHandle message;

    /** Returns the object that holds the exception. */
    private final MethodHandle holder;

    private static final ClassValue<MethodHandle> GET_THROWABLE =
        new ClassValue<MethodHandle>() {
          @Override
          protected MethodHandle computeValue(Class<?> type) {
            try {
              return handle(type, "getThrowable");
            } catch (ReflectiveOperationException | RuntimeException | LinkageError noneInThere) {
              return null;
            }
          }
        };

    private Reader(
        MethodHandle level, MethodHandle logger, MethodHandle message, MethodHandle holder) {
      this.level = level;
      this.logger = logger;
      this.message = message;
      this.holder = holder;
    }

    /** Returns null for an unknown event class. */
    static Reader of(Class<?> type) {
      try {
        return new Reader(
            levelOf(type),
            handle(type, "getLoggerName"),
            handle(type, "getFormattedMessage", "getRenderedMessage"),
            handle(type, "getThrowableProxy", "getThrowableInformation"));
      } catch (ReflectiveOperationException | RuntimeException | LinkageError notAnEventWeKnow) {
        return null;
      }
    }

    private static MethodHandle levelOf(Class<?> type) throws ReflectiveOperationException {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      MethodHandle getLevel = lookup.unreflect(type.getMethod("getLevel"));
      MethodHandle toInt = lookup.unreflect(getLevel.type().returnType().getMethod("toInt"));
      return MethodHandles.filterReturnValue(
              getLevel,
              toInt.asType(MethodType.methodType(int.class, getLevel.type().returnType())))
          .asType(MethodType.methodType(int.class, Object.class));
    }

    private static MethodHandle handle(Class<?> type, String logback, String log4j)
        throws ReflectiveOperationException {
      try {
        return handle(type, logback);
      } catch (NoSuchMethodException anOlderEvent) {
        return handle(type, log4j);
      }
    }

    private static MethodHandle handle(Class<?> type, String name)
        throws ReflectiveOperationException {
      return MethodHandles.publicLookup().unreflect(type.getMethod(name)).asType(OF_OBJECT);
    }

    Throwable thrownOf(Object event) throws Throwable {
      Object held = holder.invokeExact(event);
      MethodHandle getThrowable = held == null ? null : GET_THROWABLE.get(held.getClass());
      return getThrowable == null ? null : (Throwable) (Object) getThrowable.invokeExact(held);
    }
  }
}
