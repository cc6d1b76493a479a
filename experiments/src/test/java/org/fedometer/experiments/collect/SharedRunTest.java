package org.fedometer.experiments.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunParts;
import org.fedometer.store.RunView;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classification of a run that others already load. */
class SharedRunTest {
  @TempDir private Path run;

  @Test
  void theLoadOfOneDriverIsOne() throws IOException {
    write("run.json", "{}");

    assertThat(SharedRun.isLoadedByOne(new RunFolder(run))).isTrue();
  }

  @Test
  void aPartWithoutADocumentIsNotACompleteLoad() throws IOException {
    write("run.json", "{\"shard\":\"1/8\"}");

    assertThat(SharedRun.isLoadedByOne(new RunFolder(run))).isFalse();
  }

  @Test
  void aPartWhoseDocumentComesWhileTheRunIsLookedAtIsNoWholeLoad() throws IOException {
    write("run.json", "{\"shard\":\"1/8\"}");

    assertThat(SharedRun.isLoadedByOne(new PartComesMeanwhile(new RunFolder(run)))).isFalse();
  }

  private void write(String path, String workload) throws IOException {
    Path file = run.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        """
        {"schema":1,"id":"01JD0000000000000000000000","name":"big","state":"running","workers":4,
         "dataset":{"name":"patents","parameters":{}},"workload":%s}
        """
            .formatted(workload));
  }

  /** The first part's own document is there after the first look. */
  private final class PartComesMeanwhile implements RunView {
    private final RunFolder folder;

    private PartComesMeanwhile(RunFolder folder) {
      this.folder = folder;
    }

    @Override
    public RunDocument document() throws IOException {
      RunDocument document = folder.document();
      write(RunParts.path(1, 8), "{\"shard\":\"1/8\"}");
      return document;
    }

    @Override
    public Map<String, RunDocument> parts() throws IOException {
      Map<String, RunDocument> parts = folder.parts();
      write(RunParts.path(1, 8), "{\"shard\":\"1/8\"}");
      return parts;
    }

    @Override
    public String name() {
      return folder.name();
    }

    @Override
    public boolean hasDocument() throws IOException {
      return folder.hasDocument();
    }

    @Override
    public Query query() throws IOException, QueryException {
      return folder.query();
    }

    @Override
    public List<RunFile> files() throws IOException {
      return folder.files();
    }

    @Override
    public InputStream open(String path) throws IOException {
      return folder.open(path);
    }
  }
}
