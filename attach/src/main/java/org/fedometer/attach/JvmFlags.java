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
 * The flags that a HotSpot JVM runs with: those of its command line and those that it chose by
 * itself for the machine it is on. Stateless; asking brings no code into the JVM.
 */
public final class JvmFlags {

  private JvmFlags() {}

  /**
   * Flags that differ from HotSpot's defaults, such as {@code -XX:MaxHeapSize=1073741824}, by name.
   *
   * @param timeout for each of the JVM's two answers
   * @throws IOException the JVM is gone, is another user's, keeps tools out, or did not answer
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

  /** They stand in one line, and a value may hold blanks. */
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
