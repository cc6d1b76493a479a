package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * A reader's query to a collector: the payload of {@code FrameType.QUERY}. The collector sends
 * {@link QueryResult}s. A connection has one query at a time. Immutable.
 */
public final class QueryRequest {
  public static final int MAX_QUERY_BYTES = 64 * 1024;

  private final int id;
  private final String query;

  /**
   * @param id repeated in the results; any number, different for each query
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
   * @throws IllegalArgumentException if the query is too long
   */
  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.fixed32(id);
    out.string("A query", query, MAX_QUERY_BYTES);
    return out.toByteArray();
  }

  /** Ignores fields that later versions append. */
  public static QueryRequest decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    return new QueryRequest(in.fixed32(), in.string("A query", MAX_QUERY_BYTES));
  }
}
