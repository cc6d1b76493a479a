package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * An agent's reply to a command of a tool: the payload of {@code FrameType.AGENT_REPORT}.
 * Immutable.
 *
 * <p>The names below identify facts; a tool shows those present and requires none.
 */
public final class AgentReport {
  public static final String VERSION = "version";

  /** {@code recording}, {@code paused} or {@code off}. */
  public static final String STATE = "state";

  /** When the agent began to record, ISO 8601, UTC. */
  public static final String SINCE = "since";

  /** {@code fedometer} for a collector, {@code log4j2} for a Log4j2 receiver in its place. */
  public static final String TRANSPORT = "transport";

  /** HOST:PORT. */
  public static final String COLLECTOR = "collector";

  /** {@code true} if the collector has welcomed the current connection, otherwise {@code false}. */
  public static final String CONNECTED = "connected";

  /** The last error between agent and collector. */
  public static final String CONNECTION_ERROR = "connection-error";

  /** Name of the run, assigned by the collector. */
  public static final String RUN_NAME = "run-name";

  /** The source's display name. */
  public static final String SOURCE_NAME = "source-name";

  /** Current size of rings, queue and buffers, including data that waits for live tools. */
  public static final String MEMORY_BYTES = "memory-bytes";

  /** Limit of rings, queue and buffers. */
  public static final String MEMORY_LIMIT_BYTES = "memory-limit-bytes";

  /** Threads that are recorded now. */
  public static final String THREADS = "threads";

  /** Threads that were not recorded because there were too many. */
  public static final String THREADS_REFUSED = "threads-refused";

  /** Executions of stages since the agent began to record, including dropped ones. */
  public static final String SAMPLES = "samples";

  /** Samples that did not fit a ring or the queue. */
  public static final String SAMPLES_DROPPED = "samples-dropped";

  /** Traces that did not fit a ring or the queue. */
  public static final String TRACES_DROPPED = "traces-dropped";

  /** Frames that did not fit the queue. */
  public static final String FRAMES_DROPPED = "frames-dropped";

  /** Acknowledged frames that the collector no longer had, and frames unreadable in the spool. */
  public static final String FRAMES_LOST = "frames-lost";

  /** Size of the files in the spool's folder. */
  public static final String SPOOLED_BYTES = "spooled-bytes";

  /** Error that prevents writing to the spool, or the unreadable spool files. */
  public static final String SPOOL_ERROR = "spool-error";

  /** Stages nested too deep to be timed. */
  public static final String STAGES_SKIPPED = "stages-skipped";

  /** Memory of frames that the collector has not acknowledged. */
  public static final String QUEUED_BYTES = "queued-bytes";

  /** A partial failure of a command that was carried out, such as lost samples. */
  public static final String FAILURE = "failure";

  /** In UTF-8; a report with a longer one cannot be encoded. */
  public static final int MAX_NONCE_BYTES = 64;

  private static final int MAX_TEXT_BYTES = 4096;
  private static final int MAX_NAME_BYTES = 255;

  /** Announces the next reports, with its code on the wire. */
  public enum State {
    /** 0: the command is in progress; the message describes the step. */
    WORKING,
    /** 1: final, the command was carried out. */
    DONE,
    /** 2: final, the command was rejected; the message has the reason, one sentence. */
    REFUSED,
    /** 3: more reports follow, until the tool closes the connection. */
    LIVE
  }

  /** Weaving result of a stage, with its code on the wire. */
  public enum Weaving {
    /** 0: timed in the places that the detail names. */
    WOVEN,
    /** 1: its classes exist but are not loaded yet; they are woven when loaded. */
    NOT_LOADED,
    /** 2: this version of Fedora has no such class or method. */
    NOT_FOUND,
    /** 3: not timed; the detail has the reason. */
    FAILED
  }

  private static final State[] STATES = State.values();
  private static final Weaving[] WEAVINGS = Weaving.values();

  private final String nonce;
  private final State state;
  private final String message;
  private final Map<String, String> facts;
  private final List<Stage> stages;
  private final List<Stage> captures;

  /**
   * @param nonce the tool's, by which it matches the reply to its command
   * @param message one sentence for the user, or empty
   * @param facts texts by name, in display order
   * @param stages empty if not requested
   * @param captures weaving results of code that times nothing: it captures Fedora's log, flushes
   *     of triples, a request's object; empty if not requested
   */
  public AgentReport(
      String nonce,
      State state,
      String message,
      Map<String, String> facts,
      List<Stage> stages,
      List<Stage> captures) {
    this.nonce = nonce;
    this.state = state;
    this.message = message;
    this.facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    this.stages = Collections.unmodifiableList(new ArrayList<>(stages));
    this.captures = Collections.unmodifiableList(new ArrayList<>(captures));
  }

  public String nonce() {
    return nonce;
  }

  public State state() {
    return state;
  }

  public String message() {
    return message;
  }

  public Map<String, String> facts() {
    return facts;
  }

  public List<Stage> stages() {
    return stages;
  }

  /** Returns results as for stages, with their own names such as {@code logback-events}. */
  public List<Stage> captures() {
    return captures;
  }

  /** Truncates texts that are too long. */
  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.string("A nonce", nonce, MAX_NONCE_BYTES);
    out.fixed8(state.ordinal());
    out.truncatedString(message, MAX_TEXT_BYTES);
    out.varint(facts.size());
    for (Map.Entry<String, String> fact : facts.entrySet()) {
      out.truncatedString(fact.getKey(), MAX_NAME_BYTES);
      out.truncatedString(fact.getValue(), MAX_TEXT_BYTES);
    }
    write(stages, out);
    write(captures, out);
    return out.toByteArray();
  }

  private static void write(List<Stage> stages, PayloadWriter out) {
    out.varint(stages.size());
    for (Stage stage : stages) {
      out.truncatedString(stage.name, MAX_NAME_BYTES);
      out.fixed8(stage.weaving.ordinal());
      out.truncatedString(stage.detail, MAX_TEXT_BYTES);
    }
  }

  /** Ignores fields that later versions append. */
  public static AgentReport decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    String nonce = in.string("A nonce", MAX_NONCE_BYTES);
    State state = STATES[upTo(STATES.length, "A report's state", in.fixed8())];
    String message = in.string("A message", MAX_TEXT_BYTES);
    Map<String, String> facts = new LinkedHashMap<>();
    for (int left = in.count("facts", 2); left > 0; left--) {
      String name = in.string("A fact's name", MAX_NAME_BYTES);
      facts.put(name, in.string("A fact", MAX_TEXT_BYTES));
    }
    List<Stage> stages = stagesIn(in);
    return new AgentReport(nonce, state, message, facts, stages, stagesIn(in));
  }

  private static List<Stage> stagesIn(PayloadReader in) throws MalformedFrameException {
    List<Stage> stages = new ArrayList<>();
    for (int left = in.count("stages", 3); left > 0; left--) {
      String name = in.string("A stage's name", MAX_NAME_BYTES);
      Weaving weaving = WEAVINGS[upTo(WEAVINGS.length, "A stage's state", in.fixed8())];
      stages.add(new Stage(name, weaving, in.string("A stage's detail", MAX_TEXT_BYTES)));
    }
    return stages;
  }

  private static int upTo(int limit, String what, int value) throws MalformedFrameException {
    if (value >= limit) {
      throw new MalformedFrameException(
          what + " must be at most " + (limit - 1) + ", not " + value);
    }
    return value;
  }

  /** Weaving result of one stage. Immutable. */
  public static final class Stage {
    private final String name;
    private final Weaving weaving;
    private final String detail;

    /**
     * @param name such as {@code ingest.validate}
     * @param detail places (class and method, separated by commas) or a reason, depending on {@code
     *     weaving}
     */
    public Stage(String name, Weaving weaving, String detail) {
      this.name = name;
      this.weaving = weaving;
      this.detail = detail;
    }

    public String name() {
      return name;
    }

    public Weaving weaving() {
      return weaving;
    }

    public String detail() {
      return detail;
    }
  }
}
