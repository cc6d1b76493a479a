package org.fedometer.agent;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameInput;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.GcDecoder;
import org.fedometer.wire.record.LogDecoder;
import org.fedometer.wire.record.LogLevel;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.record.TelemetryDecoder;
import org.fedometer.wire.record.TraceDecoder;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Totals;
import org.fedometer.wire.session.Welcome;

/**
 * A collector that keeps what one agent sends in memory: the real one comes after the agent in the
 * build.
 */
final class ScriptedCollector implements AutoCloseable {

  record Sample(
      String stage,
      String thread,
      long trace,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed) {}

  record Trace(
      long trace,
      String rootStage,
      String pid,
      String traceparent,
      String operation,
      boolean failed) {}

  record Reading(String metric, String unit, long atNanos, double value) {}

  record Collection(
      String collector,
      String action,
      String cause,
      long startNanos,
      long durationNanos,
      long heapBeforeBytes,
      long heapAfterBytes) {}

  record LogLine(
      long atNanos,
      LogLevel level,
      long trace,
      String logger,
      String thread,
      String message,
      String thrown) {}

  private static final class Names {
    final Map<Integer, MetricDictionary.Metric> metrics = new ConcurrentHashMap<>();
    final Map<Integer, String> stages = new ConcurrentHashMap<>();
    final Map<Integer, String> threads = new ConcurrentHashMap<>();
  }

  final List<Sample> samples = Collections.synchronizedList(new ArrayList<>());
  final List<Trace> traces = Collections.synchronizedList(new ArrayList<>());

  final List<Reading> readings = Collections.synchronizedList(new ArrayList<>());
  final List<Collection> collections = Collections.synchronizedList(new ArrayList<>());
  final List<LogLine> lines = Collections.synchronizedList(new ArrayList<>());

  /** All sources that ever sent HELLO. */
  final Set<UUID> sources = ConcurrentHashMap.newKeySet();

  final StringBuffer log = new StringBuffer();
  volatile Hello hello;
  volatile Totals totals;
  volatile long sampleBytes;
  volatile IOException fault;

  /** Reply to HELLO instead of a welcome; {@code null} for none. */
  volatile String rejection;

  /** The dictionaries of each source. */
  private final Map<UUID, Names> names = new ConcurrentHashMap<>();

  private final Map<UUID, Long> durable = new ConcurrentHashMap<>();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final ServerSocket server;

  ScriptedCollector(int port) throws IOException {
    server = new ServerSocket(port, 10, InetAddress.getLoopbackAddress());
    Thread acceptor = new Thread(this::accept, "scripted-collector");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** How many samples of a stage have come so far. */
  long samplesOf(String stage) {
    synchronized (samples) {
      return samples.stream().filter(sample -> sample.stage().equals(stage)).count();
    }
  }

  /** As the source that came last calls it. */
  String stage(int number) {
    return named(names.get(hello.source()).stages, number);
  }

  boolean hasEnded() {
    return totals != null && totals.last();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket connection : connections) {
      connection.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        connections.add(socket);
        if (server.isClosed()) {
          // Accepted while it was closed.
          socket.close();
        }
        // A source comes back before its old connection is known to be dead.
        Thread connection = new Thread(() -> serveAndClose(socket), "scripted-connection");
        connection.setDaemon(true);
        connection.start();
      }
    } catch (IOException e) {
      if (!server.isClosed()) { // else the test is over
        fault = e;
      }
    }
  }

  private void serveAndClose(Socket socket) {
    try (socket) {
      serve(socket);
    } catch (EOFException | SocketException agentIsGone) {
      // It comes again, or its JVM died.
    } catch (IOException e) {
      fault = e;
    } catch (RuntimeException e) {
      fault = new IOException("a frame is not understood", e);
    }
  }

  private void serve(Socket socket) throws IOException {
    FrameInput in = new FrameInput(socket.getInputStream(), Frame.MAX_BYTES);
    OutputStream out = socket.getOutputStream();
    Hello greeting = Hello.decode(ByteBuffer.wrap(in.read().payload()));
    hello = greeting;
    if (rejection != null) {
      out.write(
          Frame.session(FrameType.REJECTED, new Rejected(false, rejection).encode()).toBytes());
      return;
    }
    UUID source = greeting.source();
    sources.add(source);
    Welcome welcome =
        new Welcome(
            Hello.PROTOCOL_VERSION, durable.getOrDefault(source, 0L), "/store", "host", "run", "");
    out.write(Frame.session(FrameType.WELCOME, welcome.encode()).toBytes());
    while (true) {
      Frame frame = in.read();
      if (frame.sequence() == 0) {
        continue; // A clock request, which this collector ignores.
      }
      synchronized (durable) {
        if (frame.sequence() > durable.getOrDefault(source, 0L)) {
          keep(
              names.computeIfAbsent(source, any -> new Names()),
              frame.type(),
              ByteBuffer.wrap(frame.payload()));
          durable.put(source, frame.sequence());
        }
      }
      out.write(
          Frame.session(
                  FrameType.ACKNOWLEDGEMENT, new Acknowledgement(frame.sequence(), "").encode())
              .toBytes());
    }
  }

  private void keep(Names names, FrameType type, ByteBuffer payload) throws IOException {
    switch (type) {
      case STAGES -> names.stages.putAll(Dictionary.decode(payload).entries());
      case THREADS -> names.threads.putAll(Dictionary.decode(payload).entries());
      case SAMPLES -> {
        sampleBytes += payload.remaining();
        SampleDecoder.decode(
            payload,
            (stage, thread, trace, start, total, own, failed) ->
                samples.add(
                    new Sample(
                        named(names.stages, stage),
                        named(names.threads, thread),
                        trace,
                        start,
                        total,
                        own,
                        failed)));
      }
      case TRACES ->
          TraceDecoder.decode(
              payload,
              (trace, root, pid, traceparent, operation, failed) ->
                  traces.add(
                      new Trace(
                          trace, named(names.stages, root), pid, traceparent, operation, failed)));
      case METRICS -> names.metrics.putAll(MetricDictionary.decode(payload).entries());
      case TELEMETRY ->
          TelemetryDecoder.decode(
              payload,
              (at, number, value) -> {
                MetricDictionary.Metric metric = names.metrics.get(number);
                readings.add(new Reading(metric.name(), metric.unit(), at, value));
              });
      case GC ->
          GcDecoder.decode(
              payload,
              row ->
                  collections.add(
                      new Collection(
                          row.collector,
                          row.action,
                          row.cause,
                          row.startNanos,
                          row.durationNanos,
                          row.heapBeforeBytes,
                          row.heapAfterBytes)));
      case LOGS ->
          LogDecoder.decode(
              payload,
              row ->
                  lines.add(
                      new LogLine(
                          row.atNanos,
                          row.level,
                          row.traceId,
                          row.logger,
                          row.thread,
                          row.message,
                          row.thrown)));
      case TOTALS -> totals = Totals.decode(payload);
      case DOCUMENT ->
          log.append(new String(Document.decode(payload).content(), StandardCharsets.UTF_8));
      default -> throw new IOException("an agent does not send " + type);
    }
  }

  private static String named(Map<Integer, String> dictionary, int number) {
    String name = dictionary.get(number);
    if (name == null) {
      throw new UncheckedIOException(
          new IOException("number " + number + " was used before its name was sent"));
    }
    return name;
  }
}
