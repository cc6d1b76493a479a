package org.fedometer.agent;

import java.lang.instrument.Instrumentation;
import org.apache.catalina.core.StandardWrapperValve;
import org.fcrepo.server.management.DefaultManagement;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;

/**
 * An agent for a test: loads the stand-ins before ours can see them, starts ours, and has them
 * transformed again.
 */
public final class LateWeaving {

  private LateWeaving() {}

  public static void premain(String arguments, Instrumentation instrumentation) throws Exception {
    Class<?>[] loaded = {
      StandardWrapperValve.class, DefaultManagement.class, DOTranslatorImpl.class
    };
    for (Class<?> type : loaded) {
      Class.forName(type.getName(), true, type.getClassLoader());
    }
    Premain.premain(arguments, instrumentation);
    instrumentation.retransformClasses(loaded);
  }
}
