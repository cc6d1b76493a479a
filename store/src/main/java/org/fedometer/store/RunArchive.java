package org.fedometer.store;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.fedometer.store.parquet.ParquetEnd;
import org.fedometer.wire.disk.Durable;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * A run as one zip file: all files in a folder of the run's name, except those covered by a larger
 * file. Parquet files, already compressed, are stored uncompressed. Stateless, any thread.
 */
public final class RunArchive {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int MAX_ENTRIES = 1_000_000;

  /** Deflate's limit is 1032 to 1, so a larger ratio is forged. */
  private static final long MAX_EXPANSION = 1_100;

  private RunArchive() {}

  /**
   * Writes the archive to a temporary file, verifies it, and then renames it.
   *
   * @return the {@link #fingerprint} of the archived content: the run may have grown since
   * @throws IOException also if the file exists, verification fails, or a file of the run has a
   *     name that could not be restored
   */
  public static String write(RunFolder run, Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("The file " + file + " already exists; give another name by --output");
    }
    Path aside = file.resolveSibling("." + file.getFileName() + ".tmp");
    Files.deleteIfExists(aside);
    try {
      List<Path> files = filesOf(run);
      refuseOddNames(run, files);
      String fingerprint = fingerprint(run, files);
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(aside), BUFFER_BYTES);
          ZipOutputStream zip = new ZipOutputStream(out)) {
        zip.setLevel(Deflater.BEST_COMPRESSION);
        for (Path each : files) {
          add(zip, run, each);
        }
      }
      verify(run, files, aside);
      Durable.syncFile(aside);
      giveName(aside, file);
      Durable.syncDirectory(file.toAbsolutePath().getParent());
      return fingerprint;
    } catch (FileAlreadyExistsException e) {
      throw new IOException(
          "The file " + file + " already exists; give another name by --output", e);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  /** Links the file: unlike a rename, a link never replaces a file created meanwhile. */
  private static void giveName(Path aside, Path file) throws IOException {
    try {
      Files.createLink(file, aside);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException | UnsupportedOperationException e) {
      // Memory sticks and many network disks have no links; this checks before it moves.
      Files.move(aside, file);
    }
  }

  /**
   * Returns a hash of the names, lengths and times of an archive's files, to represent its content.
   */
  public static String fingerprint(RunFolder run) throws IOException {
    return fingerprint(run, filesOf(run));
  }

  private static String fingerprint(RunFolder run, List<Path> files) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    for (Path file : files) {
      // Root locale: another country's locale may use other digits.
      String line =
          String.format(
              Locale.ROOT,
              "%s %d %d%n",
              entryName(run, file),
              Files.size(file),
              Files.getLastModifiedTime(file).toMillis());
      digest.update(line.getBytes(StandardCharsets.UTF_8));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Restores a run into a store under its original name.
   *
   * @throws IOException one sentence: the run exists, or the file is no archive of a run; then
   *     nothing has changed
   */
  public static RunFolder restore(Path file, RunStore store) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      String name = checkedName(zip, file);
      RunFolder run = store.folderOf(name);
      if (Files.exists(run.path(), LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException("The store " + store.location() + " already has a run " + name);
      }
      Path runs = run.path().getParent();
      PrivateFiles.createFolders(runs);
      // Before anything is written: a small archive may unpack to a thousand times its size.
      DiskSpace.require(
          zip.stream().mapToLong(ZipEntry::getSize).sum(), runs, "The content of " + file);
      try (RestoreFolder aside = RestoreFolder.in(runs)) {
        Enumeration<? extends ZipEntry> entries = zip.entries();
        while (entries.hasMoreElements()) {
          ZipEntry entry = entries.nextElement();
          Path target = RunPath.within(aside.path(), entry.getName().substring(name.length() + 1));
          PrivateFiles.createFolders(target.getParent());
          unpack(zip, entry, target);
          Durable.syncFile(target);
        }
        Files.move(aside.path(), run.path());
        Durable.syncDirectory(runs);
      }
      return run;
    } catch (ZipException e) {
      throw new IOException(file + " is not an archive of a run: " + e.getMessage(), e);
    }
  }

  private static List<Path> filesOf(RunFolder run) throws IOException {
    // Before the walk, which then finds the covering files.
    Set<Path> covered = covered(run);
    try (Stream<Path> all = Files.walk(run.path())) {
      return all.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
          .filter(path -> !covered.contains(path))
          .filter(path -> !RunPath.isTemporary(RunPath.of(run, path)))
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Returns files that the collector deletes some minutes after a merge, even during archiving; the
   * run is complete without them. Like the collector, keeps them if a larger file may be truncated.
   */
  private static Set<Path> covered(RunFolder run) throws IOException {
    Set<Path> covered = new HashSet<>();
    for (Table table : Table.values()) {
      List<Path> files = run.coveredFiles(table);
      if (!files.isEmpty() && areComplete(run.tableFiles(table))) {
        covered.addAll(files);
      }
    }
    return covered;
  }

  private static boolean areComplete(List<Path> files) throws IOException {
    for (Path file : files) {
      if (!ParquetEnd.isComplete(file)) {
        return false;
      }
    }
    return true;
  }

  private static void refuseOddNames(RunFolder run, List<Path> files) throws IOException {
    for (Path file : files) {
      String name = RunPath.of(run, file);
      if (!RunPath.isPlain(name)) {
        throw new IOException(
            "The run "
                + run.name()
                + " cannot be archived with its file "
                + RunPath.notPlain(name));
      }
    }
  }

  private static void add(ZipOutputStream zip, RunFolder run, Path file) throws IOException {
    ZipEntry entry = new ZipEntry(entryName(run, file));
    entry.setLastModifiedTime(Files.getLastModifiedTime(file));
    if (file.toString().endsWith(".parquet")) {
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(Files.size(file));
      entry.setCrc(crcOf(Files.newInputStream(file)));
    }
    zip.putNextEntry(entry);
    Files.copy(file, zip);
    zip.closeEntry();
  }

  private static String entryName(RunFolder run, Path file) {
    return run.name() + "/" + RunPath.of(run, file);
  }

  private static void verify(RunFolder run, List<Path> files, Path archive) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (Path file : files) {
        ZipEntry entry = zip.getEntry(entryName(run, file));
        if (entry == null
            || crcOf(zip.getInputStream(entry)) != crcOf(Files.newInputStream(file))) {
          throw new IOException("The archive differs from " + file + "; nothing was removed");
        }
      }
      if (zip.size() != files.size()) {
        throw new IOException("The archive has too many files; nothing was removed");
      }
    }
  }

  private static long crcOf(InputStream stream) throws IOException {
    try (CheckedInputStream in = new CheckedInputStream(stream, new CRC32())) {
      in.transferTo(OutputStream.nullOutputStream());
      return in.getChecksum().getValue();
    }
  }

  /**
   * Returns the run's name after checking that every entry stays in its folder and is plausible.
   */
  private static String checkedName(ZipFile zip, Path file) throws IOException {
    long compressed = Files.size(file);
    if (zip.size() == 0 || zip.size() > MAX_ENTRIES) {
      throw new IOException(
          file + " is not an archive of a run: it has " + zip.size() + " entries");
    }
    String name = null;
    long total = 0;
    NavigableSet<String> seen = new TreeSet<>();
    Enumeration<? extends ZipEntry> entries = zip.entries();
    while (entries.hasMoreElements()) {
      ZipEntry entry = entries.nextElement();
      int slash = entry.getName().indexOf('/');
      String top = slash < 0 ? "" : entry.getName().substring(0, slash);
      if (!RunFolder.isValidName(top)
          || name != null && !name.equals(top)
          || !RunPath.isPlain(entry.getName().substring(slash + 1))
          || !seen.add(entry.getName())) {
        throw new IOException(
            file + " is not an archive of a run: it has an entry \"" + entry.getName() + "\"");
      }
      name = top;
      total += entry.getSize();
      if (entry.getSize() < 0 || total < 0 || total / MAX_EXPANSION > compressed) {
        throw new IOException(file + " is not an archive of a run: its content would be too large");
      }
    }
    refuseFilesWithFilesBelow(seen, file);
    return name;
  }

  private static void refuseFilesWithFilesBelow(NavigableSet<String> names, Path file)
      throws IOException {
    for (String name : names) {
      String below = names.ceiling(name + "/");
      if (below != null && below.startsWith(name + "/")) {
        throw new IOException(
            file + " is not an archive of a run: \"" + name + "\" is both a file and a folder");
      }
    }
  }

  /**
   * Writes a link in an archive as an ordinary file, and never more bytes than the entry declares.
   */
  private static void unpack(ZipFile zip, ZipEntry entry, Path target) throws IOException {
    CRC32 crc = new CRC32();
    long left = entry.getSize();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = zip.getInputStream(entry);
        OutputStream out =
            Channels.newOutputStream(
                PrivateFiles.open(
                    target,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE))) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        left -= count;
        if (left < 0) {
          throw new ZipException(entry.getName() + " is larger than its declared size");
        }
        crc.update(buffer, 0, count);
        out.write(buffer, 0, count);
      }
    }
    if (left != 0 || crc.getValue() != entry.getCrc()) {
      throw new ZipException(entry.getName() + " is damaged");
    }
  }
}
