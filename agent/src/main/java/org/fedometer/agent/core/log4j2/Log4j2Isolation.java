package org.fedometer.agent.core.log4j2;

import java.lang.reflect.Field;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.message.ParameterizedNoReferenceMessageFactory;
import org.apache.logging.log4j.status.StatusConsoleListener;
import org.apache.logging.log4j.status.StatusLogger;
import org.apache.logging.log4j.util.LazyBoolean;
import org.apache.logging.log4j.util.LoaderUtil;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.wire.FailureText;

/**
 * Isolates this class loader's Log4j2 before its first use. It reads nothing from Fedora's class
 * path, and its status messages go to the agent's log. The agent's jar omits the classes that read
 * system properties and the environment, see its build.
 */
final class Log4j2Isolation {

  private static final String CLASS_LOADERS = "GET_CLASS_LOADER_DISABLED";

  private static final StatusLines LINES = new StatusLines();

  private static boolean isolated;

  private Log4j2Isolation() {}

  /**
   * Any thread; idempotent.
   *
   * @throws IllegalStateException with one sentence if isolation is impossible
   */
  static synchronized void ensure() {
    if (isolated) {
      return;
    }
    // Must precede the first use of the logger, which would be kept.
    StatusLogger logger =
        new StatusLogger(
            "StatusLogger",
            ParameterizedNoReferenceMessageFactory.INSTANCE,
            new StatusLogger.Config(false, 0, null),
            new StatusConsoleListener(Level.OFF, System.err));
    logger.registerListener(LINES);
    StatusLogger.setLogger(logger);
    useOwnClassLoaderOnly();
    isolated = true;
  }

  /**
   * Sends Log4j2's errors to the log from now on; earlier messages concern what the isolation
   * omits.
   */
  static void logTo(AgentLog log) {
    LINES.setLog(log);
  }

  /**
   * Acts as if a security manager denied access to other class loaders. Log4j2 would read
   * properties from the system class loader and set them for the whole JVM.
   */
  private static void useOwnClassLoaderOnly() {
    try {
      Field field = LoaderUtil.class.getDeclaredField(CLASS_LOADERS);
      field.setAccessible(true);
      ((LazyBoolean) field.get(null)).setAsBoolean(true);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "transport=log4j2 is not possible: this Log4j2 cannot be isolated from Fedora: "
              + FailureText.of(e),
          e);
    }
  }
}
