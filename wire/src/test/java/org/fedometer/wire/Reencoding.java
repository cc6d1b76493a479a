package org.fedometer.wire;

import java.nio.ByteBuffer;
import org.fedometer.wire.record.GcDecoder;
import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.LogDecoder;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.RequestDecoder;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryDecoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.record.TraceDecoder;
import org.fedometer.wire.record.TraceEncoder;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.ClockEstimate;
import org.fedometer.wire.session.ClockReply;
import org.fedometer.wire.session.ClockRequest;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Environment;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Marker;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.session.QueryResult;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Totals;
import org.fedometer.wire.session.Welcome;

/** Reads a payload of any type and writes what it read, to see whether all of it was understood. */
final class Reencoding {
  private Reencoding() {}

  /** The payload of what the decoder made of the given one. */
  static byte[] of(FrameType type, byte[] payload) throws MalformedFrameException {
    ByteBuffer bytes = ByteBuffer.wrap(payload);
    return switch (type) {
      case HELLO -> Hello.decode(bytes).encode();
      case WELCOME -> Welcome.decode(bytes).encode();
      case REJECTED -> Rejected.decode(bytes).encode();
      case ACKNOWLEDGEMENT -> Acknowledgement.decode(bytes).encode();
      case CLOCK_REQUEST -> ClockRequest.decode(bytes).encode();
      case CLOCK_REPLY -> ClockReply.decode(bytes).encode();
      case QUERY -> QueryRequest.decode(bytes).encode();
      case QUERY_RESULT -> QueryResult.decode(bytes).encode();
      case AGENT_REPORT -> AgentReport.decode(bytes).encode();
      case STAGES, THREADS -> Dictionary.decode(bytes).encode();
      case SAMPLES -> {
        SampleEncoder again = new SampleEncoder();
        SampleDecoder.decode(bytes, again::add);
        yield again.finish();
      }
      case TRACES -> {
        TraceEncoder again = new TraceEncoder();
        TraceDecoder.decode(bytes, again::add);
        yield again.finish();
      }
      case TOTALS -> Totals.decode(bytes).encode();
      case REQUESTS -> {
        RequestEncoder again = new RequestEncoder();
        RequestDecoder.decode(
            bytes,
            row ->
                again.add(
                    row.objectIndex,
                    row.pid,
                    row.traceparent,
                    row.worker,
                    row.attempt,
                    row.startNanos,
                    row.durationNanos,
                    row.status,
                    row.contentBytes,
                    row.message,
                    row.operation,
                    row.intendedStartNanos));
        yield again.finish();
      }
      case DOCUMENT -> Document.decode(bytes).encode();
      case CLOSE_RUN -> CloseRun.decode(bytes).encode();
      case ENVIRONMENT -> Environment.decode(bytes).encode();
      case MARKER -> Marker.decode(bytes).encode();
      case CLOCK -> ClockEstimate.decode(bytes).encode();
      case LOGS -> {
        LogEncoder again = new LogEncoder();
        LogDecoder.decode(
            bytes,
            row ->
                again.add(
                    row.atNanos,
                    row.level,
                    row.traceId,
                    row.logger,
                    row.thread,
                    row.message,
                    row.thrown,
                    row.context));
        yield again.finish();
      }
      case METRICS -> MetricDictionary.decode(bytes).encode();
      case TELEMETRY -> {
        TelemetryEncoder again = new TelemetryEncoder();
        TelemetryDecoder.decode(bytes, again::add);
        yield again.finish();
      }
      case GC -> {
        GcEncoder again = new GcEncoder();
        GcDecoder.decode(
            bytes,
            row ->
                again.add(
                    row.collector,
                    row.action,
                    row.cause,
                    row.startNanos,
                    row.durationNanos,
                    row.heapBeforeBytes,
                    row.heapAfterBytes));
        yield again.finish();
      }
    };
  }
}
