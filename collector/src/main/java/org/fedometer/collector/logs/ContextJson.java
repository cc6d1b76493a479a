package org.fedometer.collector.logs;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.fedometer.wire.record.LogEncoder;

/**
 * A JSON object, written member by member. Of two members with one name the first stays; one that
 * finds no room is left out. One thread.
 */
final class ContextJson {
  /** So much memory stays in use from one event to the next; some try more than fits. */
  private static final int KEPT_CHARACTERS = 32 * 1024;

  /** Of the room, for what the collector itself notes last. */
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

  /** As {@link #put}, of at most {@link #NOTE_BYTES}: it finds room whatever has been put. */
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
   * Puts the value that a parser stands at; it stands at the value's end afterwards. An object or
   * array without anything in it is none.
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

  /** Where the member begins; negative where there is one of that name. */
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
    // The object's end has one byte.
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

  /** Empty if there is no member. */
  @Override
  public String toString() {
    return text.length() == 0 ? "" : text + "}";
  }
}
