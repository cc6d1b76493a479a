package org.fcrepo.server.storage;

import java.util.function.Supplier;

/** Types above and around one another, as a user's pointcut may name them. */
public final class StandInReaders {

  private StandInReaders() {}

  /** Declares what others do. */
  public interface Reader {
    Object read(String pid);
  }

  /** Does it, with a class inside. */
  public static class FileReader implements Reader {
    @Override
    public Object read(String pid) {
      return new Supplier<Object>() {
        @Override
        public Object get() {
          return "read " + pid;
        }
      }.get();
    }
  }

  /** Does something besides. */
  public static class PatientReader extends FileReader {
    void waits() {}
  }
}
