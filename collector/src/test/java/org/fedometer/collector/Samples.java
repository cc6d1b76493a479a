package org.fedometer.collector;

import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Dictionary;

/** Payloads whose samples are identified by their traces. */
public final class Samples {
  private Samples() {}

  public static byte[] stages() {
    return new Dictionary().put(0, "http.request").put(1, "ingest").encode();
  }

  public static byte[] threads() {
    return new Dictionary().put(5, "http-5").encode();
  }

  /** Samples with the traces from (inclusive) to (exclusive). */
  public static byte[] traces(long from, long to) {
    SampleEncoder encoder = new SampleEncoder();
    for (long trace = from; trace < to; trace++) {
      encoder.add((int) (trace % 2), 5, trace, 1_000_000 * trace, 700_000, 600_000, false);
    }
    return encoder.finish();
  }
}
