package fedora.server.management;

import fedora.server.Context;
import fedora.server.security.DefaultAuthorization;
import fedora.server.storage.DOManager;
import fedora.server.storage.DOWriter;
import fedora.server.storage.DefaultDOManager;
import java.io.InputStream;
import java.util.Date;

/** With the methods of Fedora 3.3. */
public class DefaultManagement {
  private final DOManager manager;
  private final DefaultAuthorization authorization = new DefaultAuthorization();

  public DefaultManagement() {
    this(new DefaultDOManager());
  }

  public DefaultManagement(DOManager manager) {
    this.manager = manager;
  }

  public String ingest(
      Context context,
      InputStream serialization,
      String logMessage,
      String format,
      String encoding,
      boolean newPid)
      throws Exception {
    DOWriter writer =
        manager.getIngestWriter(false, context, serialization, format, encoding, newPid);
    authorization.enforceIngest(context, writer.GetObjectPID(), format, encoding);
    writer.commit(logMessage);
    return writer.GetObjectPID();
  }

  public Date purgeObject(Context context, String pid, String logMessage, boolean force) {
    if (!force) {
      throw new IllegalStateException(pid + " is locked");
    }
    return new Date();
  }

  /** The lock for one ingest at a time. */
  public Object lock() {
    return manager;
  }
}
