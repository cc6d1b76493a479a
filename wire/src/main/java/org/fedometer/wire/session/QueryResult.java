package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * A piece of a collector's result of a {@link QueryRequest}: the payload of {@code
 * FrameType.QUERY_RESULT}. Immutable unless the content array, which is not copied, is modified.
 */
public final class QueryResult {
  /** Limit of the content of one frame. */
  public static final int MAX_CONTENT_BYTES = 1024 * 1024;

  /** Announces the next pieces, with its code on the wire. */
  public enum State {
    /** 0: more pieces follow. A piece without content is a keep-alive. */
    MORE,
    /** 1: final, the result is complete. */
    LAST,
    /** 2: final, the query failed; the content has the reason, one sentence in UTF-8. */
    FAILED
  }

  private static final State[] STATES = State.values();

  private final int id;
  private final State state;
  private final byte[] content;

  /**
   * @param id the query's
   * @param content at most {@link #MAX_CONTENT_BYTES}; not copied
   */
  public QueryResult(int id, State state, byte[] content) {
    if (content.length > MAX_CONTENT_BYTES) {
      throw new IllegalArgumentException(
          "A piece of a result must have at most "
              + MAX_CONTENT_BYTES
              + " bytes, not "
              + content.length
              + "; send several");
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

  /** Returns the content itself, not a copy. */
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

  /** Ignores fields that later versions append. */
  public static QueryResult decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    int id = in.fixed32();
    int state = in.fixed8();
    if (state >= STATES.length) {
      throw new MalformedFrameException("A result's state must be 0, 1 or 2, not " + state);
    }
    return new QueryResult(id, STATES[state], in.bytes("A result's content", MAX_CONTENT_BYTES));
  }
}
