package org.fedometer.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Entry of {@code -javaagent:fedometer-agent.jar=collector=HOST:PORT,...} before Fedora's main
 * method, and of commands that come later through the attach mechanism.
 *
 * <p>This class and {@link IsolatedClassLoader} are all of the agent that Fedora's class loaders
 * could see, besides the aspects and their recorder. They stay until the JVM ends; everything else,
 * the <em>inside</em>, comes with the first command and goes with {@code detach}. These methods
 * must not throw, or the JVM would end.
 */
public final class Bootstrap {

  private static final String AGENT_CLASS = "org.fedometer.agent.core.Agent";
  private static final String CHECK_CLASS = "org.fedometer.agent.core.CustomStageCheck";
  private static final String CATALOGUE_CLASS = "org.fedometer.agent.core.weave.StageCatalogue";

  /** What this jar was when the JVM took this class out of it; the inside must be of the same. */
  private static final String INITIAL_JAR_STAMP = stampOf(agentJar());

  private static IsolatedClassLoader loader;

  /** Carries out a command and answers whether it has to stay; of a type that both sides know. */
  private static BiFunction<String, Instrumentation, Boolean> agent;

  private Bootstrap() {}

  public static void premain(String arguments, Instrumentation instrumentation) {
    execute(arguments, instrumentation);
  }

  public static void agentmain(String arguments, Instrumentation instrumentation) {
    execute(arguments, instrumentation);
  }

  /**
   * Checks a user's own stages, for the command line tool outside Fedora.
   *
   * @param pointcuts by name of the stage
   * @param aopFile path of an {@code aop.xml} with more of them; empty for none
   * @return all of them
   * @throws IllegalArgumentException with the reasons if one cannot be taken
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
   * Lists Fedometer's own stages, for the command line tool outside Fedora.
   *
   * @return by group, then by name of the stage: the methods that it times, in words
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
    // Parser and thread factories look here: they shall find the JDK's, not Fedora's.
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
          jar + " is another one than when this JVM loaded it; restart Fedora to use the new one");
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
      // Of Tomcat's -security, for one: what comes next is refused, too, and said.
      return "unknown";
    }
  }

  private static void reportError(Throwable reason) {
    System.err.println("fedometer: agent off: " + reason);
  }
}
