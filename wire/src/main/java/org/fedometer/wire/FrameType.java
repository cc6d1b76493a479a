package org.fedometer.wire;

import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.record.TraceEncoder;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.Answer;
import org.fedometer.wire.session.Ask;
import org.fedometer.wire.session.Barrier;
import org.fedometer.wire.session.ClockEstimate;
import org.fedometer.wire.session.ClockReply;
import org.fedometer.wire.session.ClockRequest;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Environment;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Refused;
import org.fedometer.wire.session.Totals;
import org.fedometer.wire.session.Welcome;

/**
 * What a frame carries, with the byte that stands for it on the wire. Codes below 16 belong to the
 * session (sequence 0, never stored); codes from 16 are durable (sequence 1 and up, stored before
 * they are acknowledged). A receiver skips codes it does not know.
 */
public enum FrameType {
  /** First frame of a connection, client to collector: {@link Hello}. */
  HELLO(1),
  /** The collector's consent: {@link Welcome}. */
  WELCOME(2),
  /** The collector's refusal, after which it closes the connection: {@link Refused}. */
  REFUSED(3),
  /** What is durable by now: {@link Acknowledgement}. */
  ACKNOWLEDGEMENT(4),
  /** What time is it at the collector: {@link ClockRequest}. */
  CLOCK_REQUEST(5),
  /** The collector's time: {@link ClockReply}. */
  CLOCK_REPLY(6),
  /** A reader's question: {@link Ask}. */
  ASK(7),
  /** A piece of the collector's answer: {@link Answer}. */
  ANSWER(8),
  /** An agent's answer to a command of a tool on its host: {@link AgentReport}. */
  AGENT_REPORT(9),

  /** Names of stage numbers: {@link Dictionary}. */
  STAGES(16),
  /** Names of thread numbers: {@link Dictionary}. */
  THREADS(17),
  /** Timed executions of stages: {@link SampleEncoder}. */
  SAMPLES(18),
  /** Outcomes of requests as seen inside Fedora: {@link TraceEncoder}. */
  TRACES(19),
  /** Exact sums per stage: {@link Totals}. */
  TOTALS(20),
  /** Requests as seen by the driver: {@link RequestEncoder}. */
  REQUESTS(21),
  /** A file of the run, or a piece of one: {@link Document}. */
  DOCUMENT(22),
  /** Asks the collector to seal the run before it acknowledges this frame: {@link CloseRun}. */
  CLOSE_RUN(23),
  /** What is known of the source's host, process and settings: {@link Environment}. */
  ENVIRONMENT(24),
  /** A moment that has a name: {@link Barrier}. */
  BARRIER(25),
  /** How the source's clock relates to the collector's: {@link ClockEstimate}. */
  CLOCK(26),
  /** Lines of a log, with what was known when they were logged: {@link LogEncoder}. */
  LOGS(27),
  /** Names and units of metric numbers: {@link MetricDictionary}. */
  METRICS(28),
  /** Readings of metrics: {@link TelemetryEncoder}. */
  TELEMETRY(29),
  /** Garbage collections of the source's JVM: {@link GcEncoder}. */
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

  /** The byte on the wire. */
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
