package org.fedometer.repair;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.fedometer.wire.Counted;

/**
 * Determines which PIDs are complete. Everything is read once, and the only data kept for each PID
 * is that of {@link PidTable}. Names and triples are read a second time, for the inconsistent PIDs
 * only. For one thread.
 */
final class Scan {

  /** Largest number of objects repaired at once; their names are in memory. */
  static final int MAX_OBJECTS = 100_000;

  private static final int MAX_NOTES = 5;

  /** A Fedora killed during its first ingests may leave a few rows without any file. */
  private static final int MAX_WITHOUT_FILE = 100;

  private final Repository repository;
  private final Set<String> wanted;
  private final Pipe pipe;
  private final PidTable table;
  private final Map<String, InconsistentObject> inconsistentObjects = new TreeMap<>();
  private long notCompared;
  private long objectFiles;
  private long contentFiles;
  private long triples;
  private long foreign;
  private boolean limitReached;

  /**
   * @param wanted the selected PIDs; empty for all
   */
  Scan(Repository repository, Set<String> wanted, Pipe pipe) throws SQLException {
    this.repository = repository;
    this.wanted = wanted;
    this.pipe = pipe;
    this.table = new PidTable(wanted.isEmpty() ? repository.tables().registered() : wanted.size());
  }

  void run() throws IOException, SQLException, Library.FailureException {
    pipe.progress("reading the files of the objects");
    repository.files().eachObject(new FirstPass());
    pipe.progress("reading Fedora's tables");
    long[] rows = new long[3];
    repository.tables().eachRegistered(pid -> rows[0] += mark(pid, PidTable.REGISTERED));
    repository.tables().eachInFieldIndex(pid -> rows[1] += mark(pid, PidTable.FIELDS));
    repository.tables().eachDated(pid -> rows[2] += mark(pid, PidTable.DATES));
    if (wanted.isEmpty()) {
      requireFiles(rows[0], objectFiles);
    }
    pipe.progress("looking for managed content");
    repository.files().eachContent(new FirstPass());
    if (repository.triplestore() != null) {
      pipe.progress("reading the triplestore");
      repository.triplestore().each(this::countTriple);
    }
    pipe.count("objects", table.files());
    pipe.count("registered", rows[0]);
    pipe.count("inFieldIndex", rows[1]);
    pipe.count("contentFiles", contentFiles);
    pipe.count("triples", triples);
    pipe.count(Pipe.INCONSISTENT_OBJECTS, table.inconsistent());
    if (foreign > MAX_NOTES) {
      pipe.note(
          Counted.of(foreign - MAX_NOTES, "more file that is", "more files that are")
              + " not Fedora's");
    }
    if (notCompared > MAX_NOTES) {
      pipe.note(Counted.of(notCompared - MAX_NOTES, "more object") + " not compared completely");
    }
    if (table.inconsistent() > 0) {
      collectInconsistentObjects();
    }
  }

  /**
   * Stops if no object has a file, so that an unmounted disk does not cost all objects' rows and
   * triples.
   */
  static void requireFiles(long registered, long objectFiles) throws Library.FailureException {
    if (objectFiles == 0 && registered > MAX_WITHOUT_FILE) {
      throw new Library.FailureException(
          registered
              + " objects are registered, but none has a file; no object was changed. Check that"
              + " the disk of the objects is mounted",
          null);
    }
  }

  /** Returns the inconsistent objects, by PID. */
  Map<String, InconsistentObject> inconsistentObjects() {
    return inconsistentObjects;
  }

  /** Returns the number of inconsistent objects beyond the limit. */
  long unlistedObjects() {
    return limitReached ? unlisted(table.inconsistent(), inconsistentObjects.size()) : 0;
  }

  /** Returns at least 1, since PIDs whose hashes collide count as one. */
  static long unlisted(long inconsistent, long listed) {
    return Math.max(1, inconsistent - listed);
  }

  private boolean isWanted(String pid) {
    return wanted.isEmpty() || wanted.contains(pid);
  }

  private int mark(String pid, int mark) {
    if (!isWanted(pid)) {
      return 0;
    }
    table.mark(pid, mark);
    return 1;
  }

  private void countTriple(Statement statement) {
    String pid = statement.pid();
    if (pid != null && isWanted(pid)) {
      triples++;
      table.mark(pid, PidTable.TRIPLES);
      table.addTriples(pid, -statement.fingerprint());
    }
  }

  private final class FirstPass implements FileStore.Visitor {

    @Override
    public void object(String pid, Path file) throws IOException, SQLException {
      if (!isWanted(pid)) {
        return;
      }
      table.mark(pid, PidTable.FILE);
      if (!Files.exists(file)) {
        return;
      }
      objectFiles++;
      FoxmlFile foxml;
      try {
        foxml = FoxmlFile.read(file);
      } catch (FoxmlFile.BrokenException e) {
        // It is not marked as readable; the reason is reported later.
        return;
      }
      if (!foxml.isFoxml()) {
        table.mark(pid, PidTable.FORMAT_UNKNOWN);
        if (++notCompared <= MAX_NOTES) {
          pipe.note(pid + " is not stored as FOXML and was not checked");
        }
        return;
      }
      if (!foxml.pid().equals(pid)) {
        return;
      }
      table.mark(pid, PidTable.READABLE);
      for (Map.Entry<ContentKey, Long> each : foxml.contents().entrySet()) {
        Path content = repository.files().content(each.getKey());
        if (content != null && Files.exists(content)) {
          table.addContent(pid, 1);
        }
        if (isMissing(content, each.getValue())) {
          table.mark(pid, PidTable.CONTENT_MISSING);
        }
      }
      addStatedTriples(pid, file);
    }

    private void addStatedTriples(String pid, Path file) throws IOException {
      if (repository.triplestore() == null) {
        return;
      }
      try {
        Object reader = repository.objects().read(file);
        for (Statement each : repository.objects().statements(reader, repository.triplestore())) {
          table.addTriples(pid, each.fingerprint());
        }
      } catch (Library.FailureException e) {
        // This is no inconsistency: perhaps Fedora's code just cannot read it here.
        table.mark(pid, PidTable.TRIPLES_UNKNOWN);
        if (++notCompared <= MAX_NOTES) {
          pipe.note("the triples of " + pid + " were not compared: " + e.getMessage());
        }
      }
    }

    @Override
    public void content(ContentKey key, Path file) {
      if (isWanted(key.pid())) {
        contentFiles++;
        table.mark(key.pid(), PidTable.CONTENT);
        table.addContent(key.pid(), -1);
      }
    }

    @Override
    public void foreign(Path file) {
      if (++foreign <= MAX_NOTES) {
        pipe.note("not a file of Fedora, not changed: " + file);
      }
    }
  }

  /** Returns whether content is missing or incomplete. */
  static boolean isMissing(Path content, long sizeBytes) throws IOException {
    return content == null
        || !Files.exists(content)
        || sizeBytes > 0 && Files.size(content) < sizeBytes;
  }

  private void collectInconsistentObjects()
      throws IOException, SQLException, Library.FailureException {
    pipe.progress("collecting the inconsistent objects");
    repository.files().eachObject(new SecondPass());
    repository.tables().eachRegistered(this::inconsistentObject);
    repository.tables().eachInFieldIndex(this::inconsistentObject);
    repository.tables().eachDated(this::inconsistentObject);
    repository.files().eachContent(new SecondPass());
    if (repository.triplestore() != null) {
      repository
          .triplestore()
          .each(
              statement -> {
                InconsistentObject object =
                    statement.pid() == null ? null : inconsistentObject(statement.pid());
                if (object != null) {
                  object.subjects().add(statement.subject());
                }
              });
    }
  }

  /** Returns the object; null if the PID is not inconsistent, or the limit is reached. */
  private InconsistentObject inconsistentObject(String pid) {
    if (!isWanted(pid) || table.isConsistent(pid)) {
      return null;
    }
    InconsistentObject object = inconsistentObjects.get(pid);
    if (object == null) {
      if (inconsistentObjects.size() >= MAX_OBJECTS) {
        limitReached = true;
        return null;
      }
      object = new InconsistentObject(pid, table.marks(pid));
      inconsistentObjects.put(pid, object);
    }
    return object;
  }

  private final class SecondPass implements FileStore.Visitor {

    @Override
    public void object(String pid, Path file) {
      InconsistentObject object = inconsistentObject(pid);
      if (object != null) {
        object.setFile(file);
      }
    }

    @Override
    public void content(ContentKey key, Path file) {
      InconsistentObject object = inconsistentObject(key.pid());
      if (object != null) {
        object.contents().put(key, file);
      }
    }

    @Override
    public void foreign(Path file) {
      // Already reported.
    }
  }
}
