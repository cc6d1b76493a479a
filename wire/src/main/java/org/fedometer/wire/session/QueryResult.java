package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * A piece of a collector's answer to an {@link QueryRequest}: the payload of {@code
 * FrameType.ANSWER}. Immutable as long as nobody writes to the content array, which is not copied.
 */
public final class QueryResult {
  /** The most content that one frame carries. */
  public static final int MAX_CONTENT_BYTES = 1024 * 1024;

  /** What follows a piece, with the number that stands for it on the wire. */
  public enum State {
    /** 0: more pieces. A piece without content is a sign of life. */
    MORE,
    /** 1: nothing, the answer is complete. */
    LAST,
    /** 2: nothing, there is no answer; the content says why, one sentence in UTF-8. */
    FAILED
  }

  private static final State[] STATES = State.values();

  private final int id;
  private final State state;
  private final byte[] content;

  /**
   * @param id the question's
   * @param content at most {@link #MAX_CONTENT_BYTES}; not copied
   */
  public QueryResult(int id, State state, byte[] content) {
    if (content.length > MAX_CONTENT_BYTES) {
      throw new IllegalArgumentException(
          "An answer's piece has at most "
              + MAX_CONTENT_BYTES
              + " bytes, not "
              + content.length
              + ": send several");
    }
    this.id = id;
    this.state = state;
    this.content = content;
  }

  public int id() {
    return id;
  }

  public State state() {
    return state;
  }

  /** Not a copy. */
  public byte[] content() {
    return content;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter(content.length + 16, Frame.MAX_PAYLOAD_BYTES);
    out.fixed32(id);
    out.fixed8(state.ordinal());
    out.varint(content.length);
    out.raw(content);
    return out.toByteArray();
  }

  /** Later versions may append fields; they are ignored. */
  public static QueryResult decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    int id = in.fixed32();
    int state = in.fixed8();
    if (state >= STATES.length) {
      throw new MalformedFrameException("An answer's state is 0, 1 or 2, not " + state);
    }
    return new QueryResult(id, STATES[state], in.bytes("An answer's content", MAX_CONTENT_BYTES));
  }
}
