package org.fedometer.aspects;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Reads a header and the method from Tomcat's request, and the status from its response, whose
 * classes are unknown at compile time. Advice calls it on request threads.
 *
 * <p>The JVM keeps the method handles of each class with that class, so they disappear with its
 * class loader.
 */
final class RequestHeaders {

  private static final String TRACEPARENT = "traceparent";

  /** {@code getHeader(String)} as (Object, String) to Object; {@code null} if there is none. */
  private static final ClassValue<MethodHandle> GET_HEADER =
      new ClassValue<MethodHandle>() {
        @Override
        protected MethodHandle computeValue(Class<?> type) {
          return find(
              type,
              "getHeader",
              MethodType.methodType(String.class, String.class),
              MethodType.methodType(Object.class, Object.class, String.class));
        }
      };

  /**
   * {@code getMethod()} of a request class, as (Object) to Object; {@code null} if there is none.
   */
  private static final ClassValue<MethodHandle> GET_METHOD =
      new ClassValue<MethodHandle>() {
        @Override
        protected MethodHandle computeValue(Class<?> type) {
          return find(
              type,
              "getMethod",
              MethodType.methodType(String.class),
              MethodType.methodType(Object.class, Object.class));
        }
      };

  /** {@code getStatus()} of a response class, as (Object) to int; {@code null} if there is none. */
  private static final ClassValue<MethodHandle> GET_STATUS =
      new ClassValue<MethodHandle>() {
        @Override
        protected MethodHandle computeValue(Class<?> type) {
          return find(
              type,
              "getStatus",
              MethodType.methodType(int.class),
              MethodType.methodType(int.class, Object.class));
        }
      };

  private static final int SERVER_ERROR = 500;

  private RequestHeaders() {}

  /** Returns the W3C header, or {@code null} if it is absent or unreadable. */
  static String traceparentOf(Object request) {
    try {
      MethodHandle getHeader = request == null ? null : GET_HEADER.get(request.getClass());
      return getHeader == null
          ? null
          : (String) (Object) getHeader.invokeExact(request, TRACEPARENT);
    } catch (Throwable ignored) {
      return null;
    }
  }

  /** Returns the HTTP method, or {@code null} if it is unreadable. */
  static String methodOf(Object request) {
    try {
      MethodHandle getMethod = request == null ? null : GET_METHOD.get(request.getClass());
      return getMethod == null ? null : (String) (Object) getMethod.invokeExact(request);
    } catch (Throwable ignored) {
      return null;
    }
  }

  /** Returns whether the status is a server error; false if it is unreadable. */
  static boolean isServerError(Object response) {
    try {
      MethodHandle getStatus = response == null ? null : GET_STATUS.get(response.getClass());
      return getStatus != null && (int) getStatus.invokeExact(response) >= SERVER_ERROR;
    } catch (Throwable ignored) {
      return false;
    }
  }

  private static MethodHandle find(
      Class<?> type, String name, MethodType declared, MethodType called) {
    try {
      return MethodHandles.publicLookup().findVirtual(type, name, declared).asType(called);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError notARequestWeKnow) {
      return null;
    }
  }
}
