package org.fedometer.offline;

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
 * Makes suspects whole, or has nothing of them stay; without a folder for copies it only says what
 * it would do. An object's file is the truth; rows and triples follow from it. Whatever happens in
 * between leaves something that the next scan finds: of a PID that goes, its row of the registry
 * goes last. One thread's.
 */
final class Mending {

  private final Repository repository;
  private final Copies copies;
  private final boolean deletesUnregistered;
  private final Pipe pipe;

  /**
   * @param copies null if nothing is to be changed
   * @param deletesUnregistered whether objects go that Fedora does not know of
   */
  Mending(Repository repository, Copies copies, boolean deletesUnregistered, Pipe pipe) {
    this.repository = repository;
    this.copies = copies;
    this.deletesUnregistered = deletesUnregistered;
    this.pipe = pipe;
  }

  private void report(Damage damage, String pid, String found, String done) {
    pipe.found(
        copies == null
            ? new Finding(damage, pid, Finding.State.FOUND, found)
            : new Finding(damage, pid, Finding.State.MENDED, found + "; " + done));
  }

  void mend(Suspect suspect) throws IOException, SQLException, Library.FailureException {
    if (suspect.file() == null) {
      List<Statement> triples = triples(suspect);
      if (copies != null) {
        remove(suspect, triples);
      }
      report(
          Damage.NO_OBJECT,
          suspect.pid(),
          parts(suspect, triples) + ", but no object",
          "removed, so that it can be ingested");
      return;
    }
    FoxmlFile foxml;
    try {
      if (!Files.exists(suspect.file())) {
        throw new FoxmlFile.BrokenException("it is in the store's list, and gone");
      }
      foxml = FoxmlFile.read(suspect.file());
      if (!suspect.pid().equals(foxml.pid())) {
        throw new FoxmlFile.BrokenException("it is that of " + foxml.pid());
      }
    } catch (FoxmlFile.BrokenException e) {
      List<Statement> triples = triples(suspect);
      if (copies != null) {
        remove(suspect, triples);
      }
      report(
          Damage.BROKEN_OBJECT,
          suspect.pid(),
          "its file cannot be read: " + e.getMessage(),
          "removed with " + parts(suspect, triples) + ", so that it can be ingested");
      return;
    }
    mendObject(suspect, foxml);
  }

  private void mendObject(Suspect suspect, FoxmlFile foxml)
      throws IOException, SQLException, Library.FailureException {
    String pid = suspect.pid();
    boolean registered = suspect.has(PidTable.REGISTERED);
    if (!registered && deletesUnregistered) {
      List<Statement> triples = triples(suspect);
      if (copies != null) {
        remove(suspect, triples);
      }
      report(
          Damage.NOT_REGISTERED,
          pid,
          "an object of which Fedora does not know",
          "removed with " + parts(suspect, triples) + ", as was asked for");
      return;
    }
    surplusContent(suspect, foxml);
    if (!registered) {
      if (copies != null) {
        repository.tables().register(pid);
      }
      report(Damage.NOT_REGISTERED, pid, "an object of which Fedora does not know", "registered");
    }
    if (!suspect.has(PidTable.FIELDS)) {
      index(suspect);
    }
    if (repository.triplestore() != null && !suspect.has(PidTable.TRIPLES_UNKNOWN)) {
      Object reader = repository.objects().read(suspect.file());
      mendTriples(suspect, repository.objects().statements(reader, repository.triplestore()));
    }
    missingContent(suspect, foxml);
  }

  private void index(Suspect suspect) throws IOException {
    String found = "not in the field index";
    try {
      Object reader = repository.objects().read(suspect.file());
      if (copies != null) {
        repository.objects().index(reader);
      }
      report(Damage.NOT_IN_FIELD_INDEX, suspect.pid(), found, "indexed");
    } catch (Library.FailureException e) {
      pipe.found(
          new Finding(
              Damage.NOT_IN_FIELD_INDEX,
              suspect.pid(),
              Finding.State.LEFT,
              found
                  + ", and Fedora's own code cannot index it here: "
                  + e.getMessage()
                  + "; change something of the object by the API, which indexes it"));
    }
  }

  private void missingContent(Suspect suspect, FoxmlFile foxml) throws IOException, SQLException {
    List<String> missing = new ArrayList<>();
    for (Map.Entry<ContentKey, Long> each : foxml.contents().entrySet()) {
      if (Scan.isMissing(repository.files().content(each.getKey()), each.getValue())) {
        missing.add(each.getKey().datastreamId() + "/" + each.getKey().versionId());
      }
    }
    if (!missing.isEmpty()) {
      pipe.found(
          new Finding(
              Damage.CONTENT_MISSING,
              suspect.pid(),
              Finding.State.LEFT,
              "content is not there, or not all of it: "
                  + String.join(", ", missing)
                  + "; put the file back, or purge the object and ingest it again"));
    }
  }

  private void surplusContent(Suspect suspect, FoxmlFile foxml) throws IOException, SQLException {
    List<String> surplus = new ArrayList<>();
    for (Map.Entry<ContentKey, Path> each : suspect.contents().entrySet()) {
      ContentKey key = each.getKey();
      if (!foxml.contents().containsKey(key)) {
        surplus.add(key.datastreamId() + "/" + key.versionId());
        if (copies != null) {
          copies.rows(repository.files().rows(key));
          removeContent(key, each.getValue());
        }
      }
    }
    if (!surplus.isEmpty()) {
      report(
          Damage.CONTENT_SURPLUS,
          suspect.pid(),
          "content that the object does not name: " + String.join(", ", surplus),
          "removed");
    }
  }

  private void mendTriples(Suspect suspect, List<Statement> stated)
      throws IOException, Library.FailureException {
    Set<String> subjects = new LinkedHashSet<>(suspect.subjects());
    for (Statement each : stated) {
      subjects.add(each.subject());
    }
    Map<Statement, Integer> there = new LinkedHashMap<>();
    for (String subject : subjects) {
      for (Statement each : repository.triplestore().of(subject)) {
        there.merge(each, 1, Integer::sum);
      }
    }
    Set<Statement> right = new LinkedHashSet<>(stated);
    List<Statement> missing = new ArrayList<>();
    for (Statement each : stated) {
      // What is there twice goes with its double, since nothing can tell the two apart.
      if (there.getOrDefault(each, 0) != 1) {
        missing.add(each);
      }
    }
    List<Statement> surplus = new ArrayList<>();
    for (Map.Entry<Statement, Integer> each : there.entrySet()) {
      if (each.getValue() > 1 || !right.contains(each.getKey())) {
        surplus.add(each.getKey());
      }
    }
    if (missing.isEmpty() && surplus.isEmpty()) {
      return;
    }
    if (copies != null) {
      copies.removedTriples(surplus);
      copies.addedTriples(missing);
      repository.triplestore().delete(surplus);
      repository.triplestore().add(missing);
    }
    report(
        Damage.TRIPLES_DIFFER,
        suspect.pid(),
        String.format(
            Locale.ROOT,
            "%,d of %s missing, %,d there that should not be",
            missing.size(),
            Counted.of(stated.size(), "triple"),
            surplus.size()),
        "made as the object states them");
  }

  private List<Statement> triples(Suspect suspect) throws Library.FailureException {
    List<Statement> triples = new ArrayList<>();
    for (String subject : suspect.subjects()) {
      triples.addAll(repository.triplestore().of(subject));
    }
    return triples;
  }

  private static String parts(Suspect suspect, List<Statement> triples) {
    List<String> parts = new ArrayList<>();
    if (suspect.has(PidTable.REGISTERED)) {
      parts.add("a row of the registry");
    }
    if (suspect.has(PidTable.FIELDS | PidTable.DATES)) {
      parts.add("rows of the field index");
    }
    if (!suspect.contents().isEmpty()) {
      parts.add(Counted.of(suspect.contents().size(), "file") + " of content");
    }
    if (!triples.isEmpty()) {
      parts.add(Counted.of(triples.size(), "triple"));
    }
    return parts.isEmpty() ? "nothing else" : String.join(", ", parts);
  }

  private void remove(Suspect suspect, List<Statement> triples)
      throws IOException, SQLException, Library.FailureException {
    String pid = suspect.pid();
    copies.rows(repository.tables().copies(pid));
    copies.rows(repository.files().rows(pid));
    copies.removedTriples(triples);
    if (repository.triplestore() != null) {
      repository.triplestore().delete(triples);
    }
    for (Map.Entry<ContentKey, Path> each : suspect.contents().entrySet()) {
      removeContent(each.getKey(), each.getValue());
    }
    repository.tables().deleteFromFieldIndex(pid);
    if (suspect.file() != null) {
      copies.take(suspect.file());
      repository.files().forgetObject(pid);
    }
    repository.tables().unregister(pid);
  }

  private void removeContent(ContentKey key, Path file) throws IOException, SQLException {
    copies.take(file);
    repository.files().forgetContent(key);
  }

  /**
   * Ends what was cut short: where the file itself is gone, the newer one takes its place if it
   * can, else the older one.
   */
  void mend(Replacement replacement) throws IOException, SQLException {
    Path file = replacement.file();
    Path replaced = replacement.replaced();
    if (!Files.exists(file)) {
      // It has taken the place already.
      return;
    }
    if (replaced == null) {
      adopt(replacement);
    } else if (Files.exists(replaced)
        && (!replacement.isOfObject() || replacement.isNewer() || isReadable(replaced))) {
      removeFile(
          replacement,
          (replacement.isNewer() ? "a newer file" : "an older file")
              + " beside the one that counts");
    } else if (replacement.isNewer() && replacement.isOfObject() && !isReadable(file)) {
      removeFile(replacement, "a newer file that cannot be read");
    } else {
      if (copies != null) {
        copies.take(replaced);
        Durable.moveIntoPlace(file, replaced);
      }
      report(
          Damage.REPLACEMENT_CUT_SHORT,
          replacement.pid(),
          "a file in whose place there is none, or none that can be read: " + file.getFileName(),
          "put in its place");
    }
  }

  private void removeFile(Replacement replacement, String what) throws IOException {
    if (copies != null) {
      copies.take(replacement.file());
    }
    report(
        Damage.REPLACEMENT_CUT_SHORT,
        replacement.pid(),
        what + ": " + replacement.file().getFileName(),
        "removed");
  }

  /** A file that was written and that the store's list does not have. */
  private void adopt(Replacement replacement) throws IOException, SQLException {
    Path file = replacement.file();
    String pid = replacement.isOfObject() ? readablePid(file) : null;
    if (pid == null || !repository.files().mayAdopt(pid)) {
      removeFile(replacement, "a file that the store's list does not have");
      return;
    }
    if (copies != null) {
      repository.files().adopt(pid, file);
    }
    report(
        Damage.REPLACEMENT_CUT_SHORT,
        pid,
        "an object's file that the store's list does not have: " + file.getFileName(),
        "put into the list");
  }

  private static boolean isReadable(Path file) throws IOException {
    return readablePid(file) != null;
  }

  /** Null if it is not the file of an object. */
  private static String readablePid(Path file) throws IOException {
    try {
      return FoxmlFile.read(file).pid();
    } catch (FoxmlFile.BrokenException e) {
      return null;
    }
  }

  /** Moves files away that nobody will ask for again. */
  void mendTemporary(Path folder, List<Path> files) throws IOException {
    if (files.isEmpty()) {
      return;
    }
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
      if (copies != null) {
        copies.take(file);
      }
    }
    report(
        Damage.TEMPORARY_FILE,
        "",
        Counted.of(files.size(), "temporary file")
            + " of requests that never ended, "
            + Counted.of(bytes, "byte")
            + ", in "
            + folder,
        "removed");
  }
}
