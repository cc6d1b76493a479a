package org.fedometer.collector.ask;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.fedometer.collector.journal.Journal;
import org.fedometer.collector.journal.Stillness;
import org.fedometer.collector.log.Trouble;
import org.fedometer.collector.threads.OwnThreads;
import org.fedometer.store.Disposal;
import org.fedometer.store.JsonFault;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.query.QueryException;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.disk.PrivateFiles;
import org.fedometer.wire.session.Ask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers readers' questions on threads of its own, a few at once, each within its limits of memory
 * and time; statements in processes of their own, which are kept for a minute. Network threads hand
 * questions in; any thread starts and closes it.
 */
public final class Asking implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Asking.class);
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MOST_WAITING = 200;
  private static final int PIECE_BYTES = 64 * 1024;

  /** Then the reader asks for the next part, and others have their turn in between. */
  private static final long FILE_PART_BYTES = 32L << 20;

  private static final long TICK_MILLIS = 500;
  private static final long SIGN_OF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long END_SECONDS = 60;

  /** A report asks many queries one after the other. */
  private static final long IDLE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final RunStore store;
  private final Journal journal;
  private final AskingLimits limits;
  private final Path spill;
  private final ThreadPoolExecutor workers;
  private final ScheduledExecutorService clock =
      Executors.newScheduledThreadPool(2, OwnThreads.daemons("fedometer-asking-clock"));
  private final Deque<QueryProcess> idle = new ConcurrentLinkedDeque<>();
  private final Set<Question> open = ConcurrentHashMap.newKeySet();

  private final Trouble trouble = new Trouble();

  private Asking(RunStore store, Journal journal, AskingLimits limits) {
    this.store = store;
    this.journal = journal;
    this.limits = limits;
    this.spill = store.directory().resolve("questions.tmp");
    this.workers =
        new ThreadPoolExecutor(
            limits.atOnce(),
            limits.atOnce(),
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            OwnThreads.daemons("fedometer-asking"));
  }

  /** The caller holds the store's lock; the journal writes that store's runs. */
  public static Asking start(RunStore store, Journal journal) throws IOException {
    return start(store, journal, AskingLimits.defaults());
  }

  static Asking start(RunStore store, Journal journal, AskingLimits limits) throws IOException {
    Asking asking = new Asking(store, journal, limits);
    Disposal.delete(asking.spill);
    PrivateFiles.createFolder(asking.spill);
    asking.clock.scheduleWithFixedDelay(
        asking::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    // On a thread of its own: a process that does not end keeps it waiting.
    asking.clock.scheduleWithFixedDelay(
        () -> asking.closeIdle(IDLE_LIMIT_NANOS), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    return asking;
  }

  private void tick() {
    long stillNanos = workers.getQueue().isEmpty() ? Long.MAX_VALUE : limits.stillness().toNanos();
    boolean failed = false;
    for (Question question : open) {
      try {
        question.tick(SIGN_OF_LIFE_NANOS, stillNanos);
      } catch (RuntimeException | Error e) {
        // It would end the repetition, and no question had a limit of time any more.
        failed = true;
        if (trouble.failed(FailureText.of(e), System.nanoTime())) {
          LOG.error("The time of a question of {} could not be minded", question.peer(), e);
        }
      }
    }
    if (!failed) {
      trouble.over();
    }
  }

  private void closeIdle(long afterNanos) {
    try {
      for (QueryProcess process : idle) {
        if (process.idleNanos() >= afterNanos && idle.remove(process)) {
          process.close();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // It would end the repetition, and idle processes were kept for ever.
      LOG.error("A process that answers could not be ended", e);
    }
  }

  /** Answers when it is the question's turn. */
  public Question ask(Reader reader, Ask ask) {
    Question question = new Question(reader, ask);
    open.add(question);
    try {
      workers.execute(() -> answer(question));
    } catch (RejectedExecutionException e) {
      open.remove(question);
      question.fail("The collector has too many questions to answer; ask again later");
    } catch (OutOfMemoryError e) {
      // No thread: the pool has not kept the question, and nobody would answer it.
      open.remove(question);
      question.fail(
          "The collector has no memory or thread to answer with (" + e.getMessage() + ")");
    }
    return question;
  }

  /** Gives up what is being answered, and waits for that. */
  @Override
  public void close() {
    workers.shutdownNow();
    try {
      for (int i = 0; i < END_SECONDS && !workers.isTerminated(); i++) {
        open.forEach(Question::hangUp);
        workers.awaitTermination(1, TimeUnit.SECONDS);
      }
      clock.shutdown();
      clock.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
      closeIdle(0);
      Disposal.delete(spill);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("Cannot delete {}: {}", spill, FailureText.of(e));
    }
    clock.shutdownNow();
  }

  private void answer(Question question) {
    try {
      if (question.begin(limits.time().toNanos())) {
        answer(question, parse(question.text()));
        question.complete();
      }
    } catch (QueryException | NoSuchRunException | IOException e) {
      question.fail(
          question.expiredBecause() != null
              ? question.expiredBecause()
              : String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      question.fail("The collector is stopping");
    } catch (RuntimeException | Error e) {
      // An error too: DuckDB's library that cannot be loaded is one.
      LOG.error("A question of {} could not be answered: {}", question.peer(), question.text(), e);
      question.fail("The collector could not answer: " + FailureText.of(e));
    } finally {
      open.remove(question);
    }
  }

  private static JsonNode parse(String text) throws QueryException {
    try {
      JsonNode json = JSON.readTree(text);
      if (json != null && json.isObject()) {
        return json;
      }
    } catch (JacksonException e) {
      throw new QueryException("The question is no JSON: " + JsonFault.of(e), e);
    }
    throw new QueryException("The question is no JSON object");
  }

  private void answer(Question question, JsonNode asked)
      throws QueryException, NoSuchRunException, IOException, InterruptedException {
    String what = asked.path("ask").asText();
    switch (what) {
      case "runs" -> send(question, JSON.writeValueAsBytes(store.summaries()));
      case "query" -> query(question, asked);
      case "files" -> send(question, JSON.writeValueAsBytes(run(asked).files()));
      case "file" -> file(question, run(asked), asked);
      case "release" -> release(question, run(asked), () -> {});
      case "remove" -> remove(question, run(asked), asked.path("fingerprint").asText());
      default ->
          throw new QueryException(
              "The collector does not know the question \"%s\"; it knows runs, query, files, file,"
                      .formatted(what)
                  + " release, remove");
    }
  }

  private RunFolder run(JsonNode asked) throws NoSuchRunException, IOException {
    return store.named(asked.path("run").asText());
  }

  private void query(Question question, JsonNode asked)
      throws QueryException, IOException, InterruptedException {
    String line = JSON.writeValueAsString(asked);
    QueryProcess kept = takeIdle();
    if (kept != null) {
      try {
        answer(question, kept, line);
        return;
      } catch (IOException e) {
        LOG.info("Another process is asked: {}", e.getMessage());
      }
    }
    answer(question, QueryProcess.start(store.directory(), spill, limits), line);
  }

  /** Null where none is left that lives. */
  private QueryProcess takeIdle() throws InterruptedException {
    QueryProcess process = idle.pollFirst();
    while (process != null && !process.isAlive()) {
      process.close();
      process = idle.pollFirst();
    }
    return process;
  }

  private void answer(Question question, QueryProcess process, String line)
      throws QueryException, IOException, InterruptedException {
    boolean reusable = false;
    question.onCancel(process::kill);
    try {
      if (!question.givenUp()) {
        process.ask(line, question::send);
        reusable = true;
      }
    } finally {
      question.onCancel(() -> {});
      // Given up is said before it is killed.
      if (reusable && !question.givenUp()) {
        idle.addFirst(process);
      } else {
        process.close();
      }
    }
  }

  private static void file(Question question, RunFolder run, JsonNode asked)
      throws QueryException, IOException, InterruptedException {
    long position = asked.path("offset").asLong();
    String path = asked.path("path").asText();
    Path file = run.readable(path);
    if (position < 0 || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new QueryException("The run " + run.name() + " has no file " + path);
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long end = Math.min(channel.size(), position + FILE_PART_BYTES);
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      while (position < end) {
        piece.clear().limit((int) Math.min(PIECE_BYTES, end - position));
        int count = channel.read(piece, position);
        if (count < 0) {
          break;
        }
        position += count;
        send(question, Arrays.copyOf(piece.array(), count));
      }
    }
  }

  private void remove(Question question, RunFolder run, String fingerprint)
      throws QueryException, IOException, InterruptedException {
    Path hidden =
        fingerprint.isEmpty()
            ? hide(question, run, () -> true)
            : hideAsArchived(question, run, fingerprint);
    LOG.info("Run {} is removed, as {} asked", run.name(), question.peer());
    Disposal.delete(hidden);
  }

  /** All sources wait for the journal's thread: the folder is looked at on this one. */
  private Path hideAsArchived(Question question, RunFolder run, String fingerprint)
      throws QueryException, IOException, InterruptedException {
    release(question, run, () -> {});
    try (Stillness still = journal.stillness(run.name())) {
      Disposal.requireUnchanged(run, fingerprint);
      Path hidden = hide(question, run, still::holds);
      if (hidden == null) {
        throw Disposal.changed(run);
      }
      return hidden;
    }
  }

  /** Null where it may not be hidden, which is asked when nobody can open the run any more. */
  private Path hide(Question question, RunFolder run, BooleanSupplier may)
      throws QueryException, IOException, InterruptedException {
    AtomicReference<Path> hidden = new AtomicReference<>();
    release(
        question,
        run,
        () -> {
          try {
            if (may.getAsBoolean()) {
              hidden.set(Disposal.hide(run));
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return hidden.get();
  }

  private void release(Question question, RunFolder run, Runnable then)
      throws QueryException, IOException, InterruptedException {
    CompletableFuture<Boolean> released = journal.releaseLater(run.name(), then);
    try {
      while (!question.givenUp()) {
        try {
          if (released.get(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
            return;
          }
          throw new QueryException(
              "The run "
                  + run.name()
                  + " is in progress: somebody who sends to it is connected, or what it holds cannot"
                  + " be sealed, of which the collector's log says why");
        } catch (TimeoutException e) {
          // What there is of it is still being sealed.
        }
      }
      throw new QueryException("given up");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UncheckedIOException failed) {
        throw failed.getCause();
      }
      throw new IOException("The run " + run.name() + ": " + e.getCause().getMessage(), e);
    } finally {
      released.cancel(false);
    }
  }

  private static void send(Question question, byte[] content)
      throws QueryException, InterruptedException {
    for (int at = 0; at < content.length; at += PIECE_BYTES) {
      question.send(Arrays.copyOfRange(content, at, Math.min(content.length, at + PIECE_BYTES)));
    }
  }
}
