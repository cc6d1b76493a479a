package org.fedometer.experiments.imported;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.fedometer.wire.SafeLine;
import org.fedometer.wire.record.RequestEncoder;

/** Converts labels to operations. Not thread-safe. */
final class Labels {
  /** A file with more has other data in its labels, such as addresses. */
  static final int MAX_LABELS = 1000;

  private static final int MARK_BYTES = 9;

  private final String ingestLabel;
  private final NameTable table = new NameTable(MAX_LABELS);

  /** Operations by number; null for a label that is no text. */
  private final List<String> operations = new ArrayList<>();

  private final Set<String> used = new HashSet<>();

  /**
   * @param ingestLabel label of requests that are ingests, or null
   */
  Labels(String ingestLabel) {
    this.ingestLabel = ingestLabel;
    if (ingestLabel != null) {
      used.add(RequestEncoder.INGEST); // another label of that name gets a different operation
    }
  }

  String operation(String label, long line) {
    byte[] bytes = label.getBytes(StandardCharsets.UTF_8);
    return operation(bytes, 0, bytes.length, line, false);
  }

  /**
   * Returns the operation of a label; null if it is not UTF-8.
   *
   * @param quotesDoubled true for a CSV field, in which two quotation marks mean one
   * @throws UnreadableMeasurementsException if there are too many labels
   */
  String operation(byte[] bytes, int from, int to, long line, boolean quotesDoubled) {
    int number = table.numberOf(bytes, from, to);
    if (number < 0) {
      throw new UnreadableMeasurementsException(
          "line "
              + line
              + ": more than "
              + MAX_LABELS
              + " labels, too many for kinds of requests; give samplers one name each, or replace"
              + " the part that varies");
    }
    if (number == operations.size()) {
      operations.add(operationOf(bytes, from, to, quotesDoubled));
    }
    return operations.get(number);
  }

  private String operationOf(byte[] bytes, int from, int to, boolean quotesDoubled) {
    String label;
    try {
      label =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, from, to - from))
              .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
    if (quotesDoubled) {
      label = label.replace("\"\"", "\"");
    }
    if (label.equals(ingestLabel)) {
      return RequestEncoder.INGEST;
    }
    String name = SafeLine.of(label.isBlank() ? "(no label)" : label.strip());
    String operation = cut(name, RequestEncoder.MAX_OPERATION_BYTES);
    // Two labels must not become one operation by truncation.
    if (!operation.equals(name) || used.contains(operation)) {
      operation = cut(name, RequestEncoder.MAX_OPERATION_BYTES - MARK_BYTES) + mark(label);
    }
    used.add(operation);
    return operation;
  }

  private static String mark(String label) {
    CRC32 crc = new CRC32();
    crc.update(label.getBytes(StandardCharsets.UTF_8));
    return "~%08x".formatted(crc.getValue());
  }

  private static String cut(String text, int maxBytes) {
    int bytes = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
      if (bytes > maxBytes) {
        return text.substring(0, i);
      }
      i += Character.charCount(c);
    }
    return text;
  }
}
