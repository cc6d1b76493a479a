package org.fedometer.cli.agent;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.FailureText;

/**
 * The agent's jar, asked in this process for what only the aspects and the weaver in it know. Its
 * classes get a loader of their own for each question, and no Fedora is touched.
 */
final class AgentJar {
  private static final String ENTRY = "org.fedometer.agent.Bootstrap";

  private final Path jar;

  AgentJar(Path jar) {
    this.jar = jar;
  }

  /** Fedometer's own stages: by group, then by name, the methods that each times, in words. */
  @SuppressWarnings("unchecked")
  Map<String, Map<String, List<String>>> stages() {
    return (Map<String, Map<String, List<String>>>) invoke("stages", new Class<?>[0]);
  }

  /**
   * Checks stages of the user's own; returns all of them.
   *
   * @param pointcuts by name of the stage
   * @param aopFile path of an {@code aop.xml} with more of them; empty for none
   * @throws IllegalArgumentException one of the stages cannot be taken: says which and why
   */
  @SuppressWarnings("unchecked")
  Map<String, String> customStages(Map<String, String> pointcuts, String aopFile) {
    return (Map<String, String>)
        invoke("customStages", new Class<?>[] {Map.class, String.class}, pointcuts, aopFile);
  }

  private Object invoke(String method, Class<?>[] types, Object... arguments) {
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      return loader.loadClass(ENTRY).getMethod(method, types).invoke(null, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException bad) {
        throw bad;
      }
      throw new IllegalStateException(
          jar + " cannot tell of stages: " + FailureText.of(e.getCause()), e);
    } catch (ReflectiveOperationException | IOException e) {
      throw new IllegalStateException(jar + " cannot tell of stages: " + FailureText.of(e), e);
    }
  }
}
