package org.fedometer.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Entry point of {@code -javaagent:fedometer-agent.jar=collector=HOST:PORT,...} before Fedora's
 * main method, and of later commands through the attach mechanism.
 *
 * <p>Besides the aspects and their recorder, only this class and {@link IsolatedClassLoader} are
 * visible to Fedora's class loaders and stay until the JVM ends. The <em>agent core</em> is loaded
 * with the first command and unloaded by {@code detach}. These methods must not throw, or the JVM
 * would end.
 */
public final class Bootstrap {

  private static final String AGENT_CLASS = "org.fedometer.agent.core.Agent";
  private static final String CHECK_CLASS = "org.fedometer.agent.core.CustomStageCheck";
  private static final String CATALOGUE_CLASS = "org.fedometer.agent.core.weave.StageCatalogue";

  /** Stamp of this jar when the JVM loaded this class; the agent core must have the same. */
  private static final String INITIAL_JAR_STAMP = stampOf(agentJar());

  private static IsolatedClassLoader loader;

  /**
   * Executes a command and returns whether the core must stay; of a type that both class loaders
   * know.
   */
  private static BiFunction<String, Instrumentation, Boolean> agent;

  private Bootstrap() {}

  public static void premain(String arguments, Instrumentation instrumentation) {
    execute(arguments, instrumentation);
  }

  public static void agentmain(String arguments, Instrumentation instrumentation) {
    execute(arguments, instrumentation);
  }

  /**
   * Checks custom stages for the command line tool outside Fedora.
   *
   * @param pointcuts by name of the stage
   * @param aopFile path of an {@code aop.xml} with more of them; empty for none
   * @return all of them
   * @throws IllegalArgumentException with the reasons if one is invalid
   */
  @SuppressWarnings("unchecked")
  public static Map<String, String> customStages(Map<String, String> pointcuts, String aopFile)
      throws Exception {
    try (IsolatedClassLoader isolated =
        new IsolatedClassLoader(agentJar(), Bootstrap.class.getClassLoader())) {
      return ((BiFunction<Map<String, String>, String, Map<String, String>>)
              isolated.loadClass(CHECK_CLASS).getConstructor().newInstance())
          .apply(pointcuts, aopFile);
    }
  }

  /**
   * Lists the built-in stages for the command line tool outside Fedora.
   *
   * @return by group, then by name of the stage: descriptions of the methods that it times
   */
  @SuppressWarnings("unchecked")
  public static Map<String, Map<String, List<String>>> stages() throws Exception {
    try (IsolatedClassLoader isolated =
        new IsolatedClassLoader(agentJar(), Bootstrap.class.getClassLoader())) {
      return ((Supplier<Map<String, Map<String, List<String>>>>)
              isolated.loadClass(CATALOGUE_CLASS).getConstructor().newInstance())
          .get();
    }
  }

  private static synchronized void execute(String arguments, Instrumentation instrumentation) {
    boolean keep = agent != null;
    try {
      if (agent == null) {
        load();
      }
      keep = apply(arguments, instrumentation);
    } catch (InvocationTargetException e) {
      reportError(e.getCause());
    } catch (Throwable e) {
      reportError(e);
    } finally {
      if (!keep) {
        unload();
      }
    }
  }

  private static boolean apply(String arguments, Instrumentation instrumentation) {
    Thread thread = Thread.currentThread();
    ClassLoader contextLoader = thread.getContextClassLoader();
    // Parsers and thread factories search here: they must find the JDK's, not Fedora's.
    thread.setContextClassLoader(loader);
    try {
      return agent.apply(arguments, instrumentation);
    } finally {
      thread.setContextClassLoader(contextLoader);
    }
  }

  @SuppressWarnings("unchecked")
  private static void load() throws Exception {
    File jar = agentJar();
    if (!stampOf(jar).equals(INITIAL_JAR_STAMP)) {
      throw new IllegalStateException(
          jar + " has changed since this JVM loaded it; restart Fedora to use the new one");
    }
    Package jarsPackage = Bootstrap.class.getPackage();
    String version = jarsPackage == null ? null : jarsPackage.getImplementationVersion();
    loader = new IsolatedClassLoader(jar, Bootstrap.class.getClassLoader());
    agent =
        (BiFunction<String, Instrumentation, Boolean>)
            loader
                .loadClass(AGENT_CLASS)
                .getConstructor(String.class)
                .newInstance(version == null ? "unknown" : version);
  }

  private static void unload() {
    agent = null;
    if (loader != null) {
      loader.close();
      loader = null;
    }
  }

  private static File agentJar() {
    try {
      return new File(Bootstrap.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (Exception notAFile) {
      return new File("fedometer-agent.jar");
    }
  }

  private static String stampOf(File jar) {
    try {
      return jar.length() + " bytes of " + jar.lastModified();
    } catch (SecurityException mayNotLook) {
      // For example under Tomcat's -security: the next step is denied and reported, too.
      return "unknown";
    }
  }

  private static void reportError(Throwable reason) {
    System.err.println("fedometer: agent off: " + reason);
  }
}
