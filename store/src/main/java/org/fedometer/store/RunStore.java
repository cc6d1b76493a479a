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

/** A directory full of runs. Reads the disk at every call and keeps nothing. Any thread. */
public final class RunStore implements StoreView {
  /** Below the working directory: the store of commands that are told of no other. */
  public static final String DEFAULT_FOLDER = "fedometer-store";

  private final Path directory;

  private RunStore(Path directory) {
    this.directory = directory.toAbsolutePath().normalize();
  }

  /** {@code directory} need not exist: a store without runs. */
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

  /** Reads each document once; it is null where a run has none that can be read. */
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
      // Then it is no path either, and the message below says what there is.
    }
    throw noSuchRun(nameOrPath);
  }

  /**
   * The run of that name, in this store only: for a name that a stranger gives.
   *
   * @throws NoSuchRunException lists what there is
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

  /** Where the run of that name lies or would lie. */
  public RunFolder folderOf(String name) {
    if (!RunFolder.isValidName(name)) {
      throw new IllegalArgumentException(
          "A run's name has 1 to 100 letters, digits, '.', '_' and '-' and does not begin with a"
              + " dot: not \""
              + name
              + "\"");
    }
    return new RunFolder(runsDirectory().resolve(name));
  }

  /** Where the runs' folders lie; need not exist. */
  public Path runsDirectory() {
    return directory.resolve("runs");
  }

  private static RunDocument documentOrNull(RunFolder run) {
    try {
      return run.document();
    } catch (IOException e) {
      // A run that has only begun, or was cut short.
      return null;
    }
  }

  /** Zero for a folder that has vanished meanwhile. */
  private static long beginOf(RunFolder run, RunDocument documentOrNull) throws IOException {
    try {
      return beginMillis(run, documentOrNull);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /**
   * When a run began, in milliseconds since 1970: so runs are ordered. Without a document that says
   * it, the folder's own age has to do.
   *
   * @throws NoSuchFileException the folder has vanished meanwhile
   */
  public static long beginMillis(RunFolder run, RunDocument documentOrNull) throws IOException {
    String id = documentOrNull == null ? null : documentOrNull.id();
    return id != null && Ulid.isUlid(id)
        ? Ulid.epochMillisOf(id)
        : Files.getLastModifiedTime(run.path()).toMillis();
  }
}
