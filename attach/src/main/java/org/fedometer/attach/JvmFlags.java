package org.fedometer.attach;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.fedometer.wire.FailureText;

/**
 * The flags of a running HotSpot JVM: those of its command line and those it chose for its machine.
 * Stateless; reading them loads no code into the JVM.
 */
public final class JvmFlags {

  private JvmFlags() {}

  /**
   * Returns flags that differ from HotSpot's defaults, such as {@code -XX:MaxHeapSize=1073741824},
   * by name.
   *
   * @param timeout for each of the JVM's two replies
   * @throws IOException if the JVM has ended, is another user's, denies access, or did not reply
   */
  public static List<String> of(long pid, Duration timeout)
      throws IOException, InterruptedException {
    try (HotSpotAttach attach = HotSpotAttach.connect(ProcessFiles.of(pid), timeout)) {
      FutureTask<String> flags = new FutureTask<>(attach::flags);
      DaemonThreads.daemon("fedometer-jvm-flags", flags).start();
      return parse(flags.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      throw new IOException("the JVM of process " + pid + " does not answer", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw new IOException(FailureText.of(cause), cause);
    }
  }

  /** Splits the flags of one line, in which a value may contain blanks. */
  static List<String> parse(String answer) {
    List<String> flags = new ArrayList<>();
    for (String flag : answer.strip().split("\\s+(?=-XX:)")) {
      if (flag.startsWith("-XX:")) {
        flags.add(flag);
      }
    }
    flags.sort(null);
    return flags;
  }
}
