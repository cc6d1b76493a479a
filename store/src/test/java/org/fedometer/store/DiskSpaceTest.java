package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceTest {
  /** Stands for a disk that does not report its size: this file system has none. */
  private static final Path SILENT = Path.of("/proc");

  @TempDir Path folder;

  @Test
  void reportsFreeBytes() {
    assertThat(DiskSpace.freeBytes(folder).orElseThrow()).isPositive();
  }

  @Test
  void freeBytesAreUnknownWithoutADiskOrAnswer() {
    assertThat(DiskSpace.freeBytes(SILENT)).isEmpty();
    assertThat(DiskSpace.freeBytes(folder.resolve("missing"))).isEmpty();
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeItsFolderIsMade() {
    Path target = folder.resolve("not/yet/made");

    assertThatCode(() -> DiskSpace.require(1, target, "The run")).doesNotThrowAnyException();
    assertThatThrownBy(() -> DiskSpace.require(Long.MAX_VALUE, target, "The run"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("The run needs 8796093022208 MiB")
        .hasMessageContaining(folder + " has ");
    assertThat(target).doesNotExist();
  }

  @Test
  void diskWithUnknownSpaceIsAccepted() {
    assertThatCode(() -> DiskSpace.require(1L << 40, SILENT, "The run")).doesNotThrowAnyException();
  }
}
