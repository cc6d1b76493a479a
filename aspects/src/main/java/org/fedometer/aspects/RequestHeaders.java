package org.fedometer.aspects;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Reads a header from a request of Tomcat's, whose classes we are not compiled against; called by
 * advice on request threads.
 *
 * <p>The way into each request class is looked up once and kept by the JVM with that class, so it
 * goes when its class loader goes.
 */
final class RequestHeaders {

  private static final String TRACEPARENT = "traceparent";

  /**
   * {@code getHeader(String)} of a request class, as (Object, String) to Object; {@code null} where
   * there is none.
   */
  private static final ClassValue<MethodHandle> GET_HEADER =
      new ClassValue<MethodHandle>() {
        @Override
        protected MethodHandle computeValue(Class<?> type) {
          try {
            return MethodHandles.publicLookup()
                .findVirtual(type, "getHeader", MethodType.methodType(String.class, String.class))
                .asType(MethodType.methodType(Object.class, Object.class, String.class));
          } catch (ReflectiveOperationException
              | RuntimeException
              | LinkageError notARequestWeKnow) {
            return null;
          }
        }
      };

  private RequestHeaders() {}

  /** The W3C header, or {@code null} when the request has none or cannot be read. */
  static String traceparentOf(Object request) {
    try {
      MethodHandle getHeader = request == null ? null : GET_HEADER.get(request.getClass());
      return getHeader == null
          ? null
          : (String) (Object) getHeader.invokeExact(request, TRACEPARENT);
    } catch (Throwable neverFedorasProblem) {
      return null;
    }
  }
}
