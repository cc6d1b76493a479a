package org.fedometer.datasets.bag;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.UnusableDocument;

/**
 * Writes objects to disk as a BagIt bag (RFC 8493): one FOXML file per object, SHA-256 manifests of
 * payload and tag files. Memory does not grow with the number of objects, unless one object states
 * all others. The same objects make a bag with the same bytes, since it contains no date. Objects
 * include the statements that others of the bag add to them. For one thread.
 *
 * <p>{@code bagit.txt} is written last, after all else is on disk. A folder without it is left from
 * an interrupted writer or a power cut; one with it is complete.
 */
public final class BagWriter {

  /**
   * Limit for good file system performance that still gives few enough folders for 100 million
   * objects.
   */
  private static final int OBJECTS_PER_FOLDER = 1_000;

  /** Generous estimate of the FOXML around the content of an object. */
  private static final long FRAME_BYTES = 12_000;

  /**
   * Threads that wait for the disk, which writes several files at once. For 5,000 small files on
   * ext4, one thread waited 2 to 5 s, sixteen 0.4 s.
   */
  private static final int FORCING_THREADS = 16;

  private static final String DECLARATION = "bagit.txt";
  private static final String MANIFEST = "manifest-sha256.txt";

  private final Path bag;
  private final Disk disk;
  private final Map<String, String> tagDigests = new TreeMap<>();

  private BagWriter(Path bag, Disk disk) {
    this.bag = bag;
    this.disk = disk;
  }

  /** Number of payload files and their bytes. */
  public record Written(long objects, long payloadBytes) {}

  /**
   * Writes a bag, which is on disk on return.
   *
   * @param bag the folder; created if missing
   * @param progress the consumer of the number of objects done, called after each
   * @throws IllegalArgumentException if the folder is not empty or no folder, or there is no object
   *     to write
   * @throws IOException if the disk lacks space for the objects, or writing fails
   */
  public static Written write(
      Dataset dataset, long first, long objects, Path bag, LongConsumer progress)
      throws IOException {
    return write(dataset, first, objects, bag, progress, Disk.REAL);
  }

  static Written write(
      Dataset dataset, long first, long objects, Path bag, LongConsumer progress, Disk disk)
      throws IOException {
    if (objects < 1) {
      throw new IllegalArgumentException("a bag holds at least one object, not " + objects);
    }
    dataset.requireObjects(first, objects);
    prepare(bag, disk);
    checkDiskSpace(dataset, objects, bag);
    return new BagWriter(bag, disk).write(dataset, first, objects, progress);
  }

  private static void prepare(Path bag, Disk disk) throws IOException {
    if (Files.exists(bag) && !Files.isDirectory(bag)) {
      throw new IllegalArgumentException(bag + " is not a folder; name a new or empty one");
    }
    if (Files.exists(bag.resolve(MANIFEST)) && !Files.exists(bag.resolve(DECLARATION))) {
      throw new IllegalArgumentException(
          bag + " holds an unfinished bag; delete it, or name a new folder");
    }
    createFolder(bag.toAbsolutePath(), disk);
    try (Stream<Path> there = Files.list(bag)) {
      if (there.findAny().isPresent()) {
        throw new IllegalArgumentException(bag + " is not empty; name a new or empty folder");
      }
    }
  }

  /** Creates the folder and its missing parents; all are on disk on return. */
  private static void createFolder(Path folder, Disk disk) throws IOException {
    Path parent = folder.getParent();
    if (Files.isDirectory(folder) || parent == null) {
      return;
    }
    createFolder(parent, disk);
    Files.createDirectories(folder);
    disk.force(parent);
  }

  private static void checkDiskSpace(Dataset dataset, long objects, Path bag) throws IOException {
    double needed = (double) objects * (dataset.meanObjectBytes() * 4.0 / 3 + FRAME_BYTES);
    // Not through FileStore, which needs a mount table with this disk: a chroot has none.
    long free = bag.toFile().getUsableSpace();
    if (needed > free) {
      throw new IOException(
          ("the objects need about %d MB, but %s has %d MB free; free disk space, or name"
                  + " another folder")
              .formatted((long) (needed / 1e6), bag, free / 1_000_000));
    }
  }

  private Written write(Dataset dataset, long first, long objects, LongConsumer progress)
      throws IOException {
    MessageDigest manifestDigest = ChecksumAlgorithm.SHA_256.newDigest();
    long payloadBytes = 0;
    try (Writer manifest = tagFile(MANIFEST, manifestDigest)) {
      for (long done = 0; done < objects; done++) {
        long index = first + done;
        RepositoryObject object = dataset.finished(index, first, objects);
        String name = payloadName(object, index);
        Path file = bag.resolve(name);
        if (done == 0 || index % OBJECTS_PER_FOLDER == 0) {
          Files.createDirectories(bag.resolve(name.substring(0, name.lastIndexOf('/'))));
        }
        MessageDigest digest = ChecksumAlgorithm.SHA_256.newDigest();
        try (OutputStream out =
            new BufferedOutputStream(new DigestOutputStream(payloadFile(file), digest), 1 << 16)) {
          object.writeFoxml(out);
        }
        payloadBytes += Files.size(file);
        manifest.write(HexFormat.of().formatHex(digest.digest()) + "  " + name + '\n');
        progress.accept(done + 1);
      }
    }
    tagDigests.put(MANIFEST, HexFormat.of().formatHex(manifestDigest.digest()));
    writeTagFile("bag-info.txt", info(dataset, first, objects, payloadBytes));
    if (!dataset.skipped().isEmpty()) {
      writeTagFile("skipped.txt", UnusableDocument.listing(dataset.skipped()));
    }
    String declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
    tagDigests.put(
        DECLARATION,
        HexFormat.of()
            .formatHex(
                ChecksumAlgorithm.SHA_256
                    .newDigest()
                    .digest(declaration.getBytes(StandardCharsets.US_ASCII))));
    StringBuilder tagManifest = new StringBuilder();
    tagDigests.forEach(
        (name, digest) -> tagManifest.append(digest).append("  ").append(name).append('\n'));
    Files.writeString(bag.resolve("tagmanifest-sha256.txt"), tagManifest);
    forceAll();
    declare(declaration);
    return new Written(objects, payloadBytes);
  }

  /**
   * Forces all files in one pass at the end, when the system has already written most of the
   * payload.
   */
  private void forceAll() throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(FORCING_THREADS);
    try {
      force(bag, threads);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Forces everything in the folder, then the folder itself. */
  private void force(Path folder, Executor threads) throws IOException {
    List<CompletableFuture<Void>> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry)) {
          force(entry, threads);
        } else {
          files.add(CompletableFuture.runAsync(() -> forceUnchecked(entry), threads));
        }
      }
      CompletableFuture.allOf(files.toArray(CompletableFuture[]::new)).join();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException failure) {
        throw failure.getCause();
      }
      throw e;
    }
    disk.force(folder);
  }

  private void forceUnchecked(Path file) {
    try {
      disk.force(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes the declaration under another name first, because half a declaration would mark the bag
   * as complete.
   */
  private void declare(String declaration) throws IOException {
    Path aside = bag.resolve(DECLARATION + ".part");
    Path place = bag.resolve(DECLARATION);
    try {
      Files.writeString(aside, declaration);
      disk.force(aside);
      Files.move(aside, place, StandardCopyOption.ATOMIC_MOVE);
      disk.force(bag);
    } catch (IOException e) {
      Files.deleteIfExists(aside);
      Files.deleteIfExists(place);
      throw e;
    }
  }

  /**
   * Returns the PID as a file name, with a thousand objects per folder. A percent sign in a
   * manifest is read differently by the standard and by programs; no PID has an equals sign.
   */
  private static String payloadName(RepositoryObject object, long index) {
    return "data/%s/%s.xml"
        .formatted(folder(index), object.pid().replace(':', '_').replace('%', '='));
  }

  /** Opens a new file; on a case-insensitive disk, two PIDs may have the same name. */
  private static OutputStream payloadFile(Path file) throws IOException {
    try {
      return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(
          file
              + " would be the file of two objects: this file system does not distinguish their"
              + " PIDs; name a folder on another one",
          e);
    }
  }

  /** Returns seven digits, the same in every locale. */
  private static String folder(long index) {
    String number = Long.toString(index / OBJECTS_PER_FOLDER);
    return "0".repeat(Math.max(0, 7 - number.length())) + number;
  }

  private static String info(Dataset dataset, long first, long objects, long payloadBytes) {
    StringBuilder info = new StringBuilder();
    element(info, "External-Description", "FOXML 1.1 objects of Fedometer's " + dataset.name());
    element(info, "Payload-Oxum", payloadBytes + "." + objects);
    element(info, "Fedometer-Dataset", dataset.name());
    element(info, "Fedometer-First-Object", Long.toString(first));
    element(info, "Fedometer-Objects", Long.toString(objects));
    dataset
        .parameters()
        .forEach(
            (name, value) -> {
              // A path on this machine is not part of the bag's content.
              if (!name.equals("dir")) {
                element(info, "Fedometer-Parameter-" + name, value);
              }
            });
    return info.toString();
  }

  private static void element(StringBuilder info, String label, String value) {
    info.append(label).append(": ").append(value.replaceAll("\\p{Cntrl}", " ")).append('\n');
  }

  private Writer tagFile(String name, MessageDigest digest) throws IOException {
    return new OutputStreamWriter(
        new BufferedOutputStream(
            new DigestOutputStream(Files.newOutputStream(bag.resolve(name)), digest)),
        StandardCharsets.UTF_8);
  }

  private void writeTagFile(String name, String text) throws IOException {
    MessageDigest digest = ChecksumAlgorithm.SHA_256.newDigest();
    try (Writer file = tagFile(name, digest)) {
      file.write(text);
    }
    tagDigests.put(name, HexFormat.of().formatHex(digest.digest()));
  }
}
