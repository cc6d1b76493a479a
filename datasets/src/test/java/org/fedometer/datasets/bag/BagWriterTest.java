package org.fedometer.datasets.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gov.loc.repository.bagit.domain.Bag;
import gov.loc.repository.bagit.exceptions.CorruptChecksumException;
import gov.loc.repository.bagit.reader.BagReader;
import gov.loc.repository.bagit.verify.BagVerifier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.catalogue.Datasets;
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

  /** Checks the state on disk after a power cut: only forced data. */
  @Test
  void theDeclarationAppearsWhenAllElseIsOnDisk() throws IOException {
    Path bag = folder.resolve("new/bag");
    List<Path> forced = Collections.synchronizedList(new ArrayList<>());

    BagWriter.write(
        SMALL,
        998,
        4,
        bag,
        done -> {},
        path -> {
          forced.add(path);
          boolean declared = Files.exists(bag.resolve("bagit.txt"));
          assertThat(declared)
              .as("bagit.txt while %s is forced", path)
              .isEqualTo(isLast(forced, bag));
        });

    List<Path> all;
    try (Stream<Path> walked = Files.walk(bag)) {
      all = walked.filter(path -> !path.endsWith("bagit.txt")).toList();
    }
    int payloadAndTags = forced.indexOf(bag.resolve("bagit.txt.part"));
    assertThat(forced.subList(0, payloadAndTags))
        .containsAll(all)
        .startsWith(folder, folder.resolve("new"))
        .endsWith(bag);
    assertThat(forced.subList(payloadAndTags + 1, forced.size())).containsExactly(bag);
    for (Path file : all) {
      assertThat(forced.lastIndexOf(file))
          .as("%s before its folder", file)
          .isLessThan(file.equals(bag) ? forced.size() : forced.lastIndexOf(file.getParent()));
    }
  }

  /** The last of all: the bag's folder, after the declaration has its name. */
  private static boolean isLast(List<Path> forced, Path bag) {
    int declaration = forced.indexOf(bag.resolve("bagit.txt.part"));
    return declaration >= 0 && declaration < forced.size() - 1;
  }

  @Test
  void aDiskThatFailsLeavesNoDeclaration() throws IOException {
    int steps = 0;
    boolean failed = true;
    while (failed) {
      Path bag = folder.resolve("bag-" + steps);
      AtomicInteger left = new AtomicInteger(steps);
      try {
        BagWriter.write(
            SMALL,
            0,
            3,
            bag,
            done -> {},
            path -> {
              if (left.getAndDecrement() == 0) {
                throw new IOException("Input/output error");
              }
            });
        failed = false;
      } catch (IOException e) {
        assertThat(e).hasMessage("Input/output error");
        assertThat(bag.resolve("bagit.txt")).as("failure %d", steps).doesNotExist();
      }
      steps++;
    }
    assertThat(folder.resolve("bag-" + (steps - 1) + "/bagit.txt")).exists();
    assertThat(steps)
        .as("the folder above, objects, tag files, folders, the end, and once without a failure")
        .isEqualTo(1 + 3 + 3 + 3 + 2 + 1);
  }

  @Test
  void anObjectThatCannotBeMadeLeavesNoDeclaration() {
    assertThatThrownBy(
            () ->
                BagWriter.write(
                    SMALL,
                    0,
                    3,
                    folder,
                    done -> {
                      throw new IllegalStateException("ended in the midst");
                    }))
        .hasMessage("ended in the midst");
    assertThat(folder.resolve("bagit.txt")).doesNotExist();
  }

  @Test
  void documentsThatWereLeftOutAreNamedInATagFile() throws Exception {
    Path patents = Files.createDirectory(folder.resolve("patents"));
    Files.writeString(patents.resolve("bad\none.xml"), "<html/>");
    Files.writeString(
        patents.resolve("good.xml"),
        "<wo-patent-document><bibliographic-data><publication-reference><document-id>"
            + "<country>WO</country><doc-number>1</doc-number></document-id>"
            + "</publication-reference><invention-title>A lid</invention-title>"
            + "</bibliographic-data></wo-patent-document>");
    Path bag = folder.resolve("bag");

    BagWriter.write(
        Datasets.open(
            "patents-xml:" + patents + ",skip-invalid=true", DatasetOptions.unlimited("fm")),
        0,
        1,
        bag,
        done -> {});

    try (BagVerifier verifier = new BagVerifier()) {
      verifier.isValid(new BagReader().read(bag), false);
    }
    assertThat(bag.resolve("skipped.txt"))
        .content()
        .startsWith("bad\\none.xml\tis not a known patent document")
        .hasLineCount(1);
    assertThat(bag.resolve("tagmanifest-sha256.txt")).content().contains("  skipped.txt\n");
  }

  @Test
  void aFolderWithAnythingInItIsLeftAlone() throws IOException {
    Path file = Files.writeString(folder.resolve("mine.txt"), "mine");

    assertThatThrownBy(() -> BagWriter.write(SMALL, 0, 1, folder, done -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(folder + " is not empty; name a new or empty folder");
    assertThatThrownBy(() -> BagWriter.write(SMALL, 0, 1, file, done -> {}))
        .hasMessageContaining("is not a folder");
    assertThat(files(folder).keySet()).containsExactly("mine.txt");
  }

  @Test
  void whatAnInterruptHasLeftIsCalledAnUnfinishedBag() throws IOException {
    Path bag = folder.resolve("bag");
    assertThatThrownBy(
            () ->
                BagWriter.write(
                    SMALL,
                    0,
                    3,
                    bag,
                    done -> {
                      throw new IllegalStateException("interrupted");
                    }))
        .hasMessage("interrupted");

    assertThatThrownBy(() -> BagWriter.write(SMALL, 0, 3, bag, done -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(bag + " holds an unfinished bag; delete it");
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
    assertThatThrownBy(() -> BagWriter.write(SMALL, -1, 1, folder, done -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("objects are numbered from 0; give a range from 0 on, not 1 from -1");
    for (long objects : new long[] {0, -1}) {
      assertThatThrownBy(() -> BagWriter.write(SMALL, 2, objects, folder, done -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a bag holds at least one object, not " + objects);
    }
    Dataset ended = Datasets.open("ndltd:W1", DatasetOptions.unlimited("fm"));
    assertThatThrownBy(() -> BagWriter.write(ended, 1, ended.size(), folder, done -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dataset ndltd has " + ended.size() + " objects");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aPidWithAPercentSignIsFoundByOthersToo() throws Exception {
    Path files = Files.createDirectories(folder.resolve("files"));
    Files.writeString(
        files.resolve("one.xml"),
        new String(foxml(SMALL.object(0)), StandardCharsets.UTF_8)
            .replace(SMALL.object(0).pid(), "fm:a%25b"));
    Path bag = folder.resolve("bag");

    BagWriter.write(
        Datasets.open("foxml:" + files, DatasetOptions.unlimited("fm")), 0, 1, bag, done -> {});

    assertThat(bag.resolve("data/0000000/fm_a=25b.xml")).exists();
    try (BagVerifier verifier = new BagVerifier()) {
      verifier.isValid(new BagReader().read(bag), false);
    }
  }

  @Test
  void theParentInABagStatesTheChildrenInIt() throws IOException {
    Dataset nested = Datasets.open("nested", DatasetOptions.unlimited("fm"));
    BagWriter.write(nested, 0, 4, folder, done -> {});

    assertThat(Files.readString(folder.resolve("data/0000000/fm_PARENT-0.xml")))
        .contains("info:fedora/fm:CHILD-1", "info:fedora/fm:CHILD-2", "info:fedora/fm:CHILD-3")
        .doesNotContain("CHILD-4");
  }

  @Test
  void noFileOfABagReplacesAnother() {
    assertThatThrownBy(() -> BagWriter.write(new OneName(), 0, 2, folder, done -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("fm_one.xml would be the file of two objects");

    assertThat(folder.resolve("bagit.txt")).doesNotExist();
  }

  /** Objects on a case-insensitive disk. */
  private static final class OneName implements Dataset {

    @Override
    public String name() {
      return "one-name";
    }

    @Override
    public Map<String, String> parameters() {
      return Map.of();
    }

    @Override
    public RepositoryObject object(long index) {
      return new ComposedObject("fm:one", "", List.of(), List.of(), List.of());
    }

    @Override
    public long meanObjectBytes() {
      return 0;
    }

    @Override
    public int maxLiteralBytes() {
      return 0;
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
