package org.fedometer.collector.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fedometer.collector.journal.DurableFrames;
import org.fedometer.collector.journal.Journal;
import org.fedometer.collector.journal.JournalOptions;
import org.fedometer.store.RunStore;
import org.fedometer.wire.session.Answer;
import org.fedometer.wire.session.Ask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Limits of a question. */
@Timeout(60)
class AskingTest {
  private static final String FOREVER =
      "{\"ask\":\"query\",\"sql\":\"SELECT count(*) FROM range(1000000) a, range(1000000) b"
          + " WHERE a.range * b.range = -1\"}";
  private static final String ENDLESS =
      "{\"ask\":\"query\",\"sql\":\"SELECT range FROM range(1000000000000)\"}";
  private static final String GREEDY =
      "{\"ask\":\"query\",\"sql\":\"SELECT list(range) FROM range(1000000000)\"}";

  @TempDir Path directory;
  private Journal journal;

  @BeforeEach
  void start() throws Exception {
    journal =
        Journal.start(
            RunStore.at(directory), "here", JournalOptions.defaults(), DurableFrames.NONE);
  }

  @AfterEach
  void stop() throws Exception {
    journal.stop(Duration.ofSeconds(30));
  }

  @Test
  void whatTakesTooLongIsEndedAndSaid() throws Exception {
    try (Asking asking = asking(AskingLimits.defaults().withTime(Duration.ofMillis(500)))) {
      for (String question : List.of(FOREVER, ENDLESS)) {
        Listening reader = new Listening(true);
        asking.ask(reader, new Ask(1, question));
        assertThat(reader.failure()).contains("took longer");
      }
      Listening deaf = new Listening(false);
      asking.ask(deaf, new Ask(1, ENDLESS));
      assertThat(deaf.failure()).contains("took longer");
      assertThat(deaf.answers).as("nothing was sent to who does not read").hasSize(1);
    }
    assertThat(directory.resolve("questions.tmp")).doesNotExist();
  }

  @Test
  void whatIsGivenUpBeforeItsFirstRowDoesNotEndAsAnEmptyAnswer() {
    Listening reader = new Listening(true);
    Question question = new Question(reader, new Ask(1, ENDLESS));
    question.begin(0);

    question.tick(Long.MAX_VALUE, Long.MAX_VALUE);
    question.complete();

    assertThat(reader.failure()).contains("took longer");
    assertThat(reader.answers).hasSize(1);
  }

  @Test
  void whatNeedsTooMuchMemoryIsEndedAndSaid() throws Exception {
    try (Asking asking =
        asking(
            new AskingLimits(
                1, 256 << 20, 8 << 20, Duration.ofMinutes(1), Duration.ofMinutes(1)))) {
      Listening reader = new Listening(true);
      asking.ask(reader, new Ask(1, GREEDY));
      assertThat(reader.failure()).contains("needs more memory than it may use");
    }
  }

  @Test
  void moreQuestionsThanCanBeAnsweredAtOnceWait() throws Exception {
    try (Asking asking = asking(AskingLimits.defaults())) {
      Question one = asking.ask(new Listening(true), new Ask(1, FOREVER));
      Question two = asking.ask(new Listening(true), new Ask(1, FOREVER));
      Listening third = new Listening(true);
      asking.ask(third, new Ask(7, "{\"ask\":\"runs\"}"));
      await().until(() -> third.answers.stream().anyMatch(answer -> answer.content().length == 0));
      assertThat(third.answers).as("signs of life only").allMatch(a -> a.content().length == 0);

      one.hangUp();

      await().until(() -> third.last() != null && third.last().state() == Answer.State.LAST);
      two.hangUp();
    }
  }

  @Test
  void readersThatTakeNothingGiveWayToOthersWhoWait() throws Exception {
    try (Asking asking = asking(AskingLimits.defaults().withStillness(Duration.ofSeconds(1)))) {
      Listening deaf = new Listening(false);
      Listening alsoDeaf = new Listening(false);
      asking.ask(deaf, new Ask(1, ENDLESS));
      asking.ask(alsoDeaf, new Ask(1, ENDLESS));
      Listening third = new Listening(true);
      asking.ask(third, new Ask(7, "{\"ask\":\"runs\"}"));

      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> third.last() != null && third.last().state() == Answer.State.LAST);
      assertThat(deaf.last() == null ? alsoDeaf.failure() : deaf.failure()).contains("others wait");
    }
  }

  @Test
  void aReaderThatFailsTakesTheLimitOfTimeFromNoOther() throws Exception {
    // Longer than until the first sign of life, at which it fails.
    try (Asking asking = asking(AskingLimits.defaults().withTime(Duration.ofSeconds(7)))) {
      asking.ask(new Failing(), new Ask(1, FOREVER));
      Listening reader = new Listening(true);
      asking.ask(reader, new Ask(2, FOREVER));
      assertThat(reader.failure()).contains("took longer");
    }
  }

  @Test
  void theEndOfTheCollectorEndsQuestions() throws Exception {
    Listening reader = new Listening(true);
    try (Asking asking = asking(AskingLimits.defaults())) {
      asking.ask(reader, new Ask(1, FOREVER));
    }
    assertThat(Files.exists(directory.resolve("questions.tmp"))).isFalse();
  }

  private Asking asking(AskingLimits limits) throws Exception {
    return Asking.start(RunStore.at(directory), journal, limits);
  }

  /** Cannot say whether it takes more. */
  private static final class Failing implements Reader {
    @Override
    public boolean isWritable() {
      throw new IllegalStateException("broken");
    }

    /** Nobody is there to take it. */
    @Override
    public void answer(Answer answer) {}

    @Override
    public String peer() {
      return "a broken one";
    }
  }

  /** Keeps what it is told. */
  private static final class Listening implements Reader {
    private final List<Answer> answers = new CopyOnWriteArrayList<>();
    private final boolean writable;

    Listening(boolean writable) {
      this.writable = writable;
    }

    @Override
    public boolean isWritable() {
      return writable;
    }

    @Override
    public void answer(Answer answer) {
      // Of an endless answer the newest will do.
      if (answers.size() > 100) {
        answers.clear();
      }
      answers.add(answer);
    }

    @Override
    public String peer() {
      return "a test";
    }

    Answer last() {
      List<Answer> now = List.copyOf(answers);
      return now.isEmpty() ? null : now.get(now.size() - 1);
    }

    String failure() {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> last() != null && last().state() == Answer.State.FAILED);
      return new String(last().content(), StandardCharsets.UTF_8);
    }
  }
}
