package org.fedometer.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import org.fedometer.store.query.LocalQuery;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.QueryLimits;

/** A directory of runs. Reads the disk at every call and caches nothing. Any thread. */
public final class RunStore implements StoreView {
  /** The default store, below the working directory. */
  public static final String DEFAULT_FOLDER = "fedometer-store";

  private final Path directory;

  private RunStore(Path directory) {
    this.directory = directory.toAbsolutePath().normalize();
  }

  /**
   * @param directory need not exist: a store without runs
   */
  public static RunStore at(Path directory) {
    return new RunStore(directory);
  }

  /** Absolute. */
  public Path directory() {
    return directory;
  }

  @Override
  public String location() {
    return directory.toString();
  }

  @Override
  public List<RunFolder> runs() throws IOException {
    return list((run, document) -> run);
  }

  @Override
  public List<RunSummary> summaries() throws IOException {
    return list(RunSummary::of);
  }

  /** Reads each document once; passes null for a missing or unreadable one. */
  private <T> List<T> list(BiFunction<RunFolder, RunDocument, T> what) throws IOException {
    record Listed<T>(String name, long beginMillis, T what) {}
    List<Listed<T>> runs = new ArrayList<>();
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(runsDirectory(), Files::isDirectory)) {
      for (Path entry : entries) {
        if (RunFolder.isValidName(entry.getFileName().toString())) {
          RunFolder run = new RunFolder(entry);
          RunDocument document = documentOrNull(run);
          runs.add(new Listed<>(run.name(), beginOf(run, document), what.apply(run, document)));
        }
      }
    } catch (NoSuchFileException e) {
      return List.of();
    }
    return runs.stream()
        .sorted(
            Comparator.<Listed<T>>comparingLong(Listed::beginMillis)
                .reversed()
                .thenComparing(Listed::name, Comparator.reverseOrder()))
        .map(Listed::what)
        .toList();
  }

  @Override
  public Query query() throws IOException, QueryException {
    return query(QueryLimits.local());
  }

  public Query query(QueryLimits limits) throws IOException, QueryException {
    return LocalQuery.open(() -> RunTables.ofAll(runsDirectory(), runs()), limits);
  }

  @Override
  public RunFolder run(String nameOrPath) throws NoSuchRunException, IOException {
    if (RunFolder.isValidName(nameOrPath)) {
      RunFolder named = folderOf(nameOrPath);
      if (Files.isDirectory(named.path())) {
        return named;
      }
    }
    try {
      RunFolder elsewhere = new RunFolder(Path.of(nameOrPath));
      if (Files.isRegularFile(elsewhere.documentFile())
          || Files.isDirectory(elsewhere.segmentDirectory())) {
        return elsewhere;
      }
    } catch (InvalidPathException e) {
      // It is no path either; the message below lists existing runs.
    }
    throw noSuchRun(nameOrPath);
  }

  /**
   * Returns the run of an untrusted name, in this store only.
   *
   * @throws NoSuchRunException lists existing runs
   */
  public RunFolder named(String name) throws NoSuchRunException, IOException {
    if (RunFolder.isValidName(name) && Files.isDirectory(folderOf(name).path())) {
      return folderOf(name);
    }
    throw noSuchRun(name);
  }

  private NoSuchRunException noSuchRun(String name) throws IOException {
    return new NoSuchRunException(
        name, location(), runs().stream().map(RunFolder::name).toList(), missingRunHint());
  }

  /** Returns the existing or future folder of that name. */
  public RunFolder folderOf(String name) {
    if (!RunFolder.isValidName(name)) {
      throw new IllegalArgumentException(
          "A run's name must have 1 to 100 letters, digits, '.', '_' and '-' and must not begin"
              + " with a dot, unlike \""
              + name
              + "\"");
    }
    return new RunFolder(runsDirectory().resolve(name));
  }

  /** Returns the folder of all runs; need not exist. */
  public Path runsDirectory() {
    return directory.resolve("runs");
  }

  private static RunDocument documentOrNull(RunFolder run) {
    try {
      return run.document();
    } catch (IOException e) {
      // A run that has just started, or was interrupted.
      return null;
    }
  }

  /** Returns zero for a folder that has disappeared. */
  private static long beginOf(RunFolder run, RunDocument documentOrNull) throws IOException {
    try {
      return beginMillis(run, documentOrNull);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /**
   * Returns the start of a run in milliseconds since 1970, by which runs are ordered. Falls back to
   * the folder's modification time.
   *
   * @throws NoSuchFileException if the folder has disappeared
   */
  public static long beginMillis(RunFolder run, RunDocument documentOrNull) throws IOException {
    String id = documentOrNull == null ? null : documentOrNull.id();
    return id != null && Ulid.isUlid(id)
        ? Ulid.epochMillisOf(id)
        : Files.getLastModifiedTime(run.path()).toMillis();
  }
}
