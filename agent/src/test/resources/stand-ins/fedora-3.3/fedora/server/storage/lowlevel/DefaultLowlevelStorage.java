package fedora.server.storage.lowlevel;

import java.io.InputStream;

public class DefaultLowlevelStorage {
  public void addObject(String pid, InputStream content) {}

  public void addDatastream(String pid, InputStream content) {}
}
