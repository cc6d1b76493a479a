package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * A reader's question to a collector: the payload of {@code FrameType.ASK}. The collector answers
 * with {@link Answer}s. A connection has one question at a time. Immutable.
 */
public final class Ask {
  public static final int MAX_QUESTION_BYTES = 64 * 1024;

  private final int id;
  private final String question;

  /**
   * @param id repeated in the answers; any number, another for each question
   * @param question JSON, at most {@link #MAX_QUESTION_BYTES}
   */
  public Ask(int id, String question) {
    this.id = id;
    this.question = question;
  }

  public int id() {
    return id;
  }

  public String question() {
    return question;
  }

  /**
   * @throws IllegalArgumentException when the question is too long
   */
  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.fixed32(id);
    out.string("A question", question, MAX_QUESTION_BYTES);
    return out.toByteArray();
  }

  /** Later versions may append fields; they are ignored. */
  public static Ask decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    return new Ask(in.fixed32(), in.string("A question", MAX_QUESTION_BYTES));
  }
}
