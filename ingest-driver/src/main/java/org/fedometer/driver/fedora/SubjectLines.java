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
  private static final int MAX_SUBJECT_BYTES = FEDORAS.length + 200;

  private static final byte[] DISSEMINATES =
      "<info:fedora/fedora-system:def/view#disseminates> ".getBytes(StandardCharsets.US_ASCII);

  /** Two of Fedora's URIs and the predicate between them. */
  private static final int MAX_DISSEMINATION_BYTES = 3 * MAX_SUBJECT_BYTES + DISSEMINATES.length;

  private static final int BUFFER_BYTES = 64 * 1024;

  private SubjectLines() {}

  /**
   * @param pid called for each triple of an object or of one of its datastreams
   * @return how many triples there are
   */
  public static long read(InputStream in, Consumer<String> pid) throws IOException {
    return read(in, MAX_SUBJECT_BYTES, (line, length) -> subject(line, length, pid));
  }

  /**
   * Reads for what an object disseminates: its datastreams.
   *
   * @param part called for each, with the URI that is the subject of its triples
   * @return how many triples there are
   */
  static long readDisseminations(InputStream in, Consumer<String> part) throws IOException {
    return read(in, MAX_DISSEMINATION_BYTES, (line, length) -> disseminated(line, length, part));
  }

  /** Takes the beginning of a line that holds a triple. */
  private interface Triple {
    void accept(byte[] line, int length);
  }

  private static long read(InputStream in, int maxBytes, Triple each) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    byte[] line = new byte[maxBytes];
    int length = 0;
    long triples = 0;
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      for (int i = 0; i < n; i++) {
        byte b = buffer[i];
        if (b == '\n') {
          triples += triple(line, length, each);
          length = 0;
        } else if (length < maxBytes) {
          line[length++] = b;
        }
      }
    }
    return triples + triple(line, length, each);
  }

  private static int triple(byte[] line, int length, Triple each) {
    if (length == 0 || line[0] != '<' && line[0] != '_') {
      return 0;
    }
    each.accept(line, length);
    return 1;
  }

  private static void disseminated(byte[] line, int length, Consumer<String> part) {
    int at = 0;
    while (at < length && line[at] != ' ') {
      at++;
    }
    int object = at + 1 + DISSEMINATES.length;
    if (object < length
        && line[object] == '<'
        && Arrays.equals(line, at + 1, object, DISSEMINATES, 0, DISSEMINATES.length)) {
      for (int end = object; end < length; end++) {
        if (line[end] == '>') {
          part.accept(new String(line, object + 1, end - object - 1, StandardCharsets.UTF_8));
          break;
        }
      }
    }
  }

  private static void subject(byte[] line, int length, Consumer<String> pid) {
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
  }
}
