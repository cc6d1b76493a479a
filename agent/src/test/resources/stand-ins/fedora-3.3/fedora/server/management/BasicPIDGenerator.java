package fedora.server.management;

public class BasicPIDGenerator {
  private final DBPIDGenerator generator = new DBPIDGenerator();

  public void neverGeneratePID(String pid) {
    generator.neverGeneratePID(pid);
  }
}
