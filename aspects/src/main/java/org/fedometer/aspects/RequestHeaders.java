package org.fedometer.aspects;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Reads a header and the method from a request of Tomcat's, and the status from its response, whose
 * classes we are not compiled against; called by advice on request threads.
 *
 * <p>The way into each class is looked up once and kept by the JVM with that class, so it goes when
 * its class loader goes.
 */
final class RequestHeaders {

  private static final String TRACEPARENT = "traceparent";

  /** {@code getHeader(String)} as (Object, String) to Object; {@code null} where there is none. */
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

  /** {@code getMethod()} of a request class, as (Object) to Object; {@code null} likewise. */
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

  /** {@code getStatus()} of a response class, as (Object) to int; {@code null} likewise. */
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

  /** The W3C header, or {@code null} when the request has none or cannot be read. */
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

  /** The HTTP method, or {@code null} when the request cannot be read. */
  static String methodOf(Object request) {
    try {
      MethodHandle getMethod = request == null ? null : GET_METHOD.get(request.getClass());
      return getMethod == null ? null : (String) (Object) getMethod.invokeExact(request);
    } catch (Throwable ignored) {
      return null;
    }
  }

  /** Whether the answer says that the server failed; false where it cannot be read. */
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
