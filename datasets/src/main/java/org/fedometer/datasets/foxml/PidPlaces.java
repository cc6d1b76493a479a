package org.fedometer.datasets.foxml;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a UTF-8 file where an object states its own PID, and the file with another PID
 * there. All other bytes stay unchanged; the file is never completely in memory. Immutable.
 */
final class PidPlaces {

  private static final int BUFFER_BYTES = 1 << 16;

  private final Path file;
  private final long fileBytes;
  private final List<Place> places;

  /**
   * @param from the offset of the first byte to replace
   * @param to the offset after the last
   */
  private record Place(long from, long to, String before, String after) {

    byte[] with(String pid) {
      return (before + pid + after).getBytes(StandardCharsets.UTF_8);
    }
  }

  private PidPlaces(Path file, long fileBytes, List<Place> places) {
    this.file = file;
    this.fileBytes = fileBytes;
    this.places = List.copyOf(places);
  }

  /**
   * @param occurrences the occurrences ordered by offset
   * @throws UnusableFoxmlException if they are not there
   */
  static PidPlaces of(Path file, long fileBytes, List<FoxmlDocument.PidOccurrence> occurrences)
      throws IOException, UnusableFoxmlException {
    List<Place> places = new ArrayList<>(occurrences.size());
    try (InputStream in = Files.newInputStream(file)) {
      Utf8Offsets offsets = new Utf8Offsets(in);
      for (FoxmlDocument.PidOccurrence occurrence : occurrences) {
        offsets.skipTo(occurrence.from());
        long start = offsets.bytes;
        String text = offsets.textTo(occurrence.to());
        int[] range =
            occurrence.attribute() == null ? middle(text) : value(text, occurrence.attribute());
        places.add(
            new Place(
                start + utf8Length(text, range[0]),
                start + utf8Length(text, range[1]),
                occurrence.before(),
                occurrence.after()));
      }
    }
    return new PidPlaces(file, fileBytes, places);
  }

  private static long utf8Length(String text, int to) {
    return text.substring(0, to).getBytes(StandardCharsets.UTF_8).length;
  }

  /** Returns the range of the text without surrounding white space. */
  private static int[] middle(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && text.charAt(from) <= ' ') {
      from++;
    }
    while (to > from && text.charAt(to - 1) <= ' ') {
      to--;
    }
    return new int[] {from, to};
  }

  /** Returns the range between the quotes of an attribute in a well-formed start tag. */
  private static int[] value(String tag, String attribute) throws UnusableFoxmlException {
    int at = 1;
    while (at < tag.length() && tag.charAt(at) > ' ') {
      at++;
    }
    while (at < tag.length()) {
      int equals = tag.indexOf('=', at);
      if (equals < 0) {
        break;
      }
      int open = equals + 1;
      while (open < tag.length() && tag.charAt(open) <= ' ') {
        open++;
      }
      int close = open < tag.length() ? tag.indexOf(tag.charAt(open), open + 1) : -1;
      if (close < 0) {
        break;
      }
      if (tag.substring(at, equals).strip().equals(attribute)) {
        return new int[] {open + 1, close};
      }
      at = close + 1;
    }
    throw new UnusableFoxmlException(
        "has its PID in an attribute %s, where it cannot be replaced (use pids=kept)"
            .formatted(attribute));
  }

  long sizeBytes(String pid) {
    long bytes = fileBytes;
    for (Place place : places) {
      bytes += place.with(pid).length - (place.to - place.from);
    }
    return bytes;
  }

  /** Opens the file from its start; the caller closes it. */
  InputStream open(String pid) throws IOException {
    return new Replacing(Files.newInputStream(file), pid);
  }

  /**
   * Parallel offsets in bytes and characters (UTF-16 units, as Java's parsers count them) of a
   * file.
   */
  private static final class Utf8Offsets {

    private final PushbackInputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int end;
    private long characters;
    private long bytes;

    Utf8Offsets(InputStream file) throws IOException {
      this.in = new PushbackInputStream(file, 3);
      this.bytes = FoxmlXml.skipByteOrderMark(in);
    }

    void skipTo(long character) throws IOException {
      advance(character, null);
    }

    String textTo(long character) throws IOException {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      advance(character, text);
      return text.toString(StandardCharsets.UTF_8);
    }

    private void advance(long character, ByteArrayOutputStream passedOrNull) throws IOException {
      while (true) {
        if (at == end) {
          at = 0;
          end = Math.max(0, in.read(buffer));
          if (end == 0) {
            return;
          }
        }
        int next = buffer[at] & 0xFF;
        boolean continues = (next & 0xC0) == 0x80;
        if (!continues) {
          if (characters >= character) {
            return;
          }
          characters += next >= 0xF0 ? 2 : 1;
        }
        if (passedOrNull != null) {
          passedOrNull.write(next);
        }
        at++;
        bytes++;
      }
    }
  }

  private final class Replacing extends FilterInputStream {

    private final String pid;
    private int place;
    private long position;
    private byte[] replacement = {};
    private int replaced;

    Replacing(InputStream file, String pid) {
      super(file);
      this.pid = pid;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] out, int from, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (replaced == replacement.length
          && place < places.size()
          && position == places.get(place).from) {
        Place next = places.get(place++);
        in.skipNBytes(next.to - next.from);
        position = next.to;
        replacement = next.with(pid);
        replaced = 0;
      }
      if (replaced < replacement.length) {
        int count = Math.min(length, replacement.length - replaced);
        System.arraycopy(replacement, replaced, out, from, count);
        replaced += count;
        return count;
      }
      long until = place < places.size() ? places.get(place).from : Long.MAX_VALUE;
      int count = in.read(out, from, (int) Math.min(length, until - position));
      position += Math.max(0, count);
      return count;
    }

    @Override
    public long skip(long count) throws IOException {
      long skipped = 0;
      byte[] waste = new byte[(int) Math.min(BUFFER_BYTES, Math.max(1, count))];
      while (skipped < count) {
        int read = read(waste, 0, (int) Math.min(waste.length, count - skipped));
        if (read < 0) {
          break;
        }
        skipped += read;
      }
      return skipped;
    }

    @Override
    public int available() {
      return 0;
    }

    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
