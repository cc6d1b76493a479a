package org.fedometer.store.seal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.store.Table;
import org.fedometer.store.parquet.PageCompressor;
import org.fedometer.store.parquet.ParquetColumn;
import org.fedometer.store.parquet.ParquetColumn.Encoding;
import org.fedometer.store.parquet.ParquetWriter;

/**
 * A sealed file of the table {@link Table#SAMPLES} that is being written. The encodings are those
 * that take least room in samples of real ingests, in the order of {@link SampleChunk}. For one
 * thread.
 */
final class SampleFile implements Closeable {
  private static final List<ParquetColumn> COLUMNS =
      List.of(
          new ParquetColumn("source", Encoding.TEXT_DICTIONARY),
          new ParquetColumn("stage", Encoding.TEXT_DICTIONARY),
          new ParquetColumn("thread", Encoding.TEXT_DICTIONARY),
          new ParquetColumn("trace", Encoding.LONG_DELTA),
          new ParquetColumn("start_nanos", Encoding.LONG_DELTA),
          new ParquetColumn("total_nanos", Encoding.LONG_PLAIN),
          new ParquetColumn("children_nanos", Encoding.LONG_PLAIN),
          new ParquetColumn("failed", Encoding.FLAG_PLAIN));

  private final ParquetWriter file;
  private final RowGroupNames sources;
  private final RowGroupNames stages;
  private final RowGroupNames threads;
  private final int[] numbers = new int[ParquetWriter.MOST_ROWS];
  private final long[] values = new long[ParquetWriter.MOST_ROWS];
  private final boolean[] flags = new boolean[ParquetWriter.MOST_ROWS];

  /**
   * @param samples names their sources, stages and threads
   */
  SampleFile(Path file, SampleStream samples, PageCompressor pages) throws IOException {
    this.sources = namesOf(samples.sources());
    this.stages = namesOf(samples.stages());
    this.threads = namesOf(samples.threads());
    this.file = ParquetWriter.create(file, COLUMNS, ParquetCopy.METADATA, pages);
  }

  private static RowGroupNames namesOf(Names names) {
    return new RowGroupNames(names.count(), names::firstOf, names::nameOf);
  }

  /** Writes all of a chunk, as row groups of about the same size. */
  void write(SampleChunk chunk) throws IOException {
    int groups = (chunk.count() + ParquetWriter.MOST_ROWS - 1) / ParquetWriter.MOST_ROWS;
    int usual = (chunk.count() + groups - 1) / groups;
    int from = 0;
    while (from < chunk.count()) {
      from += writeRowGroup(chunk, from, Math.min(usual, chunk.count() - from));
    }
  }

  /** Fewer rows where there are very many names. */
  private int writeRowGroup(SampleChunk chunk, int from, int mostRows) throws IOException {
    int rows = mostRows;
    int tried;
    do {
      tried = rows;
      chunk.copySources(from, rows, numbers);
      rows = sources.take(numbers, rows);
      chunk.copyStages(from, rows, numbers);
      rows = stages.take(numbers, rows);
      chunk.copyThreads(from, rows, numbers);
      rows = threads.take(numbers, rows);
    } while (rows < tried);
    file.beginRowGroup(rows);
    sources.write(file);
    stages.write(file);
    threads.write(file);
    chunk.copyTraces(from, rows, values);
    file.writeLongs(values);
    chunk.copyStarts(from, rows, values);
    file.writeLongs(values);
    chunk.copyTotals(from, rows, values);
    file.writeLongs(values);
    chunk.copyChildren(from, rows, values);
    file.writeLongs(values);
    chunk.copyFailed(from, rows, flags);
    file.writeFlags(flags);
    return rows;
  }

  void finish() throws IOException {
    file.finish();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
