package org.fedometer.collector.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Dictionary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Log4j2 events of an agent become the frames it would send on the wire. */
class MeasuredFramesTest {
  private static final JsonFactory JSON = new JsonFactory();
  private static final UUID SOURCE = new UUID(1, 2);
  private static final String OTHERS = "{}[]\",:0123456789-.eE\\nult";
  private static final String SAMPLE =
      "{\"event\":\"sample\",\"frame\":3,\"index\":0,\"source\":\"s\",\"failed\":false,"
          + "\"selfNanos\":1,\"stage\":\"ingest\",\"startNanos\":1,\"thread\":\"http-1\","
          + "\"threadId\":1,\"durationNanos\":2,\"trace\":0}";

  /**
   * An agent whose connection breaks repeatedly resends the tail of its events. A killed collector
   * has only durable data. Yet every fact is stored once, in order.
   */
  @Property(tries = 500)
  void everyEventCountsOnceHoweverOftenItsTailComesAgain(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    List<EventFrame> sent = EventFrame.random(random, 1 + random.nextInt(20));
    List<Frame> journal = new ArrayList<>();
    int from = 0;
    while (from < sent.size()) {
      long last = lastSequence(journal);
      Names names = new Names();
      names.recall(journal.stream().filter(frame -> frame.sequence() == 0).toList());
      List<Frame> made = new ArrayList<>();
      MeasuredFrames frames = new MeasuredFrames(names, last, made::add);
      MeasuredEvent event = new MeasuredEvent();
      int untilBroken = random.nextInt(40);
      int reached = from;
      for (; reached < sent.size() && untilBroken > 0; reached++) {
        EventFrame frame = sent.get(reached);
        int index = 0;
        for (; index < frame.events().size() && untilBroken > 0; index++, untilBroken--) {
          read(event, frame.json(SOURCE, index, random));
          frames.accept(event);
          if (random.nextInt(5) == 0) {
            frames.flush();
          }
        }
        if (index < frame.events().size()) {
          break;
        }
      }
      boolean killed = random.nextInt(3) == 0;
      if (!killed) {
        frames.flush();
      }
      journal.addAll(killed ? made.subList(0, random.nextInt(made.size() + 1)) : made);
      // The agent begins with a frame that was not here as a whole, or with one before.
      int whole = completeFrames(sent, lastSequence(journal));
      from = reached == sent.size() && whole == sent.size() ? whole : random.nextInt(whole + 1);
    }
    List<String> expected = sent.stream().flatMap(frame -> frame.facts().stream()).toList();
    assertThat(ReadFrames.of(journal)).isEqualTo(expected);
    assertThat(journal.stream().map(Frame::sequence).filter(sequence -> sequence > 0))
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Property(tries = 500)
  void whateverIsBrokenInAnEventIsRefusedOrCanBeStored(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    List<Frame> made = new ArrayList<>();
    MeasuredFrames frames = new MeasuredFrames(new Names(), 0, made::add);
    MeasuredEvent event = new MeasuredEvent();
    for (EventFrame frame : EventFrame.random(random, 10)) {
      for (int index = 0; index < frame.events().size(); index++) {
        String json = broken(frame.json(SOURCE, index, random), random);
        try (JsonParser parser = JSON.createParser(json)) {
          parser.nextToken();
          event.read(parser);
          frames.accept(event);
        } catch (IOException refused) {
          assertThat(refused).hasMessageNotContaining("Exception");
        }
      }
    }
    frames.flush();
    ReadFrames.of(made);
  }

  private static String broken(String json, Random random) {
    StringBuilder text = new StringBuilder(json);
    for (int n = random.nextInt(4); n > 0; n--) {
      int at = random.nextInt(text.length());
      char other = OTHERS.charAt(random.nextInt(OTHERS.length()));
      switch (random.nextInt(3)) {
        case 0 -> text.setCharAt(at, other);
        case 1 -> text.insert(at, other);
        default -> text.deleteCharAt(at);
      }
    }
    return text.toString();
  }

  private static long lastSequence(List<Frame> journal) {
    return journal.stream().mapToLong(Frame::sequence).max().orElse(0);
  }

  private static int completeFrames(List<EventFrame> sent, long lastSequence) {
    int whole = 0;
    while (whole < sent.size()) {
      EventFrame frame = sent.get(whole);
      long end = (frame.number() << MeasuredFrames.INDEX_BITS) | (frame.events().size() - 1);
      if (end > lastSequence) {
        break;
      }
      whole++;
    }
    return whole;
  }

  @Test
  void aThreadKeepsItsNameWhenTheAgentHasForgottenIt() throws Exception {
    List<Frame> made = new ArrayList<>();
    MeasuredFrames frames = new MeasuredFrames(new Names(), 0, made::add);
    for (String name : List.of("#1", "http-1", "#1", "http-1")) {
      MeasuredEvent event = new MeasuredEvent();
      read(
          event,
          SAMPLE
              .replace("\"index\":0", "\"index\":" + made.size())
              .replace("\"http-1\"", "\"" + name + "\""));
      frames.accept(event);
      frames.flush();
    }
    assertThat(made.stream().filter(frame -> frame.type() == FrameType.THREADS))
        .extracting(frame -> Dictionary.decode(ByteBuffer.wrap(frame.payload())).entries().get(1))
        .containsExactly("#1", "http-1");
    assertThat(made.stream().filter(frame -> frame.type() == FrameType.SAMPLES)).hasSize(4);
  }

  @Test
  void whatIsTooLongForOneFrameBecomesSeveral() throws Exception {
    List<Frame> made = new ArrayList<>();
    MeasuredFrames frames = new MeasuredFrames(new Names(), 0, made::add);
    MeasuredEvent event = new MeasuredEvent();
    String thrown = "x".repeat(60_000);
    for (int index = 0; index < 100; index++) {
      read(
          event,
          ("{\"event\":\"log\",\"frame\":1,\"index\":%d,\"source\":\"s\",\"atNanos\":1,"
                  + "\"level\":\"warn\",\"trace\":0,\"logger\":\"l\",\"thread\":\"t\","
                  + "\"message\":\"m\",\"exception\":\"%s\"}")
              .formatted(index, thrown));
      frames.accept(event);
    }
    frames.flush();
    assertThat(made).hasSizeGreaterThan(2);
    assertThat(ReadFrames.of(made)).hasSize(100);
  }

  @Test
  void anEventOfAKindThatIsNotKnownYetIsPassedOver() throws Exception {
    List<Frame> made = new ArrayList<>();
    MeasuredFrames frames = new MeasuredFrames(new Names(), 0, made::add);
    MeasuredEvent event = new MeasuredEvent();
    read(event, SAMPLE.replace("\"sample\"", "\"moon\""));
    frames.accept(event);
    frames.flush();
    assertThat(made).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"stage\":\"ingest\",|",
        "\"frame\":3|\"frame\":\"3\"",
        "\"frame\":3|\"frame\":3.0",
        "\"frame\":3|\"frame\":-3",
        "\"frame\":3|\"frame\":4398046511104",
        "\"index\":0|\"index\":2097152",
        "\"startNanos\":1|\"startNanos\":9223372036854775808",
        "\"startNanos\":1|\"startNanos\":1e3",
        "\"threadId\":1|\"threadId\":2147483648",
        "\"failed\":false|\"failed\":0",
        "\"thread\":\"http-1\"|\"thread\":null",
        "\"thread\":\"http-1\"|\"thread\":{}",
        "\"event\":\"sample\",|",
      })
  void anEventThatIsNotAsItShouldBeIsRefused(String change) throws Exception {
    String[] beforeAndAfter = change.split("\\|", -1);
    String text = SAMPLE.replace(beforeAndAfter[0], beforeAndAfter[1]);
    assertThat(text).isNotEqualTo(SAMPLE);
    List<Frame> made = new ArrayList<>();
    MeasuredFrames frames = new MeasuredFrames(new Names(), 0, made::add);
    MeasuredEvent event = new MeasuredEvent();
    assertThatThrownBy(
            () -> {
              read(event, text);
              frames.accept(event);
            })
        .isInstanceOf(IOException.class)
        .hasMessageNotContaining("\n\n");
    frames.flush();
    assertThat(made).isEmpty();
  }

  @Test
  void aSourceWithEndlesslyManyStagesIsRefused() throws Exception {
    Names names = new Names();
    for (int i = 0; i < Names.MAX_STAGES; i++) {
      names.stage("stage " + i);
    }
    assertThat(names.stage("stage 7")).isEqualTo(7);
    assertThatThrownBy(() -> names.stage("one more")).hasMessageContaining("too many stages");
    assertThatThrownBy(() -> new Names().stage("ä".repeat(513))).hasMessageContaining("1024 bytes");
  }

  @Test
  void renamedThreadUsesNoSpaceOfStages() throws Exception {
    Names names = new Names();
    String name = "x".repeat(1_000);
    for (int i = 0; i < 2 * Names.MAX_CHARS / name.length(); i++) {
      names.thread(1, name + i);
    }
    assertThat(names.stage("ingest")).isZero();
  }

  @Test
  void endlesslyManyThreadsRemainWithoutAName() throws Exception {
    Names names = new Names();
    for (int id = 0; id < 2 * Names.MAX_THREADS; id++) {
      names.thread(id, "");
    }
    assertThat(names.takeNew())
        .extracting(frame -> Dictionary.decode(ByteBuffer.wrap(frame.payload())).entries().size())
        .containsExactly(Names.MAX_THREADS);
  }

  private static void read(MeasuredEvent event, String json) throws IOException {
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      event.read(parser);
      assertThat(parser.nextToken()).isNull();
    }
  }
}
