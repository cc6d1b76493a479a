package org.fcrepo.server.management;

import java.io.InputStream;
import org.fcrepo.server.storage.translation.DOTranslatorImpl;

/** Stand-in with the name and shape of Fedora's, for the agent to weave. */
public class DefaultManagement {

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
      throw new IllegalStateException("not this one");
    }
    translator.deserialize(pid);
    return pid.equals("new") ? "test:generated" : pid;
  }
}
