package org.fedometer.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;

/**
 * Entry of {@code -javaagent:fedometer-agent.jar=collector=HOST:PORT,...}; called by the JVM before
 * Fedora's main method.
 *
 * <p>This class and {@link IsolatedClassLoader} are all of the agent that Fedora's class loaders
 * could see, besides the aspects and their recorder. Whatever goes wrong here leaves Fedora running
 * without us: premain must not throw, or the JVM would end.
 */
public final class Premain {

  private static final String AGENT = "org.fedometer.agent.core.Agent";

  private Premain() {}

  /** Starts the agent; returns normally whatever happens. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    Thread thread = Thread.currentThread();
    ClassLoader contextLoader = thread.getContextClassLoader();
    try {
      ClassLoader inside = new IsolatedClassLoader(agentJar(), Premain.class.getClassLoader());
      // Parser and thread factories look here: they shall find the JDK's, not Fedora's.
      thread.setContextClassLoader(inside);
      inside
          .loadClass(AGENT)
          .getMethod("start", String.class, Instrumentation.class)
          .invoke(null, arguments, instrumentation);
    } catch (InvocationTargetException e) {
      complain(e.getCause());
    } catch (Throwable e) {
      complain(e);
    } finally {
      thread.setContextClassLoader(contextLoader);
    }
  }

  private static File agentJar() throws Exception {
    return new File(Premain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static void complain(Throwable reason) {
    // Bad options come as a sentence for the user; anything else is our fault and shows what it is.
    System.err.println(
        "fedometer: agent off: "
            + (reason instanceof IllegalArgumentException
                ? reason.getMessage()
                : reason.toString()));
  }
}
