package org.fedometer.collector.dashboard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;

/**
 * A run with its document, valid while the document is unchanged. Immutable.
 *
 * @param stamp detects changes of the document
 * @param beginMillis sort key, milliseconds since 1970
 * @param document null if none is readable
 */
record RunEntry(RunFolder run, Stamp stamp, long beginMillis, RunDocument document) {
  /**
   * @param modified null without a document
   * @param partsModified when a part was last added or removed, or null
   */
  record Stamp(FileTime modified, long bytes, FileTime partsModified) {
    static Stamp of(RunFolder run) {
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
    if (stamp.modified() != null) {
      try {
        document = run.document();
      } catch (IOException | RuntimeException e) {
        // Being written, or foreign: listed by its name.
      }
    }
    return new RunEntry(run, stamp, RunStore.beginMillis(run, document), document);
  }

  /** Returns the number of requested objects, or null. */
  Long requested() {
    return document == null || document.objects() == null
        ? null
        : (Long) document.objects().requested();
  }
}
