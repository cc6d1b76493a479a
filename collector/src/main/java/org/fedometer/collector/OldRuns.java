package org.fedometer.collector;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.collector.journal.Journal;
import org.fedometer.store.Disposal;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the runs that a {@link Retention} does not keep, on a thread of its own. */
final class OldRuns implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OldRuns.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final RunStore store;
  private final Journal journal;
  private final Retention retention;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread created = new Thread(work, "fedometer-retention");
            created.setDaemon(true);
            return created;
          });

  private record Candidate(RunFolder run, long lastWrittenMillis, long bytes, boolean kept) {}

  OldRuns(RunStore store, Journal journal, Retention retention) {
    this.store = store;
    this.journal = journal;
    this.retention = retention;
  }

  /** Looks now and every minute; never, where nothing is to be deleted. */
  void start() {
    if (!retention.isForever()) {
      thread.scheduleWithFixedDelay(this::look, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void look() {
    try {
      deleteOld(System.currentTimeMillis());
    } catch (IOException | RuntimeException e) {
      LOG.warn("Old runs could not be deleted: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void deleteOld(long nowMillis) throws IOException, InterruptedException {
    List<Candidate> runs = new ArrayList<>();
    long bytes = 0;
    for (RunFolder run : store.runs()) {
      Candidate candidate = candidate(run);
      runs.add(candidate);
      bytes += candidate.bytes();
    }
    runs.sort(Comparator.comparingLong(Candidate::lastWrittenMillis));
    for (Candidate run : runs) {
      boolean tooOld =
          retention.maxAge() != null
              && nowMillis - run.lastWrittenMillis() > retention.maxAge().toMillis();
      boolean tooMuch = retention.maxBytes() > 0 && bytes > retention.maxBytes();
      if ((tooOld || tooMuch) && !run.kept() && delete(run.run())) {
        LOG.info(
            "{}: deleted, {} bytes, {}",
            run.run().name(),
            run.bytes(),
            tooOld ? "older than " + retention.maxAge() : "the store had " + bytes + " bytes");
        bytes -= run.bytes();
      }
    }
  }

  /** False where a source of the run is connected. */
  private boolean delete(RunFolder run) throws IOException, InterruptedException {
    AtomicReference<Path> hidden = new AtomicReference<>();
    boolean released =
        journal.release(
            run.name(),
            () -> {
              try {
                hidden.set(Disposal.hide(run));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    if (released) {
      Disposal.delete(hidden.get());
    }
    return released;
  }

  private static Candidate candidate(RunFolder run) throws IOException {
    long[] newestAndBytes = new long[2];
    Files.walkFileTree(
        run.path(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            newestAndBytes[0] =
                Math.max(newestAndBytes[0], attributes.lastModifiedTime().toMillis());
            newestAndBytes[1] += attributes.size();
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    boolean kept = Files.exists(run.path().resolve("KEEP"));
    return new Candidate(run, newestAndBytes[0], newestAndBytes[1], kept);
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      thread.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
