package org.fedometer.collector.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.store.RunFolder;
import org.fedometer.store.SegmentName;
import org.fedometer.store.Table;
import org.fedometer.wire.FrameType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealedBeforeTest {
  private static final SegmentName NAME = new SegmentName("0a1b2c3d", 1, 1);

  @TempDir Path folder;

  @Test
  void requestsOfWhichTheRollupsAreStillToBeSealedComeFromFramesAlone() throws Exception {
    RunFolder run = new RunFolder(folder.resolve("runs/night"));
    Path segment = make(run.segmentDirectory().resolve(NAME.segmentFile()));
    Path requests = make(run.tableDirectory(Table.REQUESTS).resolve(NAME.sealedFile()));

    SealedBefore midst = SealedBefore.of(run);
    assertThat(midst.files().get(Table.REQUESTS)).isEmpty();
    assertThat(midst.has(FrameType.REQUESTS, NAME.segmentFile())).isFalse();

    make(run.tableDirectory(Table.ROLLUPS).resolve(NAME.sealedFile()));
    SealedBefore sealed = SealedBefore.of(run);
    assertThat(sealed.files().get(Table.REQUESTS)).containsExactly(requests);
    assertThat(sealed.has(FrameType.REQUESTS, NAME.segmentFile())).isTrue();

    Files.delete(run.tableDirectory(Table.ROLLUPS).resolve(NAME.sealedFile()));
    Files.delete(segment);
    assertThat(SealedBefore.of(run).files().get(Table.REQUESTS))
        .as("no frame of it will come")
        .containsExactly(requests);
  }

  private static Path make(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }
}
