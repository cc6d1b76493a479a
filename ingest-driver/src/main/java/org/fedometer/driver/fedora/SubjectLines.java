package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Reads N-Triples of any length for the PIDs in their subjects, a line after the other; what else a
 * line holds is passed over. For one thread.
 */
public final class SubjectLines {

  private static final byte[] FEDORAS = "<info:fedora/".getBytes(StandardCharsets.US_ASCII);

  /** Longer than any PID: what does not end by then is none of Fedora's subjects. */
  private static final int LONGEST = FEDORAS.length + 200;

  private static final int BUFFER_BYTES = 64 * 1024;

  private SubjectLines() {}

  /**
   * @param pid called for each triple of an object or of one of its datastreams
   * @return how many triples there are
   */
  public static long read(InputStream in, Consumer<String> pid) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    byte[] line = new byte[LONGEST];
    int length = 0;
    long triples = 0;
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      for (int i = 0; i < n; i++) {
        byte b = buffer[i];
        if (b == '\n') {
          triples += triple(line, length, pid);
          length = 0;
        } else if (length < LONGEST) {
          line[length++] = b;
        }
      }
    }
    return triples + triple(line, length, pid);
  }

  private static int triple(byte[] line, int length, Consumer<String> pid) {
    if (length == 0 || line[0] != '<' && line[0] != '_') {
      return 0;
    }
    if (length > FEDORAS.length
        && Arrays.equals(line, 0, FEDORAS.length, FEDORAS, 0, FEDORAS.length)) {
      for (int end = FEDORAS.length; end < length; end++) {
        if (line[end] == '>' || line[end] == '/') {
          pid.accept(
              new String(line, FEDORAS.length, end - FEDORAS.length, StandardCharsets.UTF_8));
          break;
        }
      }
    }
    return 1;
  }
}
