package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * A file of the run's folder, or a piece of one: the payload of {@code FrameType.DOCUMENT}. A long
 * file needs one frame that replaces and further ones that append. Immutable unless the content
 * array, which is not copied, is modified.
 */
public final class Document {
  /** Limit of the content of one frame. */
  public static final int MAX_CONTENT_BYTES = 1024 * 1024;

  private static final int MAX_PATH_BYTES = 1024;
  private static final int MAX_SEGMENTS = 8;

  /** Limit of a name in file systems. */
  private static final int MAX_SEGMENT_BYTES = 255;

  private final String path;
  private final byte[] content;
  private final boolean append;

  /**
   * @param path relative to the run's folder, segments separated by {@code /}: at most eight, each
   *     of at most 255 letters, digits, {@code . _ -}, none of them {@code .} or {@code ..}; 1,024
   *     characters at most
   * @param content at most {@link #MAX_CONTENT_BYTES}; not copied
   * @param append true appends to the file, false replaces it atomically
   */
  public Document(String path, byte[] content, boolean append) {
    String fault = faultOf(path);
    if (fault != null) {
      throw new IllegalArgumentException(fault);
    }
    if (content.length > MAX_CONTENT_BYTES) {
      throw new IllegalArgumentException(
          "A document frame carries at most "
              + MAX_CONTENT_BYTES
              + " bytes, not "
              + content.length
              + "; send the rest with append");
    }
    this.path = path;
    this.content = content;
    this.append = append;
  }

  public String path() {
    return path;
  }

  /** Returns the content itself, not a copy. */
  public byte[] content() {
    return content;
  }

  public boolean append() {
    return append;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter(content.length + 256, Frame.MAX_PAYLOAD_BYTES);
    out.flag(append);
    out.string("A document's path", path, MAX_PATH_BYTES);
    out.varint(content.length);
    out.raw(content);
    return out.toByteArray();
  }

  /**
   * @throws MalformedFrameException also for a path that the constructor would reject
   */
  public static Document decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    boolean append = in.flag();
    String path = in.string("A document's path", MAX_PATH_BYTES);
    byte[] content = in.bytes("A document's content", MAX_CONTENT_BYTES);
    in.expectEnd();
    String fault = faultOf(path);
    if (fault != null) {
      throw new MalformedFrameException(fault);
    }
    return new Document(path, content, append);
  }

  /** Returns one sentence, or null if the path is valid. */
  private static String faultOf(String path) {
    String[] segments = path.split("/", -1);
    boolean fine = segments.length <= MAX_SEGMENTS && path.length() <= MAX_PATH_BYTES;
    for (String segment : segments) {
      fine &= isSafe(segment);
    }
    return fine
        ? null
        : "A document's path must have one to eight segments of at most 255 letters, digits, '.',"
            + " '_' and '-', none of them '.' or '..', and at most 1024 characters, unlike \""
            + path
            + "\"";
  }

  private static boolean isSafe(String segment) {
    if (segment.isEmpty()
        || segment.length() > MAX_SEGMENT_BYTES
        || segment.equals(".")
        || segment.equals("..")) {
      return false;
    }
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      boolean letterOrDigit = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      if (!letterOrDigit && c != '.' && c != '_' && c != '-') {
        return false;
      }
    }
    return true;
  }
}
