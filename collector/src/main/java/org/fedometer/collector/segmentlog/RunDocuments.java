package org.fedometer.collector.segmentlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.fedometer.store.RunFolder;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.disk.PrivateFiles;
import org.fedometer.wire.session.Document;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Documents that sources send for one run: validates them and writes their files. For the segment
 * log's thread, or another while that waits for it.
 */
final class RunDocuments {
  private static final Logger LOG = LoggerFactory.getLogger(RunDocuments.class);

  private final RunFolder folder;
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();

  /** Lengths of accepted documents, of which parts may not be on disk yet. */
  private final Map<Path, Long> lengths = new HashMap<>();

  /** Parent folders of those documents. */
  private final Set<Path> folders = new HashSet<>();

  private final Set<Path> unsynced = new HashSet<>();

  /** A storable document; its content begins at the offset in the file. */
  record Pending(Source source, Path file, byte[] content, boolean append, long offset) {}

  RunDocuments(RunFolder folder) {
    this.folder = folder;
  }

  /**
   * Prepares a source's next document without effect yet.
   *
   * @return null for one that cannot be stored, of which its source gets a notice
   */
  Pending prepare(Source source, Frame frame) throws MalformedFrameException {
    Document document = Document.decode(ByteBuffer.wrap(frame.payload()));
    try {
      Path file = folder.documentPath(document.path());
      if (blocked(file) || blockedByPending(file)) {
        notifyNotStored(source, file);
        return null;
      }
      long offset = document.append() ? lengthOf(file) : 0;
      return new Pending(source, file, document.content(), document.append(), offset);
    } catch (IOException e) {
      notifyNotStored(source, e.getMessage() + "; it is not stored");
      return null;
    }
  }

  private void notifyNotStored(Source source, Path file) {
    Path document = folder.path().relativize(file);
    notifyNotStored(
        source, "The document " + document + " is not stored: a folder or file is in its way");
  }

  private void notifyNotStored(Source source, String notice) {
    if (!notice.equals(source.notStored)) {
      LOG.warn("{}: {}: {}", folder.name(), source.describeForLog(), notice);
    }
    source.notStored = notice;
  }

  private boolean blocked(Path file) {
    if (Files.isDirectory(file)) {
      return true;
    }
    for (Path parent = file.getParent();
        !parent.equals(folder.path());
        parent = parent.getParent()) {
      if (Files.exists(parent) && !Files.isDirectory(parent)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether an accepted document, perhaps not on disk yet, is in the way. */
  private boolean blockedByPending(Path file) {
    if (folders.contains(file)) {
      return true;
    }
    for (Path parent = file.getParent();
        !parent.equals(folder.path());
        parent = parent.getParent()) {
      if (lengths.containsKey(parent)) {
        return true;
      }
    }
    return false;
  }

  private long lengthOf(Path file) throws IOException {
    Long known = lengths.get(file);
    if (known != null) {
      return known;
    }
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /** Queues a document whose frame is in the segment; its file is written once that is durable. */
  void queue(Pending document) {
    Path file = document.file();
    lengths.put(file, document.offset() + document.content().length);
    for (Path parent = file.getParent();
        !parent.equals(folder.path());
        parent = parent.getParent()) {
      folders.add(parent);
    }
    pending.add(document);
  }

  /** Writes all queued files; repeat after a failure. */
  void writeQueued() throws IOException {
    while (!pending.isEmpty()) {
      write(pending.peek());
      pending.remove();
    }
  }

  private void write(Pending document) throws IOException {
    Path file = document.file();
    if (blocked(file)) {
      notifyNotStored(document.source(), file);
      return;
    }
    PrivateFiles.createFoldersBelow(folder.store(), file.getParent());
    Path target = document.append() ? file : folder.segmentDirectory().resolve("document.tmp");
    PrivateFiles.createFoldersBelow(folder.store(), target.getParent());
    try (FileChannel channel =
        PrivateFiles.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.truncate(document.offset());
      ByteBuffer content = ByteBuffer.wrap(document.content());
      long position = document.offset();
      while (content.hasRemaining()) {
        position += channel.write(content, position);
      }
      if (!document.append()) {
        // Otherwise a power failure could leave an empty file in place of the old one.
        channel.force(true);
      }
    }
    if (!document.append()) {
      Files.move(target, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    unsynced.add(file);
  }

  /** Returns documents to sync before segments with their content may be deleted. */
  Set<Path> takeUnsynced() {
    Set<Path> result = new HashSet<>(unsynced);
    unsynced.clear();
    return result;
  }

  void addUnsynced(Set<Path> documents) {
    unsynced.addAll(documents);
  }

  // ---- recovery ----

  /** Rewrites a segment's part of a document, since a crash may have preceded its file. */
  void restore(Source source, Frame frame, long offset) throws IOException {
    Pending document = pendingOf(source, frame, offset);
    if (document != null) {
      write(document);
    }
  }

  /**
   * As {@link #restore}, from another store's segment, which may have stopped before it wrote the
   * file. Existing files may be newer and stay.
   */
  void restoreIfAbsent(Source source, Frame frame, long offset) throws IOException {
    Pending document = pendingOf(source, frame, offset);
    if (document == null) {
      return;
    }
    Path file = document.file();
    boolean fits =
        document.append()
            ? offset == (Files.isRegularFile(file) ? Files.size(file) : 0)
            : !Files.exists(file);
    if (fits) {
      write(document);
    }
  }

  /** Returns null if the path is not allowed. */
  private Pending pendingOf(Source source, Frame frame, long offset)
      throws MalformedFrameException {
    Document document = Document.decode(ByteBuffer.wrap(frame.payload()));
    try {
      Path file = folder.documentPath(document.path());
      return new Pending(source, file, document.content(), document.append(), offset);
    } catch (IOException e) {
      LOG.warn("{} is not stored: {}", document.path(), e.getMessage());
      return null;
    }
  }
}
