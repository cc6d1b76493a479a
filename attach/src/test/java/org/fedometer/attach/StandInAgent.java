package org.fedometer.attach;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Totals;

/**
 * Replies as the agent does, but weaves nothing, for tests of the tool's side alone. The option
 * {@code source-name} selects its behaviour: {@code mute}, {@code hangs}, {@code throws}, {@code
 * refuses}, {@code hangs-up}.
 */
public final class StandInAgent {
  private static Map<String, String> options;
  private static String state = "recording";

  private StandInAgent() {}

  /** Makes {@code fedometer-agent.jar} in a folder. */
  static Path jar(Path folder) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Agent-Class", StandInAgent.class.getName());
    attributes.putValue("Class-Path", locationOf(AgentReport.class));
    Path jar = folder.resolve("fedometer-agent.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      String entry = StandInAgent.class.getName().replace('.', '/') + ".class";
      out.putNextEntry(new ZipEntry(entry));
      out.write(StandInAgent.class.getResourceAsStream("/" + entry).readAllBytes());
      out.closeEntry();
    }
    return jar;
  }

  static String locationOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().toString();
  }

  public static void agentmain(String arguments) throws Exception {
    Map<String, String> given = parse(arguments);
    String manner = given.getOrDefault("source-name", "");
    switch (manner) {
      case "mute" -> {
        return;
      }
      case "hangs" -> new CountDownLatch(1).await();
      case "throws" -> throw new IllegalStateException("told to");
      default -> {}
    }
    String[] reply = given.get("reply").split("/");
    Socket socket =
        new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), Integer.parseInt(reply[0]));
    if (given.containsKey("options")) {
      send(socket.getOutputStream(), reply[1], AgentReport.State.WORKING, "reading the options");
      DataInputStream in = new DataInputStream(socket.getInputStream());
      given = parse(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
    }
    if (given.get("command").equals("top") && options != null) {
      Thread thread = new Thread(() -> live(socket, reply[1]), "stand-in-top");
      thread.setDaemon(true);
      thread.start();
      return;
    }
    try (socket) {
      answer(socket.getOutputStream(), reply[1], given, manner);
    }
  }

  private static void answer(
      OutputStream out, String nonce, Map<String, String> given, String manner) throws IOException {
    String command = given.get("command");
    if (!command.equals("attach") && options == null) {
      send(out, nonce, AgentReport.State.REFUSED, "no agent is in this JVM");
      return;
    }
    if (manner.equals("refuses")) {
      send(out, nonce, AgentReport.State.REFUSED, "the token file cannot be read");
      return;
    }
    send(out, nonce, AgentReport.State.WORKING, "weaving");
    if (manner.equals("hangs-up")) {
      return;
    }
    switch (command) {
      case "attach" -> options = given;
      case "detach" -> options = null;
      case "pause" -> state = "paused";
      case "resume" -> state = "recording";
      default -> {}
    }
    send(out, nonce, AgentReport.State.DONE, command + " done");
  }

  /** A second's frames and report, and so on, until the tool hangs up. */
  private static void live(Socket socket, String nonce) {
    ScheduledExecutorService seconds =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "stand-in-top");
              thread.setDaemon(true);
              return thread;
            });
    try (socket) {
      OutputStream out = socket.getOutputStream();
      send(out, nonce, AgentReport.State.LIVE, "");
      byte[] stages = new Dictionary().put(0, "http.request").put(1, "ingest").encode();
      new Frame(FrameType.STAGES.code(), 1, stages).writeTo(out);
      AtomicLong second = new AtomicLong();
      seconds.scheduleAtFixedRate(
          () -> second(out, nonce, second.incrementAndGet()), 0, 20, TimeUnit.MILLISECONDS);
      if (socket.getInputStream().read() >= 0) {
        throw new IOException("a tool says nothing here");
      }
    } catch (IOException theToolIsGone) {
      return;
    } finally {
      seconds.shutdownNow();
    }
  }

  private static void second(OutputStream out, String nonce, long second) {
    SampleEncoder samples = new SampleEncoder();
    for (int i = 0; i < 10; i++) {
      samples.add(1, 1, 1, 1_000, 3_000_000, 3_000_000, false);
      samples.add(0, 1, 1, 1_000, 4_000_000, 1_000_000, false);
    }
    long count = 10 * second;
    Totals totals =
        new Totals(
            List.of(
                new Totals.StageTotal(0, count, 0, count * 4_000_000),
                new Totals.StageTotal(1, count, count / 2, count * 3_000_000)),
            0,
            0,
            0,
            0,
            0,
            false);
    try {
      new Frame(FrameType.SAMPLES.code(), 2 * second, samples.finish()).writeTo(out);
      new Frame(FrameType.TOTALS.code(), 2 * second + 1, totals.encode()).writeTo(out);
      send(out, nonce, AgentReport.State.LIVE, "");
    } catch (IOException theToolIsGone) {
      // The thread that reads sees it too.
    }
  }

  private static void send(
      OutputStream out, String nonce, AgentReport.State reportState, String message)
      throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(AgentReport.STATE, options == null ? "off" : state);
    if (options != null) {
      options.forEach((key, value) -> facts.put("option-" + key, value));
    }
    List<AgentReport.Stage> stages =
        List.of(
            new AgentReport.Stage("ingest", AgentReport.Weaving.WOVEN, "Management.ingest"),
            new AgentReport.Stage("triples.flush", AgentReport.Weaving.NOT_LOADED, ""));
    AgentReport report = new AgentReport(nonce, reportState, message, facts, stages, List.of());
    Frame.session(FrameType.AGENT_REPORT, report.encode()).writeTo(out);
  }

  private static Map<String, String> parse(String arguments) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String pair : arguments.split("(?<!\\\\),")) {
      String[] parts = pair.split("=", 2);
      options.put(parts[0], parts[1].replace("\\,", ","));
    }
    return options;
  }
}
