package org.fedometer.collector.dashboard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Ulid;

/**
 * What is known of one run, as long as its document stays as it is. Immutable.
 *
 * @param run its folder
 * @param stamp by which a change of the document is seen
 * @param beginMillis by which runs are ordered, since 1970
 * @param document null where there is none that can be read
 */
record RunEntry(RunFolder run, Stamp stamp, long beginMillis, RunDocument document) {
  /** No document of ours comes near it. */
  private static final long LONGEST_DOCUMENT_BYTES = 16L << 20;

  /**
   * @param modified null where there is no document
   */
  record Stamp(FileTime modified, long bytes, FileTime partsModified) {
    static Stamp of(RunFolder run) throws IOException {
      FileTime parts = modifiedOf(run.path().resolve("parts"));
      try {
        BasicFileAttributes document =
            Files.readAttributes(run.documentFile(), BasicFileAttributes.class);
        return new Stamp(document.lastModifiedTime(), document.size(), parts);
      } catch (IOException e) {
        return new Stamp(null, 0, parts);
      }
    }

    private static FileTime modifiedOf(Path folder) {
      try {
        return Files.getLastModifiedTime(folder);
      } catch (IOException e) {
        return null;
      }
    }
  }

  static RunEntry read(RunFolder run, Stamp stamp) throws IOException {
    RunDocument document = null;
    if (stamp.modified() != null && stamp.bytes() <= LONGEST_DOCUMENT_BYTES) {
      try {
        document = run.document();
      } catch (IOException | RuntimeException e) {
        // Being written, or none of ours: listed by its name.
      }
    }
    return new RunEntry(run, stamp, beginOf(run, document), document);
  }

  private static long beginOf(RunFolder run, RunDocument document) throws IOException {
    if (document != null && document.id() != null && Ulid.isUlid(document.id())) {
      return Ulid.epochMillisOf(document.id());
    }
    return Files.getLastModifiedTime(run.path()).toMillis();
  }

  /** How many objects were asked for, or null. */
  Long requested() {
    return document == null || document.objects() == null
        ? null
        : (Long) document.objects().requested();
  }
}
