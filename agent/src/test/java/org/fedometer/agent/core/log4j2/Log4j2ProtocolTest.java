package org.fedometer.agent.core.log4j2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.OneWayProtocol.Conversation;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the output to a receiver on connections as a client creates them. */
@Timeout(60)
class Log4j2ProtocolTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final UUID source = UUID.randomUUID();
  private final AgentLog log = new AgentLog();
  private Log4j2Protocol protocol = Log4j2Protocol.of(log);
  private ServerSocket server;
  private Socket connection;
  private Socket received;
  private BufferedReader in;
  private Conversation conversation;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void end() throws IOException {
    hangUp();
    server.close();
  }

  @Test
  void helloHasTheHostName() throws Exception {
    connect();
    assertThat(next().get("host").asText())
        .isEqualTo(Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
  }

  @Test
  void namesOutliveAConnectionAndEndWithTheClient() throws Exception {
    connect();
    conversation.send(frame(FrameType.STAGES, 1, new Dictionary().put(4, "ingest").encode()));
    hangUp();
    connect();
    assertThat(stageOfASample()).isEqualTo("ingest");
    hangUp();
    protocol.clientClosed(source);
    connect();
    assertThat(stageOfASample()).isEqualTo("#4");
  }

  @Test
  void recalledNamesAreKnownAndNotSent() throws Exception {
    connect();
    conversation.recall(frame(FrameType.STAGES, 3, new Dictionary().put(4, "new").encode()));
    conversation.recall(frame(FrameType.STAGES, 1, new Dictionary().put(4, "old").encode()));
    conversation.recall(frame(FrameType.STAGES, 0, new byte[] {1}));
    assertThat(stageOfASample()).isEqualTo("new");
    assertThat(logged()).contains("names of frame 0 are skipped");
  }

  @Test
  void skipsAndLogsAFrameThatCannotBeEmitted() throws Exception {
    connect();
    assertThat(next().get("event").asText()).isEqualTo("hello");
    LogEncoder lines = new LogEncoder();
    lines.add(0, LogLevel.INFO, 0, "l", "t", "whole", "");
    byte[] whole = lines.finish();
    byte[] torn = Arrays.copyOf(whole, whole.length - 1);
    conversation.send(frame(FrameType.LOGS, 1, torn));
    conversation.send(frame(FrameType.LOGS, 2, whole));
    JsonNode event = next();
    while (event.get("frame").asInt() != 2) {
      event = next();
    }
    assertThat(event.get("message").asText()).isEqualTo("whole");
    assertThat(logged()).contains("frame 1 is skipped: org.fedometer.wire.MalformedFrameException");
  }

  @Test
  void skipsAFrameThatTheLayoutCannotFormat() throws Exception {
    String failsAtSamples =
        "{\"fedometer\":{\"$resolver\":\"map\"},\"upper\":{\"$resolver\":\"caseConverter\","
            + "\"case\":\"upper\",\"input\":{\"$resolver\":\"map\",\"key\":\"threadId\"},"
            + "\"errorHandlingStrategy\":\"fail\"}}";
    protocol = new Log4j2Protocol(log, Log4j2Protocol.layout(failsAtSamples));
    connect();
    assertThat(next().get("event").asText()).isEqualTo("hello");
    LogEncoder lines = new LogEncoder();
    lines.add(0, LogLevel.INFO, 0, "l", "t", "whole", "");
    conversation.send(frame(FrameType.SAMPLES, 1, samples()));
    conversation.send(frame(FrameType.LOGS, 2, lines.finish()));
    assertThat(next().get("message").asText()).isEqualTo("whole");
    assertThat(logged()).contains("frame 1 is skipped: java.lang.").doesNotContain("frame 2");
  }

  @Test
  void doesNotSkipAFrameThatTheConnectionRejects() throws Exception {
    connect();
    connection.close();
    byte[] samples = samples();
    assertThatThrownBy(() -> conversation.send(frame(FrameType.SAMPLES, 1, samples)))
        .isInstanceOf(IOException.class);
    assertThat(logged()).doesNotContain("skipped");
  }

  private void connect() throws IOException {
    connection = new Socket(server.getInetAddress(), server.getLocalPort());
    received = server.accept();
    in =
        new BufferedReader(
            new InputStreamReader(received.getInputStream(), StandardCharsets.UTF_8));
    Hello hello =
        Hello.builder(source, "agent").sourceName("here").nanos(System.nanoTime()).build();
    conversation = protocol.begin(hello, connection, connection.getOutputStream());
  }

  private void hangUp() throws IOException {
    connection.close();
    received.close();
    conversation.end();
  }

  private String stageOfASample() throws IOException {
    assertThat(next().get("event").asText()).isEqualTo("hello");
    conversation.send(frame(FrameType.SAMPLES, 7, samples()));
    return next().get("stage").asText();
  }

  private static byte[] samples() {
    SampleEncoder samples = new SampleEncoder();
    samples.add(4, 1, 0, 0, 0, 0, false);
    return samples.finish();
  }

  private static Frame frame(FrameType type, long sequence, byte[] payload) {
    return new Frame(type.code(), sequence, payload);
  }

  private JsonNode next() throws IOException {
    return JSON.readTree(in.readLine()).get("fedometer");
  }

  private String logged() {
    return new String(log.drain(), StandardCharsets.UTF_8);
  }
}
