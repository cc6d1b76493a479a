package org.fedometer.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** The part of a JVM's instrumentation that the agent uses for weaving. */
public final class StandInInstrumentation {

  private StandInInstrumentation() {}

  /** Has classes transformed again, by the transformer there is. */
  public interface Retransformation {
    void of(Class<?>[] classes) throws Exception;
  }

  /**
   * Calls these on the caller's thread.
   *
   * @param transformer accepts the added transformer, or null when it is removed
   */
  public static Instrumentation of(
      Consumer<ClassFileTransformer> transformer,
      Callable<Class<?>[]> loadedClasses,
      Retransformation retransformation) {
    return (Instrumentation)
        Proxy.newProxyInstance(
            StandInInstrumentation.class.getClassLoader(),
            new Class<?>[] {Instrumentation.class},
            (self, method, arguments) -> {
              switch (method.getName()) {
                case "addTransformer":
                  transformer.accept((ClassFileTransformer) arguments[0]);
                  return null;
                case "removeTransformer":
                  transformer.accept(null);
                  return true;
                case "isModifiableClass":
                  return true;
                case "getAllLoadedClasses":
                  return loadedClasses.call();
                case "retransformClasses":
                  retransformation.of((Class<?>[]) arguments[0]);
                  return null;
                default:
                  throw new UnsupportedOperationException(method.getName());
              }
            });
  }
}
