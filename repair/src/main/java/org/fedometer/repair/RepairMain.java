package org.fedometer.repair;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import org.fedometer.wire.Counted;

/**
 * Main class of the child process. Examines a repository, and repairs it if a folder for copies is
 * given, or rebuilds its indexes. Standard input holds the {@link Settings}, standard output is a
 * {@link Pipe}; all library output goes to standard error.
 */
public final class RepairMain {

  private static final String TEMPORARY =
      "{fedora-ingest-temp*.xml,binary-datastream*.tmp,managedcontentupdate*.tmp,validation*tmp}";

  private RepairMain() {}

  /** Exits with 0 after a complete run. */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    System.setOut(System.err);
    Properties values = new Properties();
    values.load(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Pipe pipe = new Pipe(out);
    int exitCode = 1;
    try {
      run(new Settings(values), pipe);
      pipe.done();
      exitCode = 0;
    } catch (Throwable failure) {
      // Includes an Error in Fedora's code, or from a heap too small for the table.
      failure.printStackTrace();
      pipe.note(messageOf(failure));
    } finally {
      // Mulgara and the connection pools leave threads behind.
      System.exit(exitCode);
    }
  }

  /**
   * Returns the message if it is a sentence, else the exception's text; the examination was
   * incomplete.
   */
  private static String messageOf(Throwable failure) {
    boolean isSentence =
        failure.getMessage() != null
            && (failure instanceof SQLException || failure instanceof Library.FailureException);
    return isSentence ? failure.getMessage() : failure.toString();
  }

  private static void run(Settings settings, Pipe pipe)
      throws IOException, SQLException, Library.FailureException {
    if (!settings.indexSizes().isEmpty()) {
      try (Repository repository = new Repository(settings)) {
        new BatchIndex(repository, settings.indexSizes(), pipe).run();
      }
      return;
    }
    Copies copies =
        settings.copies() == null ? null : new Copies(settings.copies(), settings.home());
    PredicateTables.repair(settings, copies, pipe);
    try (Repository repository = new Repository(settings)) {
      Repair repair = new Repair(repository, copies, settings.deletesUnregistered(), pipe);
      pipe.progress("looking for interrupted writes");
      for (Replacement each : repository.files().replacements()) {
        if (settings.pids().isEmpty() || settings.pids().contains(each.pid())) {
          repair.repair(each);
        }
      }
      Scan scan = new Scan(repository, settings.pids(), pipe);
      scan.run();
      if (copies != null && !scan.inconsistentObjects().isEmpty()) {
        pipe.progress("repairing");
      }
      pipe.count(Pipe.UNLISTED_OBJECTS, scan.unlistedObjects());
      for (InconsistentObject object : scan.inconsistentObjects().values()) {
        repair.repair(object);
      }
      if (scan.unlistedObjects() > 0) {
        pipe.note(unlistedNote(scan.unlistedObjects(), copies != null));
      }
      if (settings.pids().isEmpty()) {
        for (Path folder : settings.temporary()) {
          repair.removeTemporary(folder, temporaryFiles(folder));
        }
      }
    }
  }

  static String unlistedNote(long objects, boolean repairs) {
    return Counted.of(objects, "more inconsistent object is", "more inconsistent objects are")
        + " not reported; "
        + (repairs ? "repair again" : "repair these first, then check again");
  }

  private static List<Path> temporaryFiles(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return Collections.emptyList();
    }
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, TEMPORARY)) {
      for (Path file : stream) {
        if (Files.isRegularFile(file)) {
          files.add(file);
        }
      }
    }
    return files;
  }
}
