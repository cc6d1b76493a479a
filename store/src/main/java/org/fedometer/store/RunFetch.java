package org.fedometer.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.fedometer.store.RunView.RunFile;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.wire.disk.Durable;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * Copies a run from elsewhere into a local store. A new run becomes visible when it is complete.
 * Until then it has a hidden name beside the others, where an interrupted copy resumes. An existing
 * run is updated. Two runs of one name are the same if their ULIDs are equal. A run without a
 * run.json has no known ULID; its first source identifies it. One process at a time per run.
 */
public final class RunFetch {
  private static final int MAX_PASSES = 5;
  private static final int BUFFER_BYTES = 64 * 1024;

  /** Allowed growth of a file beyond its listing; then the listing is read again. */
  private static final long MAX_GROWTH_BYTES = 64L << 20;

  private static final Pattern IDENTITY = Pattern.compile("[A-Za-z0-9-]{1,40}");
  private static final String PARQUET = ".parquet";

  /** Prefix of copies in progress or waiting to be resumed. */
  static final String ASIDE = ".fetched-";

  private final RunView from;
  private final RunSummary summary;
  private final RunStore store;

  /**
   * @param summary has the ULID by which an existing run is recognized
   */
  public RunFetch(RunView from, RunSummary summary, RunStore store) {
    this.from = from;
    this.summary = summary;
    this.store = store;
  }

  /**
   * @param files number of copied files
   * @param bytes size of the copied files
   * @param unchanged number of files that existed already
   */
  public record Result(RunFolder run, int files, long bytes, int unchanged) {}

  /**
   * Copies everything missing, on this thread, without a time limit.
   *
   * @throws IOException one sentence: another run has the name, or the copy was interrupted; it can
   *     then be repeated
   */
  public Result copy() throws IOException {
    RunFolder run = store.folderOf(from.name());
    boolean update = Files.exists(run.path(), LinkOption.NOFOLLOW_LINKS);
    if (update) {
      refuseOtherRun(run);
    }
    Path runs = run.path().getParent();
    PrivateFiles.createFolders(runs);
    Path aside = runs.resolve(ASIDE + identity() + "-" + from.name());
    if (!update) {
      touch(aside);
    }
    RunFolder target = update ? run : new RunFolder(aside);
    Result result = copyInto(target);
    if (!update) {
      Files.move(aside, run.path(), StandardCopyOption.ATOMIC_MOVE);
      Durable.syncDirectory(runs);
    }
    return new Result(run, result.files(), result.bytes(), result.unchanged());
  }

  /** Updates the time, so that {@link RunDeletion} does not delete an old copy being resumed. */
  private static void touch(Path aside) {
    try {
      Files.setLastModifiedTime(aside, FileTime.from(Instant.now()));
    } catch (IOException e) {
      // Nothing was fetched before, or it belongs to another user.
    }
  }

  private void refuseOtherRun(RunFolder run) throws IOException {
    String here = null;
    try {
      here = run.document().id();
    } catch (IOException e) {
      // Without a run.json the run's identity is unknown.
    }
    boolean same = here == null ? isSameBySources(run) : here.equals(summary.id());
    if (!same) {
      throw new IOException(
          ("The store %s already has another run with the name %s (%s, not %s); rename its folder,"
                  + " or fetch into another store")
              .formatted(store.location(), run.name(), describe(here), describe(summary.id())));
    }
  }

  private static String describe(String id) {
    return id == null ? "one without a run.json" : id;
  }

  /** Returns an identity by which only the same run is resumed. */
  private String identity() throws IOException {
    String known = summary.id() != null ? summary.id() : firstSource(from);
    if (known == null) {
      return "empty";
    }
    // It becomes part of a folder's name, and another machine supplies it.
    return IDENTITY.matcher(known).matches()
        ? known
        : UUID.nameUUIDFromBytes(known.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** Compares sources: a UUID stands for one start of one process, which belongs to one run. */
  private boolean isSameBySources(RunFolder run) throws IOException {
    String first = firstSource(run);
    if (first != null) {
      return "1"
          .equals(queryText(from, "SELECT count(*)::VARCHAR FROM sources WHERE source = ?", first));
    }
    // Nothing was sealed when it was fetched, so no rows can be mixed.
    Set<String> there = new HashSet<>();
    from.files().forEach(file -> there.add(file.path()));
    return run.files().stream().allMatch(file -> there.contains(file.path()));
  }

  /** Returns null if nothing is sealed. */
  private static String firstSource(RunView run) throws IOException {
    return queryText(
        run, "SELECT source FROM sources ORDER BY first_seen_epoch_millis, source LIMIT 1");
  }

  private static String queryText(RunView run, String sql, Object... parameters)
      throws IOException {
    try (Query query = run.query();
        Rows rows = query.execute(sql, parameters)) {
      return rows.next() ? rows.text(0) : null;
    } catch (QueryException e) {
      throw new IOException(
          "The sources of the run %s cannot be read: %s".formatted(run.name(), e.getMessage()), e);
    }
  }

  private Result copyInto(RunFolder target) throws IOException {
    Progress progress = new Progress();
    for (int pass = 1; !copyAll(target, progress); pass++) {
      if (pass == MAX_PASSES) {
        throw new IOException("The files of the run change too quickly; fetch again later");
      }
    }
    PrivateFiles.createFolders(target.path());
    deleteCovered(target);
    return new Result(target, progress.copied, progress.bytes, progress.unchanged.size());
  }

  private static final class Progress {
    private final Set<String> unchanged = new HashSet<>();
    private final Set<String> written = new HashSet<>();
    private int copied;
    private long bytes;
  }

  /**
   * Returns false if a file disappeared: its content is in another file, which the listing lacks.
   */
  private boolean copyAll(RunFolder target, Progress progress) throws IOException {
    List<RunFile> files = new ArrayList<>(from.files());
    // The document has the run's state, so it comes last.
    files.sort(Comparator.comparing(file -> file.path().equals(RunFolder.DOCUMENT)));
    requireSpace(files, target.path());
    for (RunFile file : files) {
      if (isComplete(targetPath(target, file), file)) {
        if (!progress.written.contains(file.path())) {
          progress.unchanged.add(file.path());
        }
      } else if (!copy(target, file, progress)) {
        return false;
      }
    }
    return true;
  }

  /** A named Parquet file never changes; others have the time of their origin. */
  private static boolean isComplete(Path path, RunFile file) throws IOException {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
        && Files.size(path) == file.sizeBytes()
        && (file.path().endsWith(PARQUET)
            || file.modifiedEpochMillis() == Files.getLastModifiedTime(path).toMillis());
  }

  /** Returns false if the file has disappeared. */
  private boolean copy(RunFolder target, RunFile file, Progress progress) throws IOException {
    Path path = targetPath(target, file);
    Path aside = path.resolveSibling(RunPath.FETCHED_ASIDE);
    PrivateFiles.createFolders(path.getParent());
    Files.deleteIfExists(aside);
    try (InputStream in = from.open(file.path())) {
      copyBounded(in, aside, file);
    } catch (IOException e) {
      Files.deleteIfExists(aside);
      if (from.files().stream().noneMatch(listed -> listed.path().equals(file.path()))) {
        return false;
      }
      throw e;
    }
    long bytes = Files.size(aside);
    if (file.path().endsWith(PARQUET) && bytes != file.sizeBytes()) {
      Files.delete(aside);
      throw new IOException(
          "%s has %d bytes instead of %d; fetch again"
              .formatted(file.path(), bytes, file.sizeBytes()));
    }
    // The listing's time: later writes make the next fetch copy it again.
    Files.setLastModifiedTime(aside, FileTime.fromMillis(file.modifiedEpochMillis()));
    Durable.moveIntoPlace(aside, path);
    progress.written.add(file.path());
    progress.copied++;
    progress.bytes += bytes;
    return true;
  }

  /** Bounds the copy, since a remote collector may send without end. */
  private void copyBounded(InputStream in, Path aside, RunFile file) throws IOException {
    long maxBytes = file.sizeBytes() + MAX_GROWTH_BYTES;
    long copied = 0;
    byte[] buffer = new byte[BUFFER_BYTES];
    try (OutputStream out =
        Channels.newOutputStream(
            PrivateFiles.open(aside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        copied += count;
        if (copied > maxBytes) {
          maxBytes = currentMaxBytes(file, copied, aside.getParent());
        }
        out.write(buffer, 0, count);
      }
    }
  }

  /**
   * Returns the current limit of a file that may grow, such as a flight recording during sealing.
   */
  private long currentMaxBytes(RunFile file, long copied, Path folder) throws IOException {
    for (RunFile now : from.files()) {
      long maxBytes = now.sizeBytes() + MAX_GROWTH_BYTES;
      if (now.path().equals(file.path()) && copied <= maxBytes) {
        DiskSpace.require(now.sizeBytes() - copied, folder, "The rest of " + file.path());
        return maxBytes;
      }
    }
    throw new IOException(
        "%s, listed with %d bytes, does not stop growing; fetch again"
            .formatted(file.path(), file.sizeBytes()));
  }

  /** Checks the space before anything is written, since a forged listing must not fill the disk. */
  private static void requireSpace(List<RunFile> files, Path target) throws IOException {
    long needed = 0;
    for (RunFile file : files) {
      if (!isComplete(targetPath(new RunFolder(target), file), file)) {
        needed += file.sizeBytes();
        if (needed < 0) {
          needed = Long.MAX_VALUE;
          break;
        }
      }
    }
    DiskSpace.require(needed, target, "The copy of the run");
  }

  /** Validates a path, since a remote collector is not trusted with local paths. */
  private static Path targetPath(RunFolder target, RunFile file) throws IOException {
    if (!RunPath.isPlain(file.path())) {
      throw new IOException(
          "The run in the collector's store has the file " + RunPath.notPlain(file.path()));
    }
    Path place = RunPath.within(target.path(), file.path());
    if (place.startsWith(target.segmentDirectory())) {
      throw new IOException("The run has a file in a forbidden folder: \"" + file.path() + "\"");
    }
    for (Path parent = place; !parent.equals(target.path()); parent = parent.getParent()) {
      if (Files.isSymbolicLink(parent)) {
        throw new IOException("The file " + place + " lies behind a link");
      }
    }
    return place;
  }

  /** Deletes files of an earlier fetch that were merged into larger ones since. */
  private static void deleteCovered(RunFolder target) throws IOException {
    for (Table table : Table.values()) {
      for (Path file : target.coveredFiles(table)) {
        Files.delete(file);
      }
    }
  }
}
