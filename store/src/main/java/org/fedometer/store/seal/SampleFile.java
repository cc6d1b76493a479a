package org.fedometer.store.seal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.store.parquet.PageCompressor;
import org.fedometer.store.parquet.ParquetColumn;
import org.fedometer.store.parquet.ParquetColumn.Encoding;
import org.fedometer.store.parquet.ParquetWriter;
import org.fedometer.store.rollup.FileSums;

/**
 * Writes a sealed file of the table {@code Table.SAMPLES}. Its encodings need least space for
 * samples of real ingests, in the order of {@link SampleChunk}. One thread.
 */
final class SampleFile implements Closeable {
  private static final List<ParquetColumn> COLUMNS =
      List.of(
          new ParquetColumn("source", Encoding.TEXT_DICTIONARY),
          new ParquetColumn("stage", Encoding.TEXT_DICTIONARY),
          new ParquetColumn("thread", Encoding.TEXT_DICTIONARY),
          new ParquetColumn("trace", Encoding.LONG_DELTA),
          new ParquetColumn("start_nanos", Encoding.LONG_DELTA),
          new ParquetColumn("duration_nanos", Encoding.LONG_PLAIN),
          new ParquetColumn("children_nanos", Encoding.LONG_PLAIN),
          new ParquetColumn("failed", Encoding.FLAG_PLAIN));

  private final ParquetWriter file;
  private final RowGroupNames sources;
  private final RowGroupNames stages;
  private final RowGroupNames threads;
  private final SampleSums sums;
  private final int[] sourceNumbers = new int[ParquetWriter.MAX_ROWS];
  private final int[] stageNumbers = new int[ParquetWriter.MAX_ROWS];
  private final int[] threadNumbers = new int[ParquetWriter.MAX_ROWS];
  private final long[] traces = new long[ParquetWriter.MAX_ROWS];
  private final long[] starts = new long[ParquetWriter.MAX_ROWS];
  private final long[] durations = new long[ParquetWriter.MAX_ROWS];
  private final long[] children = new long[ParquetWriter.MAX_ROWS];
  private final boolean[] failed = new boolean[ParquetWriter.MAX_ROWS];

  SampleFile(Path file, SampleStream samples, PageCompressor pages) throws IOException {
    this.sources = namesOf(samples.sources());
    this.stages = namesOf(samples.stages());
    this.threads = namesOf(samples.threads());
    this.sums = new SampleSums(samples);
    this.file = ParquetWriter.create(file, COLUMNS, ParquetCopy.METADATA, pages);
  }

  private static RowGroupNames namesOf(Names names) {
    return new RowGroupNames(names.count(), names::firstOf, names::nameOf);
  }

  /** Writes a chunk, as row groups of about the same size. */
  void write(SampleChunk chunk) throws IOException {
    int groups = (chunk.count() + ParquetWriter.MAX_ROWS - 1) / ParquetWriter.MAX_ROWS;
    int usual = (chunk.count() + groups - 1) / groups;
    int from = 0;
    while (from < chunk.count()) {
      from += writeRowGroup(chunk, from, Math.min(usual, chunk.count() - from));
    }
  }

  /** Writes fewer rows if there are too many names. */
  private int writeRowGroup(SampleChunk chunk, int from, int maxRows) throws IOException {
    int rows = maxRows;
    int tried;
    do {
      tried = rows;
      chunk.copySources(from, rows, sourceNumbers);
      rows = sources.addRows(sourceNumbers, rows);
      chunk.copyStages(from, rows, stageNumbers);
      rows = stages.addRows(stageNumbers, rows);
      chunk.copyThreads(from, rows, threadNumbers);
      rows = threads.addRows(threadNumbers, rows);
    } while (rows < tried);
    chunk.copyTraces(from, rows, traces);
    chunk.copyStarts(from, rows, starts);
    chunk.copyDurations(from, rows, durations);
    chunk.copyChildren(from, rows, children);
    chunk.copyFailed(from, rows, failed);
    file.beginRowGroup(rows);
    sources.write(file);
    stages.write(file);
    threads.write(file);
    file.writeLongs(traces);
    file.writeLongs(starts);
    file.writeLongs(durations);
    file.writeLongs(children);
    file.writeFlags(failed);
    sums.add(rows, sourceNumbers, stageNumbers, threadNumbers, starts, durations, children, failed);
    return rows;
  }

  void finish() throws IOException {
    String text = sums.toText();
    if (text != null) {
      file.putMetadata(FileSums.METADATA_KEY, text);
    }
    file.finish();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
