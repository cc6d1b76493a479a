package org.fedometer.aspects;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.fedometer.aspects.recorder.Captures;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.aspects.recorder.LogLine;
import org.fedometer.aspects.recorder.Recorder;

/**
 * Takes down what Fedora logs, of events of logback and of log4j 1.2, against whose classes we are
 * not compiled; called by advice on the threads that log.
 *
 * <p>The way into each event class is looked up once and kept by the JVM with that class, so it
 * goes when its class loader goes. An event below the wanted level costs that look and one call.
 */
final class LogCapture {

  /** Set while an event is read: what that makes others log is not ours to tell. */
  private static final ThreadLocal<Boolean> READING = new ThreadLocal<>();

  private static final ClassValue<Reader> READERS =
      new ClassValue<Reader>() {
        @Override
        protected Reader computeValue(Class<?> type) {
          return Reader.of(type);
        }
      };

  private LogCapture() {}

  /** An event on its way to the appenders; throws nothing. */
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
      // The line is in Fedora's own log.
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

  /** The ways into one class of events, each from Object to Object, the level's to int. */
  private static final class Reader {

    private static final MethodType OF_OBJECT = MethodType.methodType(Object.class, Object.class);

    private final MethodHandle level;
    private final MethodHandle logger;
    private final MethodHandle message;

    /** To what holds the exception. */
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

    /** Null where this is no event that we know. */
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
