package org.fcrepo.server.management;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.InputStream;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;

/** Stand-in with the name and shape of Fedora's, for the agent to weave. */
public class DefaultManagement {

  private static final Logger LOGGER = new Logger(DefaultManagement.class.getName());

  private final DOTranslatorImpl translator = new DOTranslatorImpl();

  public String ingest(
      Object context,
      InputStream in,
      String logMessage,
      String format,
      String encoding,
      String pid) {
    translator.deserialize(pid);
    if (pid.contains("bad")) {
      LOGGER.log(Level.WARN, "no such thing: " + pid, new IllegalStateException("because"));
      throw new IllegalStateException("not this one");
    }
    translator.deserialize(pid);
    return pid.equals("new") ? "test:generated" : pid;
  }
}
