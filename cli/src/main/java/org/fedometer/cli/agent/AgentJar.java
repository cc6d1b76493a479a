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
 * Calls code of the agent's jar in this process, for data that only its aspects and weaver have.
 * Each call uses a new class loader and affects no Fedora.
 */
final class AgentJar {
  private static final String ENTRY = "org.fedometer.agent.Bootstrap";

  private final Path jar;

  AgentJar(Path jar) {
    this.jar = jar;
  }

  /** Returns Fedometer's stages: by group, then by name, descriptions of the timed methods. */
  @SuppressWarnings("unchecked")
  Map<String, Map<String, List<String>>> stages() {
    return (Map<String, Map<String, List<String>>>) invoke("stages", new Class<?>[0]);
  }

  /**
   * Validates custom stages; returns all of them.
   *
   * @param pointcuts by name of the stage
   * @param aopFile path of an {@code aop.xml} with further stages; empty for none
   * @throws IllegalArgumentException if a stage is invalid; the message names it and the cause
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
          "the stages in " + jar + " cannot be read: " + FailureText.of(e.getCause()), e);
    } catch (ReflectiveOperationException | IOException e) {
      throw new IllegalStateException(
          "the stages in " + jar + " cannot be read: " + FailureText.of(e), e);
    }
  }
}
