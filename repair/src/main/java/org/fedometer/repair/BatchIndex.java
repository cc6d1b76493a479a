package org.fedometer.repair;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.fedometer.wire.Counted;

/**
 * Rebuilds the field index and triples of all objects from their files in one batch, and measures
 * the time until each number of objects is indexed. Fedora's own objects stay unchanged. For one
 * thread.
 */
final class BatchIndex {

  private static final String SYSTEM_NAMESPACE = "fedora-system:";
  private static final int PROGRESS_INTERVAL = 1_000;

  private final Repository repository;
  private final Queue<Long> sizes;
  private final Pipe pipe;
  private long removed;
  private long indexed;
  private long startNanos;

  /**
   * @param sizes numbers of objects, ascending, at each of which the time is measured
   */
  BatchIndex(Repository repository, List<Long> sizes, Pipe pipe) {
    this.repository = repository;
    this.sizes = new ArrayDeque<>(sizes);
    this.pipe = pipe;
  }

  private interface Step {
    void accept(String pid, Path file) throws IOException, SQLException, Library.FailureException;
  }

  void run() throws IOException, SQLException, Library.FailureException {
    pipe.progress("emptying the indexes");
    each(this::remove);
    flush(); // a pending removal would cancel the addition of the same triple
    repository.objects().openFieldIndex();
    pipe.progress("indexing");
    startNanos = System.nanoTime();
    each(this::add);
    flush(); // for objects beyond the largest size
  }

  private void flush() throws Library.FailureException {
    if (repository.triplestore() != null) {
      repository.triplestore().flush();
    }
  }

  private void each(Step step) throws IOException, SQLException, Library.FailureException {
    Objects objects = new Objects(step);
    repository.files().eachObject(objects);
    if (objects.failure != null) {
      throw objects.failure;
    }
  }

  private void remove(String pid, Path file)
      throws IOException, SQLException, Library.FailureException {
    Triplestore triplestore = repository.triplestore();
    if (triplestore != null) {
      FedoraObjects objects = repository.objects();
      objects.deleteTriples(objects.read(file), triplestore);
    }
    repository.tables().deleteFromFieldIndex(pid);
    if (++removed % PROGRESS_INTERVAL == 0) {
      pipe.progress(Counted.of(removed, "object") + " removed from the indexes");
    }
  }

  private void add(String pid, Path file)
      throws IOException, SQLException, Library.FailureException {
    Object reader = repository.objects().read(file);
    repository.objects().index(reader);
    if (repository.triplestore() != null) {
      repository.objects().addTriples(reader, repository.triplestore());
    }
    indexed++;
    if (!sizes.isEmpty() && indexed == sizes.peek()) {
      flush();
      pipe.count("indexed." + sizes.remove(), System.nanoTime() - startNanos);
      pipe.progress(Counted.of(indexed, "object") + " indexed");
    }
  }

  /** Passes on objects until one fails. */
  private static final class Objects implements FileStore.Visitor {
    private final Step step;
    private Library.FailureException failure;

    Objects(Step step) {
      this.step = step;
    }

    @Override
    public void object(String pid, Path file) throws IOException, SQLException {
      if (failure != null || pid.startsWith(SYSTEM_NAMESPACE)) {
        return;
      }
      try {
        step.accept(pid, file);
      } catch (Library.FailureException e) {
        failure = new Library.FailureException(pid + " cannot be indexed: " + e.getMessage(), e);
      }
    }

    @Override
    public void content(ContentKey key, Path file) {
      // Indexed with its object.
    }

    @Override
    public void foreign(Path file) {
      // Fedora would ignore it.
    }
  }
}
