package org.fedometer.repair;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.fedometer.wire.Counted;
import org.fedometer.wire.disk.Durable;

/**
 * Completes inconsistent objects or removes them entirely. Without a folder for copies, it only
 * reports its plan. An object's file is authoritative; rows and triples follow from it. After an
 * interruption at any point, the next scan finds the remains: a removed PID's registry row is
 * deleted last. For one thread.
 */
final class Repair {

  private final Repository repository;
  private final Copies copies;
  private final boolean deletesUnregistered;
  private final Pipe pipe;

  /**
   * @param copies the folder for copies; null to change nothing
   * @param deletesUnregistered whether objects unknown to Fedora are removed
   */
  Repair(Repository repository, Copies copies, boolean deletesUnregistered, Pipe pipe) {
    this.repository = repository;
    this.copies = copies;
    this.deletesUnregistered = deletesUnregistered;
    this.pipe = pipe;
  }

  private void report(Inconsistency inconsistency, String pid, String found, String done) {
    pipe.found(
        copies == null
            ? new Finding(inconsistency, pid, Finding.State.FOUND, found)
            : new Finding(inconsistency, pid, Finding.State.REPAIRED, found + "; " + done));
  }

  void repair(InconsistentObject object)
      throws IOException, SQLException, Library.FailureException {
    if (object.file() == null) {
      List<Statement> triples = triples(object);
      if (copies != null) {
        remove(object, triples);
      }
      report(
          Inconsistency.NO_OBJECT,
          object.pid(),
          parts(object, triples) + ", but no object",
          "removed, so that it can be ingested");
      return;
    }
    FoxmlFile foxml;
    try {
      if (!Files.exists(object.file())) {
        throw new FoxmlFile.BrokenException("it is listed in the store but does not exist");
      }
      foxml = FoxmlFile.read(object.file());
      if (!object.pid().equals(foxml.pid())) {
        throw new FoxmlFile.BrokenException("it belongs to " + foxml.pid());
      }
    } catch (FoxmlFile.BrokenException e) {
      List<Statement> triples = triples(object);
      if (copies != null) {
        remove(object, triples);
      }
      report(
          Inconsistency.BROKEN_OBJECT,
          object.pid(),
          "its file cannot be read: " + e.getMessage(),
          "removed with " + parts(object, triples) + ", so that it can be ingested");
      return;
    }
    repairObject(object, foxml);
  }

  private void repairObject(InconsistentObject object, FoxmlFile foxml)
      throws IOException, SQLException, Library.FailureException {
    String pid = object.pid();
    boolean registered = object.has(PidTable.REGISTERED);
    if (!registered && deletesUnregistered) {
      List<Statement> triples = triples(object);
      if (copies != null) {
        remove(object, triples);
      }
      report(
          Inconsistency.NOT_REGISTERED,
          pid,
          "an object that Fedora has not registered",
          "removed with " + parts(object, triples) + ", as requested");
      return;
    }
    surplusContent(object, foxml);
    if (!registered) {
      if (copies != null) {
        repository.tables().register(pid);
      }
      report(
          Inconsistency.NOT_REGISTERED,
          pid,
          "an object that Fedora has not registered",
          "registered");
    }
    if (!object.has(PidTable.FIELDS)) {
      index(object);
    }
    if (repository.triplestore() != null && !object.has(PidTable.TRIPLES_UNKNOWN)) {
      Object reader = repository.objects().read(object.file());
      repairTriples(object, repository.objects().statements(reader, repository.triplestore()));
    }
    missingContent(object, foxml);
  }

  private void index(InconsistentObject object) throws IOException {
    String found = "not in the field index";
    try {
      Object reader = repository.objects().read(object.file());
      if (copies != null) {
        repository.objects().index(reader);
      }
      report(Inconsistency.NOT_IN_FIELD_INDEX, object.pid(), found, "indexed");
    } catch (Library.FailureException e) {
      pipe.found(
          new Finding(
              Inconsistency.NOT_IN_FIELD_INDEX,
              object.pid(),
              Finding.State.UNRESOLVED,
              found
                  + ", and Fedora's own code cannot index it here: "
                  + e.getMessage()
                  + "; modify the object by the API, which indexes it"));
    }
  }

  private void missingContent(InconsistentObject object, FoxmlFile foxml)
      throws IOException, SQLException {
    List<String> missing = new ArrayList<>();
    for (Map.Entry<ContentKey, Long> each : foxml.contents().entrySet()) {
      if (Scan.isMissing(repository.files().content(each.getKey()), each.getValue())) {
        missing.add(each.getKey().datastreamId() + "/" + each.getKey().versionId());
      }
    }
    if (!missing.isEmpty()) {
      pipe.found(
          new Finding(
              Inconsistency.CONTENT_MISSING,
              object.pid(),
              Finding.State.UNRESOLVED,
              "content is missing or incomplete: "
                  + String.join(", ", missing)
                  + "; restore the file, or purge the object and ingest it again"));
    }
  }

  private void surplusContent(InconsistentObject object, FoxmlFile foxml)
      throws IOException, SQLException {
    List<String> surplus = new ArrayList<>();
    for (Map.Entry<ContentKey, Path> each : object.contents().entrySet()) {
      ContentKey key = each.getKey();
      if (!foxml.contents().containsKey(key)) {
        surplus.add(key.datastreamId() + "/" + key.versionId());
        if (copies != null) {
          copies.addRows(repository.files().rows(key));
          removeContent(key, each.getValue());
        }
      }
    }
    if (!surplus.isEmpty()) {
      report(
          Inconsistency.CONTENT_SURPLUS,
          object.pid(),
          "content that the object does not reference: " + String.join(", ", surplus),
          "removed");
    }
  }

  private void repairTriples(InconsistentObject object, List<Statement> stated)
      throws IOException, Library.FailureException {
    Set<String> subjects = new LinkedHashSet<>(object.subjects());
    for (Statement each : stated) {
      subjects.add(each.subject());
    }
    Map<Statement, Integer> stored = new LinkedHashMap<>();
    for (String subject : subjects) {
      for (Statement each : repository.triplestore().of(subject)) {
        stored.merge(each, 1, Integer::sum);
      }
    }
    Set<Statement> expected = new LinkedHashSet<>(stated);
    List<Statement> missing = new ArrayList<>();
    for (Statement each : stated) {
      // A duplicate is removed with its double, since the two cannot be distinguished.
      if (stored.getOrDefault(each, 0) != 1) {
        missing.add(each);
      }
    }
    List<Statement> surplus = new ArrayList<>();
    for (Map.Entry<Statement, Integer> each : stored.entrySet()) {
      if (each.getValue() > 1 || !expected.contains(each.getKey())) {
        surplus.add(each.getKey());
      }
    }
    if (missing.isEmpty() && surplus.isEmpty()) {
      return;
    }
    if (copies != null) {
      copies.addRemovedTriples(surplus);
      copies.addAddedTriples(missing);
      repository.triplestore().delete(surplus);
      repository.triplestore().add(missing);
    }
    report(
        Inconsistency.TRIPLES_DIFFER,
        object.pid(),
        String.format(
            Locale.ROOT,
            "%,d of %s missing, %,d surplus",
            missing.size(),
            Counted.of(stated.size(), "triple"),
            surplus.size()),
        "replaced by those that the object states");
  }

  private List<Statement> triples(InconsistentObject object) throws Library.FailureException {
    List<Statement> triples = new ArrayList<>();
    for (String subject : object.subjects()) {
      triples.addAll(repository.triplestore().of(subject));
    }
    return triples;
  }

  private static String parts(InconsistentObject object, List<Statement> triples) {
    List<String> parts = new ArrayList<>();
    if (object.has(PidTable.REGISTERED)) {
      parts.add("a row of the registry");
    }
    if (object.has(PidTable.FIELDS | PidTable.DATES)) {
      parts.add("rows of the field index");
    }
    if (!object.contents().isEmpty()) {
      parts.add(Counted.of(object.contents().size(), "file") + " of content");
    }
    if (!triples.isEmpty()) {
      parts.add(Counted.of(triples.size(), "triple"));
    }
    return parts.isEmpty() ? "nothing else" : String.join(", ", parts);
  }

  private void remove(InconsistentObject object, List<Statement> triples)
      throws IOException, SQLException, Library.FailureException {
    String pid = object.pid();
    copies.addRows(repository.tables().copies(pid));
    copies.addRows(repository.files().rows(pid));
    copies.addRemovedTriples(triples);
    if (repository.triplestore() != null) {
      repository.triplestore().delete(triples);
    }
    for (Map.Entry<ContentKey, Path> each : object.contents().entrySet()) {
      removeContent(each.getKey(), each.getValue());
    }
    repository.tables().deleteFromFieldIndex(pid);
    if (object.file() != null) {
      copies.addFile(object.file());
      repository.files().forgetObject(pid);
    }
    repository.tables().unregister(pid);
  }

  private void removeContent(ContentKey key, Path file) throws IOException, SQLException {
    copies.addFile(file);
    repository.files().forgetContent(key);
  }

  /**
   * Completes an interrupted replacement. If the file itself is gone, the newer one replaces it if
   * possible, else the older one.
   */
  void repair(Replacement replacement) throws IOException, SQLException {
    Path file = replacement.file();
    Path replaced = replacement.replaced();
    if (!Files.exists(file)) {
      // It has already replaced the other.
      return;
    }
    if (replaced == null) {
      adopt(replacement);
    } else if (Files.exists(replaced)
        && (!replacement.isOfObject() || replacement.isNewer() || isReadable(replaced))) {
      removeFile(
          replacement,
          (replacement.isNewer() ? "a newer file" : "an older file") + " beside the valid one");
    } else if (replacement.isNewer() && replacement.isOfObject() && !isReadable(file)) {
      removeFile(replacement, "a newer file that cannot be read");
    } else {
      if (copies != null) {
        copies.addFile(replaced);
        Durable.moveIntoPlace(file, replaced);
      }
      report(
          Inconsistency.REPLACEMENT_CUT_SHORT,
          replacement.pid(),
          "a file that replaces a missing or unreadable one: " + file.getFileName(),
          "moved to its place");
    }
  }

  private void removeFile(Replacement replacement, String what) throws IOException {
    if (copies != null) {
      copies.addFile(replacement.file());
    }
    report(
        Inconsistency.REPLACEMENT_CUT_SHORT,
        replacement.pid(),
        what + ": " + replacement.file().getFileName(),
        "removed");
  }

  /** Adds a written file that the store's list lacks. */
  private void adopt(Replacement replacement) throws IOException, SQLException {
    Path file = replacement.file();
    String pid = replacement.isOfObject() ? readablePid(file) : null;
    if (pid == null || !repository.files().mayAdopt(pid)) {
      removeFile(replacement, "a file that is missing in the store's list");
      return;
    }
    if (copies != null) {
      repository.files().adopt(pid, file);
    }
    report(
        Inconsistency.REPLACEMENT_CUT_SHORT,
        pid,
        "an object's file that is missing in the store's list: " + file.getFileName(),
        "added to the list");
  }

  private static boolean isReadable(Path file) throws IOException {
    return readablePid(file) != null;
  }

  /** Returns the PID; null if it is not the file of an object. */
  private static String readablePid(Path file) throws IOException {
    try {
      return FoxmlFile.read(file).pid();
    } catch (FoxmlFile.BrokenException e) {
      return null;
    }
  }

  /** Moves away files that are no longer requested. */
  void removeTemporary(Path folder, List<Path> files) throws IOException {
    if (files.isEmpty()) {
      return;
    }
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
      if (copies != null) {
        copies.addFile(file);
      }
    }
    report(
        Inconsistency.TEMPORARY_FILE,
        "",
        Counted.of(files.size(), "temporary file")
            + " of unfinished requests, "
            + Counted.of(bytes, "byte")
            + ", in "
            + folder,
        "removed");
  }
}
