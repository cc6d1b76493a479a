package org.fedometer.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.fedometer.store.query.LocalQuery;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.QueryLimits;
import org.fedometer.store.rollup.LiveRollupFile;

/** One run on disk, complete in itself. Reads files only on request. Immutable, any thread. */
public final class RunFolder implements RunView {
  /**
   * Top-level names forbidden to documents, in lower case. By {@code KEEP} a source could keep its
   * run for ever, however much it sends.
   */
  private static final Set<String> RESERVED = Set.of("tables", "segments", "keep");

  public static final String DOCUMENT = "run.json";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

  private final Path path;

  /**
   * @param path the run's folder, which need not exist
   */
  public RunFolder(Path path) {
    this.path = path.toAbsolutePath().normalize();
  }

  /**
   * Returns whether a run's name is valid: 1 to 100 letters, digits, {@code . _ -}, no leading dot.
   */
  public static boolean isValidName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Absolute. */
  public Path path() {
    return path;
  }

  /** Returns the folder of its store; absolute. */
  public Path store() {
    return path.getParent().getParent();
  }

  @Override
  public String name() {
    return path.getFileName().toString();
  }

  /** Returns its {@code run.json}, which need not exist. */
  public Path documentFile() {
    return path.resolve(DOCUMENT);
  }

  @Override
  public boolean hasDocument() {
    return Files.exists(documentFile());
  }

  @Override
  public RunDocument document() throws IOException {
    return RunParts.joined(ownDocument(), allParts());
  }

  @Override
  public Map<String, RunDocument> parts() throws IOException {
    return RunParts.ownParts(ownDocument(), allParts());
  }

  private RunDocument ownDocument() throws IOException {
    try {
      return read(documentFile());
    } catch (NoSuchFileException e) {
      throw new IOException("The run " + path + " has no run.json", e);
    }
  }

  private Map<String, RunDocument> allParts() throws IOException {
    Map<String, RunDocument> parts = new TreeMap<>();
    for (Path file : filesOf(path.resolve(RunParts.FOLDER), ".json")) {
      if (RunParts.isPart(RunPath.of(this, file))) {
        parts.put(RunPath.of(this, file), read(file));
      }
    }
    return parts;
  }

  private static RunDocument read(Path file) throws IOException {
    if (!isOrdinaryOrGone(file)) {
      throw new IOException(file + " cannot be read: it is not a regular file");
    }
    try (InputStream json = Files.newInputStream(file)) {
      return RunDocumentJson.read(json);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the sealed Parquet files of a table by name, without those covered by a merged file.
   */
  public List<Path> tableFiles(Table table) throws IOException {
    List<Path> files = filesOf(tableDirectory(table), ".parquet");
    Set<Path> covered = covered(files);
    return covered.isEmpty()
        ? files
        : files.stream().filter(file -> !covered.contains(file)).toList();
  }

  /** Returns the files of a table that {@link #tableFiles} omits. */
  public List<Path> coveredFiles(Table table) throws IOException {
    return List.copyOf(covered(filesOf(tableDirectory(table), ".parquet")));
  }

  /** Requires files in {@link SegmentName#ORDER}: a covering file comes before the covered one. */
  private static Set<Path> covered(List<Path> files) {
    Set<Path> covered = new LinkedHashSet<>();
    SegmentName reachesFurthest = null;
    SegmentName before = null;
    for (Path file : files) {
      SegmentName name = SegmentName.ofSealed(file).orElse(null);
      if (name == null) {
        continue;
      }
      if ((reachesFurthest != null && reachesFurthest.covers(name))
          || (before != null && before.covers(name))) {
        covered.add(file);
      } else if (name.partBytes() == 0
          && (reachesFurthest == null
              || !reachesFurthest.storeId().equals(name.storeId())
              || name.last() > reachesFurthest.last())) {
        reachesFurthest = name;
      }
      before = name;
    }
    return covered;
  }

  @Override
  public Query query() throws IOException, QueryException {
    return query(QueryLimits.local());
  }

  public Query query(QueryLimits limits) throws IOException, QueryException {
    return LocalQuery.open(() -> RunTables.of(this), limits);
  }

  /**
   * Queries as {@link #query(QueryLimits)} does, but only these sealed files, whatever is sealed or
   * merged later. For a collector, which knows the rest.
   *
   * @param files of tables, by {@link #tableFiles}; an absent table has no rows
   */
  public Query query(QueryLimits limits, Map<Table, List<Path>> files)
      throws IOException, QueryException {
    return LocalQuery.open(() -> RunTables.of(files), limits);
  }

  /** Omits {@code segments}, which only the collector uses. */
  @Override
  public List<RunFile> files() throws IOException {
    List<RunFile> files = new ArrayList<>();
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return directory.equals(segmentDirectory())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = RunPath.of(RunFolder.this, file);
            if (attributes.isRegularFile() && !RunPath.isTemporary(name)) {
              files.add(
                  new RunFile(name, attributes.size(), attributes.lastModifiedTime().toMillis()));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(Comparator.comparing(RunFile::path));
    return files;
  }

  @Override
  public InputStream open(String relativePath) throws IOException {
    return Files.newInputStream(readable(relativePath));
  }

  /**
   * Returns the path of one of {@link #files}.
   *
   * @throws IOException if it does not exist, is no ordinary file, or is outside the run's folder
   *     or in its segments
   */
  public Path readable(String relativePath) throws IOException {
    try {
      Path file = path.resolve(relativePath).normalize();
      if (file.startsWith(path)
          && !file.startsWith(segmentDirectory())
          && file.toRealPath().startsWith(path.toRealPath())) {
        if (!isOrdinaryOrGone(file)) {
          throw new IOException("The run " + name() + " has no file " + relativePath);
        }
        return file;
      }
    } catch (InvalidPathException | NoSuchFileException e) {
      throw new IOException("The run " + name() + " has no file " + relativePath, e);
    }
    throw new IOException("The file " + relativePath + " does not belong to the run " + name());
  }

  /** Returns the folder of frames that wait to be sealed. */
  public Path segmentDirectory() {
    return path.resolve("segments");
  }

  /**
   * Returns unsealed segments, oldest first; the last one always exists and receives new frames.
   */
  public List<Path> segmentFiles() throws IOException {
    return filesOf(segmentDirectory(), ".segment");
  }

  /**
   * Returns rollups of unsealed segments; also of some sealed ones, until {@link #stillLive} has
   * filtered them.
   */
  public List<Path> liveRollupFiles() throws IOException {
    List<Path> live = new ArrayList<>();
    for (Path file : filesOf(segmentDirectory(), ".parquet")) {
      Path segment = LiveRollupFile.segmentOf(file);
      if (segment != null && SegmentName.ofSegment(segment).isPresent() && Files.exists(segment)) {
        live.add(file);
      }
    }
    return live;
  }

  /**
   * Returns those {@link #liveRollupFiles} whose segments are not among the sealed ones. Each row
   * is in exactly one of both if the live files were listed first.
   *
   * @param sealed files of {@link Table#ROLLUPS}
   */
  public static List<Path> stillLive(List<Path> live, List<Path> sealed) {
    if (live.isEmpty()) {
      return live;
    }
    List<SegmentName> names =
        sealed.stream().flatMap(file -> SegmentName.ofSealed(file).stream()).toList();
    return live.stream()
        .filter(
            file -> {
              SegmentName segment =
                  SegmentName.ofSegment(LiveRollupFile.segmentOf(file)).orElseThrow();
              return names.stream()
                  .noneMatch(name -> name.part(0).equals(segment) || name.part(0).covers(segment));
            })
        .toList();
  }

  public Path tableDirectory(Table table) {
    return path.resolve("tables").resolve(table.tableName());
  }

  /**
   * Returns the file of a document from a source.
   *
   * @param relativePath as {@link org.fedometer.wire.session.Document} allows it
   * @throws IOException one sentence: it would leave the folder, or hit the collector's own files
   */
  public Path documentPath(String relativePath) throws IOException {
    Path file = path.resolve(relativePath).normalize();
    if (!file.startsWith(path) || file.equals(path)) {
      throw new IOException("The document " + relativePath + " lies outside the run's folder");
    }
    String top = path.relativize(file).getName(0).toString();
    if (RESERVED.contains(top.toLowerCase(Locale.ROOT))) {
      throw new IOException(
          "The document " + relativePath + " has a name that is reserved for the collector");
    }
    for (Path parent = file; !parent.equals(path); parent = parent.getParent()) {
      if (Files.isSymbolicLink(parent)) {
        throw new IOException("The document " + relativePath + " would go through a link");
      }
    }
    return file;
  }

  @Override
  public String toString() {
    return path.toString();
  }

  /**
   * Returns false for files that Fedometer never creates but a foreign run may have: links could
   * lead out of the folder, and opening a named pipe blocks for ever. True for a file that has just
   * disappeared.
   */
  private static boolean isOrdinaryOrGone(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isRegularFile();
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  /** Returns files in writing order, also beyond 999,999, where names grow longer. */
  private static List<Path> filesOf(Path directory, String suffix) throws IOException {
    record Named(Path file, SegmentName name) {}
    List<Named> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "*" + suffix)) {
      for (Path entry : entries) {
        if (!entry.getFileName().toString().startsWith(".") && isOrdinaryOrGone(entry)) {
          SegmentName name =
              SegmentName.ofSealed(entry).or(() -> SegmentName.ofSegment(entry)).orElse(null);
          files.add(new Named(entry, name));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    }
    files.sort(
        Comparator.comparing(Named::name, Comparator.nullsFirst(SegmentName.ORDER))
            .thenComparing(Named::file));
    return files.stream().map(Named::file).toList();
  }
}
