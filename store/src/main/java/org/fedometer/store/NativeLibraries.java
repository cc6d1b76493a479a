package org.fedometer.store;

import com.github.luben.zstd.util.Native;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.fedometer.wire.FailureText;

/**
 * Loads the native libraries for sealing and queries early, to detect a disk that forbids programs
 * (mount option {@code noexec}) before there is data to seal. Stateless, any thread.
 */
public final class NativeLibraries {
  private NativeLibraries() {}

  /**
   * Loads the libraries of zstd and DuckDB permanently. DuckDB's is beside its jar. zstd's is
   * unpacked to the first folder from which it can be loaded, and deleted there.
   *
   * @param folder exists; the JVM's folder for temporary files is tried after it
   * @throws IOException one sentence: which library, where it was tried, and why it failed
   */
  public static synchronized void load(Path folder) throws IOException {
    File temporary = new File(System.getProperty("java.io.tmpdir"));
    try {
      Native.load(folder.toFile());
    } catch (LinkageError first) {
      try {
        Native.load(temporary);
      } catch (LinkageError e) {
        throw new IOException(
            ("zstd's library cannot be loaded from %s or from %s (%s); one of them must have free"
                    + " space and be mounted without noexec")
                .formatted(folder, temporary, firstLine(e)),
            e);
      }
    }
    try {
      Class.forName("org.duckdb.DuckDBNative");
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IOException("DuckDB's library cannot be loaded: " + firstLine(e), e);
    }
  }

  private static String firstLine(Throwable failure) {
    Throwable described =
        failure.getMessage() == null && failure.getCause() != null ? failure.getCause() : failure;
    return FailureText.of(described).lines().findFirst().orElse("").strip();
  }
}
