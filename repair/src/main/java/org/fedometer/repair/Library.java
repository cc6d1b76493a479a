package org.fedometer.repair;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Calls classes of Fedora and Trippi by name. They come from the home under examination, in any
 * version, and not all are available from a Maven repository for compilation. Stateless.
 */
final class Library {

  private static final int MAX_CAUSE_DEPTH = 20;

  private Library() {}

  /** Fedora's code refused something; the message names it. */
  static final class FailureException extends Exception {
    FailureException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static Class<?> type(String name) throws FailureException {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new FailureException("this Fedora has no " + name, e);
    }
  }

  static Method method(String type, String name, Class<?>... parameters) throws FailureException {
    try {
      return type(type).getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      throw new FailureException("this Fedora's " + type + " has no " + name, e);
    }
  }

  static Object create(String type, Class<?>[] parameters, Object... arguments)
      throws FailureException {
    try {
      Constructor<?> constructor = type(type).getConstructor(parameters);
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw failure(e);
    } catch (ReflectiveOperationException e) {
      throw new FailureException("this Fedora's " + type + " differs from that of 3.8.1", e);
    }
  }

  static Object call(Method method, Object target, Object... arguments) throws FailureException {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw failure(e);
    } catch (IllegalAccessException e) {
      throw new FailureException("this Fedora's " + method + " is not accessible", e);
    }
  }

  private static FailureException failure(InvocationTargetException e) {
    Throwable cause = e.getCause();
    if (cause instanceof StackOverflowError) {
      // Only a deeply nested object causes it; the others are unaffected.
      return new FailureException("Fedora's code exceeded the stack size", cause);
    }
    if (cause instanceof Error && !(cause instanceof LinkageError)) {
      throw (Error) cause;
    }
    return new FailureException(describe(cause), cause);
  }

  /** Returns the failure and its root cause. */
  private static String describe(Throwable failure) {
    String what = message(failure);
    Throwable bottom = failure;
    for (int depth = 0; bottom.getCause() != null && depth < MAX_CAUSE_DEPTH; depth++) {
      bottom = bottom.getCause();
    }
    String why = message(bottom);
    return what.contains(why) ? what : what + ": " + why;
  }

  private static String message(Throwable failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
