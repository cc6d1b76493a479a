package org.fedometer.datasets.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gov.loc.repository.bagit.domain.Bag;
import gov.loc.repository.bagit.exceptions.CorruptChecksumException;
import gov.loc.repository.bagit.reader.BagReader;
import gov.loc.repository.bagit.verify.BagVerifier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Datasets;
import org.fedometer.datasets.RepositoryObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bags are judged by the Library of Congress's own reader. */
class BagWriterTest {

  private static final Dataset SMALL =
      Datasets.open("patents:small", DatasetOptions.unlimited("fm"));

  @TempDir Path folder;

  @Test
  void theLibraryOfCongressFindsTheBagCompleteAndValid() throws Exception {
    Path bag = folder.resolve("new/bag");

    BagWriter.Written written = BagWriter.write(SMALL, 990, 20, bag, done -> {});

    Bag read = new BagReader().read(bag);
    try (BagVerifier verifier = new BagVerifier()) {
      verifier.isValid(read, false);
    }
    assertThat(read.getVersion()).hasToString("1.0");
    assertThat(read.getTagManifests()).isNotEmpty();
    assertThat(read.getMetadata().get("Payload-Oxum"))
        .containsExactly(written.payloadBytes() + ".20");
    assertThat(read.getMetadata().get("Fedometer-Parameter-seed")).containsExactly("1");
    assertThat(read.getMetadata().get("Fedometer-First-Object")).containsExactly("990");
  }

  @Test
  void aChangedByteIsFound() throws Exception {
    BagWriter.write(SMALL, 0, 3, folder, done -> {});
    Path file = folder.resolve("data/0000000/fm_WO-1.xml");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);

    Bag read = new BagReader().read(folder);
    try (BagVerifier verifier = new BagVerifier()) {
      assertThatThrownBy(() -> verifier.isValid(read, false))
          .isInstanceOf(CorruptChecksumException.class);
    }
  }

  @Test
  void payloadIsTheFoxmlOfEachObjectUnderItsPid() throws IOException {
    BagWriter.Written written = BagWriter.write(SMALL, 998, 4, folder, done -> {});

    Map<String, byte[]> files = files(folder.resolve("data"));
    assertThat(files.keySet())
        .containsExactly(
            "0000000/fm_WO-998.xml",
            "0000000/fm_WO-999.xml",
            "0000001/fm_WO-1000.xml",
            "0000001/fm_WO-1001.xml");
    assertThat(files.get("0000001/fm_WO-1000.xml")).isEqualTo(foxml(SMALL.object(1000)));
    assertThat(files.values().stream().mapToLong(file -> file.length).sum())
        .isEqualTo(written.payloadBytes());
    assertThat(written.objects()).isEqualTo(4);
  }

  @Test
  void theSameObjectsMakeTheSameBag() throws IOException {
    BagWriter.write(SMALL, 5, 10, folder.resolve("one"), done -> {});
    BagWriter.write(SMALL, 5, 10, folder.resolve("two"), done -> {});

    Map<String, byte[]> one = files(folder.resolve("one"));
    Map<String, byte[]> two = files(folder.resolve("two"));
    assertThat(one.keySet()).isEqualTo(two.keySet()).hasSize(14);
    one.forEach((name, bytes) -> assertThat(two.get(name)).as(name).isEqualTo(bytes));
  }

  @Test
  void aFolderWithAnythingInItIsLeftAlone() throws IOException {
    Path file = Files.writeString(folder.resolve("mine.txt"), "mine");

    assertThatThrownBy(() -> BagWriter.write(SMALL, 0, 1, folder, done -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(folder + " is not empty; a bag needs a folder that is new or empty");
    assertThatThrownBy(() -> BagWriter.write(SMALL, 0, 1, file, done -> {}))
        .hasMessageContaining("is no folder");
    assertThat(files(folder).keySet()).containsExactly("mine.txt");
  }

  @Test
  void whatDoesNotFitTheDiskIsRefusedBeforeItIsWritten() {
    assertThatThrownBy(() -> BagWriter.write(SMALL, 0, 1L << 50, folder, done -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("objects need about");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void numbersThatMakeNoSenseAreRefused() {
    for (List<Long> numbers : List.of(List.of(-1L, 1L), List.of(0L, 0L), List.of(2L, -1L))) {
      assertThatThrownBy(
              () -> BagWriter.write(SMALL, numbers.get(0), numbers.get(1), folder, done -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at least one object");
    }
  }

  private static byte[] foxml(RepositoryObject object) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    object.writeFoxml(out);
    return out.toByteArray();
  }

  private static Map<String, byte[]> files(Path top) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> walked = Files.walk(top)) {
      for (Path file : walked.filter(Files::isRegularFile).toList()) {
        files.put(top.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }
}
