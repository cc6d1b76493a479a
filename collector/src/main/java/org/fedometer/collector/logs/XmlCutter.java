package org.fedometer.collector.logs;

import java.nio.charset.StandardCharsets;

/**
 * Splits {@code Event} elements out of XML. Other markup, such as the declaration and {@code
 * Events} tags, is split off separately; {@link XmlEvents} skips it.
 */
final class XmlCutter implements EventCutter {
  private static final byte[] CDATA = "[CDATA[".getBytes(StandardCharsets.US_ASCII);
  private static final String EVENT = "Event";
  private static final String EVENTS = "Events";

  private enum Within {
    TEXT,
    /** After {@code <}. */
    MARKUP,
    /** After {@code <!}. */
    DECLARATION,
    COMMENT,
    CDATA,
    INSTRUCTION,
    START_TAG,
    END_TAG
  }

  private final StringBuilder name = new StringBuilder(EVENTS.length() + 1);
  private Within within = Within.TEXT;
  private boolean nameEnded;
  private int depth;

  /** Received bytes of {@link #CDATA} or of a comment's start, within a declaration. */
  private int matched;

  /** Closing quotation mark of the current attribute value, 0 outside of values. */
  private byte quote;

  private byte last;
  private byte lastButOne;

  @Override
  public int skip(byte[] bytes, int from, int to) throws LogRefusedException {
    for (int i = from; i < to; i++) {
      byte next = bytes[i];
      if (next == '<') {
        return i;
      }
      if (next != ' ' && next != '\t' && next != '\n' && next != '\r' && next != 0) {
        throw broken("the byte " + (next & 0xFF) + " between two elements");
      }
    }
    return to;
  }

  @Override
  public int end(byte[] bytes, int from, int to) throws LogRefusedException {
    for (int i = from; i < to; i++) {
      byte next = bytes[i];
      boolean ended = ends(next);
      lastButOne = last;
      last = next;
      if (ended) {
        within = Within.TEXT;
        if (depth == 0) {
          return i + 1;
        }
      }
    }
    return -1;
  }

  private boolean ends(byte next) throws LogRefusedException {
    switch (within) {
      case TEXT -> {
        if (next == '<') {
          within = Within.MARKUP;
        }
      }
      case MARKUP -> beginMarkup(next);
      case DECLARATION -> goOnWithDeclaration(next);
      case COMMENT -> {
        matched++;
        return next == '>' && last == '-' && lastButOne == '-' && matched > 2;
      }
      case CDATA -> {
        return next == '>' && last == ']' && lastButOne == ']';
      }
      case INSTRUCTION -> {
        return next == '>' && last == '?';
      }
      case START_TAG, END_TAG -> {
        return tagEnds(next);
      }
    }
    return false;
  }

  private void beginMarkup(byte next) throws LogRefusedException {
    matched = 0;
    name.setLength(0);
    nameEnded = false;
    if (next == '!') {
      within = Within.DECLARATION;
    } else if (next == '?') {
      within = Within.INSTRUCTION;
    } else if (next == '/') {
      within = Within.END_TAG;
    } else if (isOfName(next)) {
      within = Within.START_TAG;
      name.append((char) next);
    } else {
      throw broken("the byte " + (next & 0xFF) + " after <");
    }
  }

  private void goOnWithDeclaration(byte next) throws LogRefusedException {
    boolean comment = next == '-' && (matched == 0 || matched == 1 && last == '-');
    boolean cdata = depth > 0 && next == CDATA[matched] && last != '-';
    if (!comment && !cdata) {
      throw new LogRefusedException("XML with a DOCTYPE or another declaration is not supported");
    }
    matched++;
    if (comment && matched == 2) {
      within = Within.COMMENT;
      matched = 0;
    } else if (cdata && matched == CDATA.length) {
      within = Within.CDATA;
    }
  }

  private boolean tagEnds(byte next) throws LogRefusedException {
    if (quote != 0) {
      if (next == quote) {
        quote = 0;
      }
      return false;
    }
    if (next == '<') {
      throw broken("a < within a tag");
    }
    if (next != '>') {
      if ((next == '"' || next == '\'') && within == Within.START_TAG) {
        quote = next;
      }
      nameEnded |= !isOfName(next);
      if (!nameEnded && name.length() <= EVENTS.length()) {
        name.append((char) next);
      }
      return false;
    }
    if (depth == 0) {
      checkOutermost();
    }
    if (within == Within.END_TAG) {
      depth = Math.max(0, depth - 1);
    } else if (last != '/' && !(depth == 0 && isCalled(EVENTS))) {
      depth++;
      if (depth > MAX_DEPTH) {
        throw new LogRefusedException("an XML event is nested deeper than " + MAX_DEPTH);
      }
    }
    return true;
  }

  private void checkOutermost() throws LogRefusedException {
    boolean known = isCalled(EVENTS) || isCalled(EVENT) && within == Within.START_TAG;
    if (!known) {
      throw broken("neither <Event> nor <Events>, as Log4j2's XmlLayout has them");
    }
  }

  private boolean isCalled(String expected) {
    return expected.contentEquals(name);
  }

  private static boolean isOfName(byte next) {
    return next > ' ' && next != '/' && next != '>' && next != '"' && next != '\'' && next != '='
        || next < 0;
  }

  private static LogRefusedException broken(String what) {
    return new LogRefusedException("the XML is broken: " + what);
  }
}
