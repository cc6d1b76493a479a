package fedora.server.storage;

public class DOWriter {
  private final String pid;
  private final DefaultDOManager manager;

  DOWriter(String pid, DefaultDOManager manager) {
    this.pid = pid;
    this.manager = manager;
  }

  public String GetObjectPID() {
    return pid;
  }

  public void commit(String logMessage) throws Exception {
    manager.doCommit(false, null, pid, logMessage, false);
  }
}
