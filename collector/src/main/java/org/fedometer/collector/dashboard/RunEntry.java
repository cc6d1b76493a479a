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
 * What is known of one run, as long as its document stays as it is. Immutable.
 *
 * @param stamp by which a change of the document is seen
 * @param beginMillis by which runs are ordered, since 1970
 * @param document null where there is none that can be read
 */
record RunEntry(RunFolder run, Stamp stamp, long beginMillis, RunDocument document) {
  /**
   * @param modified null where there is no document
   * @param partsModified when one of its parts came or went, or null
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
        // Being written, or none of ours: listed by its name.
      }
    }
    return new RunEntry(run, stamp, RunStore.beginMillis(run, document), document);
  }

  /** How many objects were asked for, or null. */
  Long requested() {
    return document == null || document.objects() == null
        ? null
        : (Long) document.objects().requested();
  }
}
