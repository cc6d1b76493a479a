package org.fedometer.store.seal;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.SegmentName;
import org.fedometer.store.Table;
import org.fedometer.store.parquet.PageCompressor;
import org.fedometer.store.segment.SegmentReader;
import org.fedometer.wire.disk.Durable;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * Converts segments to Parquet files. Sealing the same segment again after a crash creates the same
 * rows under the same names, so nothing is doubled; the segment is deleted last. A segment is read
 * twice, so that millions of samples need not be held: first all but the samples, then those as a
 * stream. One thread at a time; reuse it, as it keeps some megabytes of memory.
 */
public final class Sealer implements Closeable {
  private final String storeId;
  private final SampleChunk chunk = new SampleChunk();
  private PageCompressor pages;

  /**
   * @param storeId of the store; another store may have continued its segments after they were
   *     copied here, so only parts of them are sealed, see {@link SegmentName}
   */
  public Sealer(String storeId) {
    this.storeId = storeId;
  }

  /**
   * Seals a segment that is no longer appended to, and deletes it.
   *
   * @throws IOException the segment still exists; the call may be repeated
   */
  public SealResult seal(RunFolder run, Path segment) throws IOException {
    SegmentName name =
        SegmentName.ofSegment(segment)
            .orElseThrow(() -> new IOException(segment + " does not have the name of a segment"));
    Path scratch = run.segmentDirectory().resolve("seal-" + segment.getFileName() + ".tmp");
    RunDeletion.delete(scratch);
    PrivateFiles.createFolder(scratch);
    try {
      SealResult result = seal(run, segment, name, scratch);
      Files.delete(segment);
      Durable.syncDirectory(run.segmentDirectory());
      RunDeletion.delete(scratch);
      return result;
    } catch (UncheckedIOException e) {
      cleanUp(scratch, e.getCause());
      throw e.getCause();
    } catch (IOException | RuntimeException | Error e) {
      cleanUp(scratch, e);
      throw e;
    }
  }

  private static void cleanUp(Path scratch, Throwable failure) {
    try {
      RunDeletion.delete(scratch);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private SealResult seal(RunFolder run, Path segment, SegmentName segmentName, Path scratch)
      throws IOException {
    if (pages == null) {
      pages = new PageCompressor();
    }
    try (RawTables raw = new RawTables(scratch, pages)) {
      SegmentReader.Extent extent = SegmentReader.read(segment, raw);
      SegmentName name =
          storeId.equals(segmentName.storeId())
              ? segmentName
              : segmentName.part(extent.validBytes());
      long samples = raw.hasSamples() ? writeSamples(run, segment, name, raw) : 0;
      raw.finish();
      for (Table table : Table.values()) {
        if (table != Table.SAMPLES && raw.rowsOf(table) > 0) {
          moveIntoPlace(raw.fileOf(table), run, table, name);
        }
      }
      return new SealResult(
          samples,
          raw.rowsOf(Table.REQUESTS),
          raw.rowsOf(Table.TRACES),
          raw.rowsOf(Table.LOGS),
          raw.sources().values().stream().mapToLong(RawSource::framesUnreadable).sum());
    }
  }

  private long writeSamples(RunFolder run, Path segment, SegmentName name, RawTables raw)
      throws IOException {
    try (SampleStream samples =
        new SampleStream(segment, raw.sources(), raw.rollups(), raw::writeRollupsIfMany, chunk)) {
      if (!samples.next()) {
        return 0;
      }
      Path aside = raw.fileOf(Table.SAMPLES);
      try (SampleFile file = new SampleFile(aside, samples, pages)) {
        do {
          file.write(chunk);
        } while (samples.next());
        file.finish();
      }
      moveIntoPlace(aside, run, Table.SAMPLES, name);
      return samples.count();
    }
  }

  private static void moveIntoPlace(Path aside, RunFolder run, Table table, SegmentName name)
      throws IOException {
    Path directory = run.tableDirectory(table);
    PrivateFiles.createFoldersBelow(run.path(), directory);
    Durable.moveIntoPlace(aside, directory.resolve(name.sealedFile()));
  }

  /** Releases zstd; the next sealing opens another. */
  @Override
  public void close() {
    if (pages != null) {
      pages.close();
      pages = null;
    }
  }
}
