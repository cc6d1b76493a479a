package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.fedometer.wire.record.LogEncoder;

/**
 * Builds a JSON object member by member. The first of two members with the same name stays; members
 * that do not fit are omitted. One thread.
 */
final class ContextJson {
  /** Buffer size kept between events; members that do not fit may enlarge it temporarily. */
  private static final int KEPT_CHARACTERS = 32 * 1024;

  /** Space reserved for the collector's own notes. */
  private static final int NOTE_BYTES = 48;

  private StringBuilder text = new StringBuilder();
  private final Set<String> names = new HashSet<>();
  private int bytes;

  void clear() {
    if (text.capacity() > KEPT_CHARACTERS) {
      text = new StringBuilder();
    }
    text.setLength(0);
    names.clear();
    bytes = 0;
  }

  void put(String name, String value) {
    put(name, value, 0);
  }

  /** As {@link #put}, for at most {@link #NOTE_BYTES}, which always fit. */
  void note(String name, String value) {
    put(name, value, NOTE_BYTES);
  }

  private void put(String name, String value, int moreBytes) {
    int begin = begin(name);
    if (begin >= 0) {
      JsonText.quote(value, text);
      keepIfItFits(name, begin, moreBytes);
    }
  }

  /**
   * Adds the parser's current value and moves the parser to its end. Omits empty objects and
   * arrays.
   */
  void copy(String name, JsonParser parser) throws IOException {
    int begin = begin(name);
    if (begin >= 0) {
      int value = text.length();
      JsonText.copy(parser, text);
      boolean empty = text.length() == value + 2 && "{[".indexOf(text.charAt(value)) >= 0;
      if (empty) {
        rollBack(name, begin);
      } else {
        keepIfItFits(name, begin, 0);
      }
    } else {
      parser.skipChildren();
    }
  }

  /** Returns the member's start; negative if the name exists. */
  private int begin(String name) {
    if (!names.add(name)) {
      return -1;
    }
    int begin = text.length();
    text.append(begin == 0 ? '{' : ',');
    JsonText.quote(name, text);
    text.append(':');
    return begin;
  }

  private void keepIfItFits(String name, int begin, int moreBytes) {
    int more = 0;
    for (int i = begin; i < text.length(); i++) {
      char c = text.charAt(i);
      more += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    // One byte for the object's end.
    if (bytes + more < LogEncoder.MAX_CONTEXT_BYTES - NOTE_BYTES + moreBytes) {
      bytes += more;
    } else {
      rollBack(name, begin);
    }
  }

  private void rollBack(String name, int begin) {
    text.setLength(begin);
    names.remove(name);
  }

  /** Returns the object; empty without members. */
  @Override
  public String toString() {
    return text.length() == 0 ? "" : text + "}";
  }
}
