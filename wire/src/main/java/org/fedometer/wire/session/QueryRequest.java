package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * A reader's question to a collector: the payload of {@code FrameType.ASK}. The collector answers
 * with {@link QueryResult}s. A connection has one question at a time. Immutable.
 */
public final class QueryRequest {
  public static final int MAX_QUERY_BYTES = 64 * 1024;

  private final int id;
  private final String query;

  /**
   * @param id repeated in the answers; any number, another for each question
   * @param query JSON, at most {@link #MAX_QUERY_BYTES}
   */
  public QueryRequest(int id, String query) {
    this.id = id;
    this.query = query;
  }

  public int id() {
    return id;
  }

  public String query() {
    return query;
  }

  /**
   * @throws IllegalArgumentException when the question is too long
   */
  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.fixed32(id);
    out.string("A question", query, MAX_QUERY_BYTES);
    return out.toByteArray();
  }

  /** Later versions may append fields; they are ignored. */
  public static QueryRequest decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    return new QueryRequest(in.fixed32(), in.string("A question", MAX_QUERY_BYTES));
  }
}
