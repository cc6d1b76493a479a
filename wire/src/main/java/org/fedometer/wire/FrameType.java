package org.fedometer.wire;

/**
 * Content of a frame, with its code on the wire. Codes below 16 belong to the session (sequence 0,
 * never stored); codes from 16 are durable (sequence 1 and up, stored before they are
 * acknowledged). A receiver skips unknown codes.
 */
public enum FrameType {
  /** First frame of a connection, client to collector: {@code Hello}. */
  HELLO(1),
  /** The collector accepts the connection: {@code Welcome}. */
  WELCOME(2),
  /** The collector rejects and closes the connection: {@code Rejected}. */
  REJECTED(3),
  /** Reports the durable frames: {@code Acknowledgement}. */
  ACKNOWLEDGEMENT(4),
  /** Requests the collector's time: {@code ClockRequest}. */
  CLOCK_REQUEST(5),
  /** The collector's time: {@code ClockReply}. */
  CLOCK_REPLY(6),
  /** A reader's query: {@code QueryRequest}. */
  QUERY(7),
  /** A piece of a query's result: {@code QueryResult}. */
  QUERY_RESULT(8),
  /** An agent's reply to a command from a tool on its host: {@code AgentReport}. */
  AGENT_REPORT(9),

  /** Names of stage numbers: {@code Dictionary}. */
  STAGES(16),
  /** Names of thread numbers: {@code Dictionary}. */
  THREADS(17),
  /** Timed executions of stages: {@code SampleEncoder}. */
  SAMPLES(18),
  /** Outcomes of requests as seen inside Fedora: {@code TraceEncoder}. */
  TRACES(19),
  /** Exact sums per stage: {@code Totals}. */
  TOTALS(20),
  /** Requests as seen by the driver: {@code RequestEncoder}. */
  REQUESTS(21),
  /** A file of the run, or a piece of one: {@code Document}. */
  DOCUMENT(22),
  /** Makes the collector seal the run before it acknowledges this frame: {@code CloseRun}. */
  CLOSE_RUN(23),
  /** The source's host, process and settings: {@code Environment}. */
  ENVIRONMENT(24),
  /** A named moment: {@code Marker}. */
  MARKER(25),
  /** Offset of the source's clock to the collector's: {@code ClockEstimate}. */
  CLOCK(26),
  /** Log lines with their context: {@code LogEncoder}. */
  LOGS(27),
  /** Names and units of metric numbers: {@code MetricDictionary}. */
  METRICS(28),
  /** Readings of metrics: {@code TelemetryEncoder}. */
  TELEMETRY(29),
  /** Garbage collections of the source's JVM: {@code GcEncoder}. */
  GC(30);

  private static final int FIRST_DURABLE_CODE = 16;
  private static final FrameType[] BY_CODE = new FrameType[128];

  static {
    for (FrameType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final byte code;

  FrameType(int code) {
    this.code = (byte) code;
  }

  public byte code() {
    return code;
  }

  /** Returns whether frames of this type have a sequence number and are stored. */
  public boolean durable() {
    return code >= FIRST_DURABLE_CODE;
  }

  /** Returns the type of a code, or null if this version does not know it. */
  public static FrameType ofCode(byte code) {
    return code < 0 ? null : BY_CODE[code];
  }
}
