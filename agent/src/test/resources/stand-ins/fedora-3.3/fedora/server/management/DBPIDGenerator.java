package fedora.server.management;

public class DBPIDGenerator {
  public synchronized void neverGeneratePID(String pid) {}
}
