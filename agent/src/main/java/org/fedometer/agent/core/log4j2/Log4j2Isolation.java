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
 * Keeps this class loader's Log4j2 to itself, before any of it is used: it reads nothing from
 * Fedora's class path, and what it has to say goes to the agent's log. System properties and the
 * environment are kept from it by what the agent's jar leaves out, see its build.
 */
final class Log4j2Isolation {

  private static final String CLASS_LOADERS = "GET_CLASS_LOADER_DISABLED";

  private static final StatusLines LINES = new StatusLines();

  private static boolean isolated;

  private Log4j2Isolation() {}

  /**
   * Any thread, as often as one likes.
   *
   * @throws IllegalStateException with one sentence where that cannot be done
   */
  static synchronized void ensure() {
    if (isolated) {
      return;
    }
    // Nobody may ask for the logger before this: it would be kept.
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
   * From now on the log has what goes wrong in Log4j2; before, it misses what it is not to have.
   */
  static void logTo(AgentLog log) {
    LINES.setLog(log);
  }

  /**
   * As if a security manager forbade it to ask for other class loaders. It would look for
   * properties in the system class loader, and set what it finds for the whole JVM.
   */
  private static void useOwnClassLoaderOnly() {
    try {
      Field field = LoaderUtil.class.getDeclaredField(CLASS_LOADERS);
      field.setAccessible(true);
      ((LazyBoolean) field.get(null)).setAsBoolean(true);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "transport=log4j2 is not possible: this Log4j2 cannot be kept off Fedora's class path: "
              + FailureText.of(e),
          e);
    }
  }
}
