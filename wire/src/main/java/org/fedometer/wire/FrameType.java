package org.fedometer.wire;

/**
 * What a frame carries, with the byte that stands for it on the wire. Codes below 16 belong to the
 * session (sequence 0, never stored); codes from 16 are durable (sequence 1 and up, stored before
 * they are acknowledged). A receiver skips codes it does not know.
 */
public enum FrameType {
  /** First frame of a connection, client to collector: {@code Hello}. */
  HELLO(1),
  /** The collector's consent: {@code Welcome}. */
  WELCOME(2),
  /** The collector's refusal, after which it closes the connection: {@code Refused}. */
  REJECTED(3),
  /** What is durable by now: {@code Acknowledgement}. */
  ACKNOWLEDGEMENT(4),
  /** What time is it at the collector: {@code ClockRequest}. */
  CLOCK_REQUEST(5),
  /** The collector's time: {@code ClockReply}. */
  CLOCK_REPLY(6),
  /** A reader's question: {@code Ask}. */
  QUERY(7),
  /** A piece of the collector's answer: {@code Answer}. */
  QUERY_RESULT(8),
  /** An agent's answer to a command of a tool on its host: {@code AgentReport}. */
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
  /** Asks the collector to seal the run before it acknowledges this frame: {@code CloseRun}. */
  CLOSE_RUN(23),
  /** What is known of the source's host, process and settings: {@code Environment}. */
  ENVIRONMENT(24),
  /** A moment that has a name: {@code Barrier}. */
  MARKER(25),
  /** How the source's clock relates to the collector's: {@code ClockEstimate}. */
  CLOCK(26),
  /** Lines of a log, with what was known when they were logged: {@code LogEncoder}. */
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

  /** Whether frames of this type have a sequence number and are stored. */
  public boolean durable() {
    return code >= FIRST_DURABLE_CODE;
  }

  /** The type of a code, or null where this version knows none. */
  public static FrameType ofCode(byte code) {
    return code < 0 ? null : BY_CODE[code];
  }
}
