package fedora.server.storage;

import fedora.server.Context;
import java.io.InputStream;

public interface DOManager {
  DOWriter getIngestWriter(
      boolean cachedObjectRequired,
      Context context,
      InputStream in,
      String format,
      String encoding,
      boolean newPid)
      throws Exception;
}
