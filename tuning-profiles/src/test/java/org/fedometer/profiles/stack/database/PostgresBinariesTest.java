package org.fedometer.profiles.stack.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class PostgresBinariesTest {

  @TempDir Path folder;

  @Test
  void programsStayExecutableAndLinksLinks() throws Exception {
    Path unpacked = unpack(jar("bin/postgres"));

    assertThat(unpacked.resolve("bin/postgres")).isExecutable().hasContent("x");
    assertThat(unpacked.resolve("lib/link")).isSymbolicLink();
    assertThat(unpacked.getFileName()).hasToString("binaries-1");
  }

  @Test
  void itIsUnpackedOnce() throws Exception {
    Path jar = jar("bin/postgres");
    Path unpacked = unpack(jar);
    Files.delete(jar);

    assertThat(unpack(jar)).isEqualTo(unpacked);
  }

  @Test
  void severalAtOnceGetTheSameAndLeaveNothingElse() throws Exception {
    Path jar = jar("bin/postgres");
    Callable<Path> unpack = () -> unpack(jar);
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Future<Path>> all = pool.invokeAll(List.of(unpack, unpack, unpack, unpack));
      for (Future<Path> each : all) {
        assertThat(each.get().resolve("bin/postgres")).isExecutable();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(folder.resolve("cache/postgresql"))
        .isDirectoryNotContaining(path -> !path.endsWith("binaries-1"));
  }

  @Test
  void anEntryThatLeavesTheFolderIsRefused() throws Exception {
    Path jar = jar("../escaped");

    assertThatThrownBy(() -> unpack(jar)).hasMessageContaining("leaves its folder");
    assertThat(folder.resolve("cache/postgresql")).isEmptyDirectory();
  }

  private Path unpack(Path jar) throws Exception {
    return PostgresBinaries.unpack(jar, folder.resolve("cache"));
  }

  private Path jar(String program) throws Exception {
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new XZOutputStream(archive, new LZMA2Options(0)))) {
      TarArchiveEntry file = new TarArchiveEntry(program);
      file.setMode(0755);
      file.setSize(1);
      tar.putArchiveEntry(file);
      tar.write('x');
      tar.closeArchiveEntry();
      TarArchiveEntry link = new TarArchiveEntry("lib/link", TarConstants.LF_SYMLINK);
      link.setLinkName("target");
      tar.putArchiveEntry(link);
      tar.closeArchiveEntry();
    }
    Path jar = folder.resolve("binaries-1.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      zip.putNextEntry(new ZipEntry("META-INF/"));
      zip.putNextEntry(new ZipEntry("postgres-linux.txz"));
      archive.writeTo(zip);
    }
    return jar;
  }
}
