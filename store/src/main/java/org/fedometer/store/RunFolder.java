package org.fedometer.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One run on disk, complete in itself: where its files lie. Reads nothing until asked. Immutable,
 * any thread.
 */
public final class RunFolder {
  /** Sealed tables, one folder each, in the order of {@code docs/store.md}. */
  static final List<String> TABLES = List.of("samples", "requests", "traces", "totals", "sources");

  /** Top-level names that documents of a run must leave alone. */
  private static final Set<String> RESERVED =
      Set.of("samples", "requests", "traces", "totals", "sources", "segments");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

  private final Path path;

  /**
   * @param path the run's folder, which need not exist
   */
  public RunFolder(Path path) {
    this.path = path.toAbsolutePath().normalize();
  }

  /** Whether a run may be called so: 1 to 100 letters, digits, {@code . _ -}, no dot at first. */
  public static boolean isValidName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Absolute. */
  public Path path() {
    return path;
  }

  public String name() {
    return path.getFileName().toString();
  }

  public Path documentFile() {
    return path.resolve("run.json");
  }

  /**
   * What {@code run.json} says.
   *
   * @throws IOException one sentence, also where there is no such file (yet)
   */
  public RunDocument document() throws IOException {
    try {
      return RunDocumentJson.read(Files.readAllBytes(documentFile()));
    } catch (NoSuchFileException e) {
      throw new IOException("The run " + path + " has no run.json", e);
    } catch (com.fasterxml.jackson.core.JacksonException e) {
      throw new IOException(documentFile() + " cannot be read: " + e.getOriginalMessage(), e);
    }
  }

  /** Sealed samples, oldest first. */
  public List<Path> sampleFiles() throws IOException {
    return tableFiles("samples");
  }

  /** Sealed requests, oldest first. */
  public List<Path> requestFiles() throws IOException {
    return tableFiles("requests");
  }

  /** Sealed traces, oldest first. */
  public List<Path> traceFiles() throws IOException {
    return tableFiles("traces");
  }

  /** Sealed totals, oldest first. */
  public List<Path> totalsFiles() throws IOException {
    return tableFiles("totals");
  }

  /** Sealed descriptions of the sources, oldest first. */
  public List<Path> sourceFiles() throws IOException {
    return tableFiles("sources");
  }

  /** Where frames wait to be sealed. */
  public Path segmentDirectory() {
    return path.resolve("segments");
  }

  /** Unsealed segments, oldest first; the last one is always there and holds what comes next. */
  public List<Path> segmentFiles() throws IOException {
    return filesOf(segmentDirectory(), ".segment");
  }

  /** Where a table's Parquet files lie. */
  public Path tableDirectory(String table) {
    if (!TABLES.contains(table)) {
      throw new IllegalArgumentException("No table " + table + "; there is " + TABLES);
    }
    return path.resolve(table);
  }

  /**
   * The file of a document that a source ships.
   *
   * @param relativePath as {@link org.fedometer.wire.Document} allows it
   * @throws IOException one sentence: it would leave the folder, or hit the collector's own files
   */
  public Path documentPath(String relativePath) throws IOException {
    Path file = path.resolve(relativePath).normalize();
    if (!file.startsWith(path) || file.equals(path)) {
      throw new IOException("The document " + relativePath + " lies outside the run's folder");
    }
    String top = path.relativize(file).getName(0).toString();
    if (RESERVED.contains(top.toLowerCase(java.util.Locale.ROOT))) {
      throw new IOException("The document " + relativePath + " lies in a folder of the collector");
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

  List<Path> tableFiles(String table) throws IOException {
    return filesOf(tableDirectory(table), ".parquet");
  }

  private static List<Path> filesOf(Path directory, String suffix) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, "*" + suffix)) {
      for (Path entry : entries) {
        if (!entry.getFileName().toString().startsWith(".")) {
          files.add(entry);
        }
      }
    } catch (NoSuchFileException e) {
      return List.of();
    }
    Collections.sort(files);
    return files;
  }
}
