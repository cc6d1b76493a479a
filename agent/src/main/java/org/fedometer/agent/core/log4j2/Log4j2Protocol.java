package org.fedometer.agent.core.log4j2;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.logging.log4j.core.appender.AppenderLoggingException;
import org.apache.logging.log4j.layout.template.json.JsonTemplateLayout;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.client.OneWayProtocol;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.session.Hello;

/**
 * Sends measured data to a Log4j2 receiver, one JSON object per line, by Log4j2's SocketAppender
 * and JsonTemplateLayout. See docs/developers/protocol.md. Created on any thread, used by senders'
 * threads.
 */
public final class Log4j2Protocol implements OneWayProtocol {

  /** Log4j2's field names; all of Fedometer's fields are in a nested object. */
  static final String TEMPLATE =
      "{\"@timestamp\":{\"$resolver\":\"timestamp\",\"pattern\":{"
          + "\"format\":\"yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'\",\"timeZone\":\"UTC\"}},"
          + "\"fedometer\":{\"$resolver\":\"map\"}}";

  private final AgentLog log;
  private final JsonTemplateLayout layout;
  private final String host = hostName();

  /** Names of this process and of forwarded spools. */
  private final Map<UUID, SourceNames> names = new ConcurrentHashMap<>();

  Log4j2Protocol(AgentLog log, JsonTemplateLayout layout) {
    this.log = log;
    this.layout = layout;
  }

  /**
   * @throws IllegalStateException with one sentence if Log4j2 cannot be used here
   */
  public static Log4j2Protocol of(AgentLog log) {
    Log4j2Protocol protocol = new Log4j2Protocol(log, layout(TEMPLATE));
    Log4j2Isolation.logTo(log);
    return protocol;
  }

  static JsonTemplateLayout layout(String template) {
    Log4j2Isolation.ensure();
    return JsonTemplateLayout.newBuilder()
        .setConfiguration(NoConfiguration.get())
        .setCharset(StandardCharsets.UTF_8)
        .setEventTemplate(template)
        .setStackTraceElementTemplate("{}")
        .setStackTraceEnabled(false)
        .setLocationInfoEnabled(false)
        .setEventDelimiter("\n")
        .setNullEventDelimiterEnabled(false)
        .setMaxStringLength(LogEncoder.MAX_THROWN_BYTES)
        .setTruncatedStringSuffix("")
        .build();
  }

  @Override
  public Conversation begin(Hello introduction, Socket socket, OutputStream out)
      throws IOException {
    SourceNames known =
        names.computeIfAbsent(introduction.source(), anySource -> new SourceNames());
    Events conversation = new Events(introduction, known, ReceiverAppender.on(socket, out, layout));
    conversation.sendHello(introduction);
    return conversation;
  }

  @Override
  public void clientClosed(UUID source) {
    names.remove(source);
  }

  private final class Events implements Conversation {

    private final ReceiverAppender appender;
    private final FrameEvents events;

    Events(Hello introduction, SourceNames known, ReceiverAppender appender) {
      this.appender = appender;
      this.events =
          new FrameEvents(
              introduction.source().toString(),
              known,
              EpochClock.at(introduction.nanos()),
              appender::append);
    }

    void sendHello(Hello introduction) throws IOException {
      try {
        events.hello(introduction, host);
        appender.flush();
      } catch (AppenderLoggingException e) {
        throw broken(e);
      }
    }

    @Override
    public void recall(Frame dictionary) {
      try {
        events.recall(dictionary);
      } catch (MalformedFrameException | RuntimeException e) {
        log.appendError("names of frame " + dictionary.sequence() + " are skipped", e);
      }
    }

    @Override
    public void send(Frame frame) throws IOException {
      try {
        emit(frame);
        appender.flush();
      } catch (AppenderLoggingException e) {
        throw broken(e);
      }
    }

    private void emit(Frame frame) {
      try {
        events.frame(frame);
      } catch (AppenderLoggingException e) {
        throw e;
      } catch (MalformedFrameException | RuntimeException e) {
        // A retry would fail too.
        log.appendError("frame " + frame.sequence() + " is skipped", e);
      }
    }

    @Override
    public void end() {
      try {
        appender.stop();
      } catch (AppenderLoggingException theSocketIsClosed) {
        // Unwritten frames come again on the next connection.
      }
    }
  }

  private static IOException broken(AppenderLoggingException e) {
    return e.getCause() instanceof IOException
        ? (IOException) e.getCause()
        : new IOException(e.getMessage(), e);
  }

  /** Reads the kernel's host name, since a name resolver may be slow. */
  private static String hostName() {
    try {
      byte[] name = Files.readAllBytes(Paths.get("/proc/sys/kernel/hostname"));
      return new String(name, StandardCharsets.UTF_8).trim();
    } catch (IOException unknown) {
      return "";
    }
  }
}
