package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/** Extracts the PIDs of subjects from N-Triples of any length, line by line. Not thread-safe. */
public final class SubjectLines {

  private static final byte[] FEDORAS = "<info:fedora/".getBytes(StandardCharsets.US_ASCII);

  /** Longer than any PID: a longer subject is not Fedora's. */
  private static final int MAX_SUBJECT_BYTES = FEDORAS.length + 200;

  private static final byte[] DISSEMINATES =
      "<info:fedora/fedora-system:def/view#disseminates> ".getBytes(StandardCharsets.US_ASCII);

  /** Two of Fedora's URIs and the predicate between them. */
  private static final int MAX_DISSEMINATION_BYTES = 3 * MAX_SUBJECT_BYTES + DISSEMINATES.length;

  private static final int BUFFER_BYTES = 64 * 1024;

  private SubjectLines() {}

  /**
   * @param pid gets the PID for each triple of an object or one of its datastreams
   * @return number of triples
   */
  public static long read(InputStream in, Consumer<String> pid) throws IOException {
    return read(in, MAX_SUBJECT_BYTES, (line, length) -> subject(line, length, pid));
  }

  /**
   * Extracts the datastreams that an object disseminates.
   *
   * @param part gets each datastream's URI, the subject of its triples
   * @return number of triples
   */
  static long readDisseminations(InputStream in, Consumer<String> part) throws IOException {
    return read(in, MAX_DISSEMINATION_BYTES, (line, length) -> disseminated(line, length, part));
  }

  /** Accepts the beginning of a line with a triple. */
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
