package org.fedometer.datasets.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.Deflater;
import org.fedometer.datasets.AddedStatement;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.Relationship;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.datasets.StoredLiteral;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.datasets.content.RandomContent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadsTest {

  private static final DatasetOptions OPTIONS = DatasetOptions.unlimited("fm");
  private static final String IS_MEMBER_OF_COLLECTION =
      "info:fedora/fedora-system:def/relations-external#isMemberOfCollection";
  private static final String HAS_PART = "info:fedora/fedora-system:def/relations-external#hasPart";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ndltd:W3,levels=3",
        "collections",
        "nested",
        "files:bytes=5000",
        "container-binary:max=9000",
        "datastreams:max=100"
      })
  void anyOrderThreadAndInstanceMakesTheSameBytes(String spec) {
    Dataset dataset = Datasets.open(spec, OPTIONS);
    List<byte[]> inOrder = LongStream.range(0, 200).mapToObj(i -> foxml(dataset, i)).toList();

    List<Integer> shuffled = new ArrayList<>(IntStream.range(0, 200).boxed().toList());
    Collections.shuffle(shuffled, new Random(1));
    Dataset again = Datasets.open(spec, OPTIONS);
    byte[][] others = new byte[200][];
    shuffled.parallelStream().forEach(i -> others[i] = foxml(again, i));

    for (int i = 0; i < 200; i++) {
      assertThat(others[i]).as("object %d of %s", i, spec).isEqualTo(inOrder.get(i));
    }
    assertThat(again.parameters()).isEqualTo(dataset.parameters());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ndltd:W3,levels=2",
        "collections",
        "nested",
        "files:bytes=10",
        "container-binary:max=900",
        "datastreams:max=10"
      })
  void pidsDifferLiteralsFitAndRequestLengthsAreExact(String spec) {
    Dataset dataset = Datasets.open(spec, OPTIONS.withLiteralLimitBytes(255));
    Set<String> pids = new HashSet<>();
    for (long index = 0; index < 300; index++) {
      ComposedObject object = (ComposedObject) dataset.object(index);
      assertThat(pids.add(object.pid())).as("%s is new", object.pid()).isTrue();
      assertThat(foxml(dataset, index).length).isEqualTo((int) object.foxmlBytes());
      for (DublinCoreValue value : object.dublinCore()) {
        assertThat(StoredLiteral.storedBytes(value.value()))
            .isLessThanOrEqualTo(dataset.maxLiteralBytes())
            .isLessThanOrEqualTo(255);
      }
    }
    assertThat(dataset.pidNamespaces()).containsExactly("fm");
  }

  @Test
  void membersStateTheirOneCollection() {
    Dataset dataset = Datasets.open("collections", OPTIONS);

    ComposedObject collection = (ComposedObject) dataset.object(0);
    assertThat(dataset.leadingObjects()).isEqualTo(1);
    assertThat(collection.relationships()).isEmpty();
    for (long index = 1; index < 50; index++) {
      assertThat(((ComposedObject) dataset.object(index)).relationships())
          .containsExactly(
              new Relationship(IS_MEMBER_OF_COLLECTION, "info:fedora/" + collection.pid(), false));
      assertThat(dataset.additions(index)).isEmpty();
    }
    // Five of the object, model, title, identifier, six each of DC and RELS-EXT; the membership.
    assertThat(collection.triples()).isEqualTo(20);
    assertThat(dataset.object(1).triples()).isEqualTo(21);
  }

  @Test
  void eachNestedWorkIsAddedToItsParent() {
    Dataset dataset = Datasets.open("nested", OPTIONS);
    String parent = dataset.object(0).pid();

    assertThat(dataset.leadingObjects()).isEqualTo(1);
    assertThat(dataset.additions(0)).isEmpty();
    for (long index = 1; index < 50; index++) {
      assertThat(dataset.additions(index))
          .containsExactly(
              new AddedStatement(
                  parent,
                  new Relationship(HAS_PART, "info:fedora/" + dataset.object(index).pid(), false)));
    }
  }

  @Test
  void theFinishedParentHasAsManyTriplesAsWereAdded() {
    Dataset dataset = Datasets.open("nested", OPTIONS);
    RepositoryObject finished = dataset.finished(0, 0, 1000);

    assertThat(finished.triples()).isEqualTo(dataset.object(0).triples() + 999);
    assertThat(finished.pid()).isEqualTo(dataset.object(0).pid());
    assertThat(((ComposedObject) dataset.finished(0, 500, 10)).relationships())
        .extracting(Relationship::object)
        .startsWith("info:fedora/fm:CHILD-500")
        .hasSize(10);
    assertThat(((ComposedObject) finished).versions()).isFalse();
    assertThat(dataset.finished(7, 0, 1000)).isEqualTo(dataset.object(7));
  }

  @Test
  void filesAreUniqueAndCannotBeCompressed() throws IOException {
    Dataset dataset = Datasets.open("files", OPTIONS);
    byte[] first = content(dataset.object(0).content().get(0));
    byte[] second = content(dataset.object(1).content().get(0));

    assertThat(first).hasSize(1_000_000).isNotEqualTo(second);
    Deflater deflater = new Deflater(6, true);
    deflater.setInput(first);
    deflater.finish();
    assertThat(deflater.deflate(new byte[1_100_000])).isGreaterThan(999_000);
    deflater.end();
    assertThat(dataset.meanObjectBytes()).isEqualTo(1_000_000);
  }

  @Test
  void randomContentIsTheSameHoweverItIsRead() throws IOException {
    RandomContent content = new RandomContent("X", "x", 1003, 5);
    byte[] atOnce = content(content);
    byte[] singly = new byte[1003];
    try (InputStream in = content.open()) {
      for (int i = 0; i < singly.length; i += 2) {
        singly[i] = (byte) in.read();
        if (i + 1 < singly.length) {
          assertThat(in.read(singly, i + 1, 1)).isOne();
        }
      }
      assertThat(in.read()).isEqualTo(-1);
      assertThat(in.read(singly, 0, 5)).isEqualTo(-1);
    }
    assertThat(singly).isEqualTo(atOnce);
    assertThat(content(new RandomContent("X", "x", 0, 5))).isEmpty();
  }

  @Test
  void binariesAreEvenOnALogarithmicScale() {
    Dataset dataset = Datasets.open("container-binary", OPTIONS);
    long[] sizes =
        LongStream.range(0, 100_000).map(i -> dataset.object(i).contentBytes()).sorted().toArray();

    // 100 times 200,000 to the power of a quarter, a half, three quarters.
    assertThat((double) sizes[25_000]).isCloseTo(2_114.7, within(2_114.7 * 0.05));
    assertThat((double) sizes[50_000]).isCloseTo(44_721, within(44_721 * 0.05));
    assertThat((double) sizes[75_000]).isCloseTo(945_742, within(945_742 * 0.05));
    assertThat(sizes[0]).isBetween(100L, 102L);
    assertThat(sizes[99_999]).isBetween(19_600_000L, 20_000_000L);
    assertThat(Arrays.stream(sizes).average().orElseThrow())
        .isCloseTo(1_638_520, within(1_638_520 * 0.02));
    assertThat(dataset.meanObjectBytes()).isEqualTo(1_638_520);
  }

  @Test
  void aContainerHasATitleAndASource() {
    ComposedObject container =
        (ComposedObject) Datasets.open("container-binary", OPTIONS).object(3);

    assertThat(container.dublinCore())
        .extracting(DublinCoreValue::element)
        .containsExactly("title", "source");
    assertThat(container.content()).extracting(ContentStream::id).containsExactly("BINARY");
  }

  @Test
  void objectsHaveOneTenAHundredAndSoOnDatastreams() {
    Dataset dataset = Datasets.open("datastreams", OPTIONS);
    assertThat(counts(dataset, 7)).containsExactly(1, 10, 100, 1_000, 10_000, 1, 10);
    assertThat(counts(Datasets.open("datastreams:max=2500", OPTIONS), 6))
        .containsExactly(1, 10, 100, 1_000, 2_500, 1);
    assertThat(counts(Datasets.open("datastreams:max=1", OPTIONS), 2)).containsExactly(1, 1);
    assertThat(dataset.object(1).triples()).isEqualTo(20 + 6 * 10);
    assertThat(dataset.object(4).content().get(9_999).id()).isEqualTo("DS10000");
    assertThat(dataset.meanObjectBytes()).isEqualTo(11_111 * 1_300 / 5);
  }

  private static int[] counts(Dataset dataset, int objects) {
    return IntStream.range(0, objects).map(i -> dataset.object(i).content().size()).toArray();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "collections:5|dataset collections has no parameters, but '5' was given",
        "nested:levels=2|dataset nested has no parameters, but 'levels=2' was given",
        "files:bytes=-1|parameter bytes of dataset files must be from 0 to",
        "files:size=3|dataset files has no parameter 'size'; it has: bytes, seed",
        "container-binary:min=5,max=4|parameter min of dataset container-binary must be from",
        "datastreams:0|parameter max of dataset datastreams must be from 1 to 1000000, not 0",
        "ndltd:W16|parameter workload of dataset ndltd must be W1 to W15, not 'W16'",
        "ndltd:levels=4|parameter levels of dataset ndltd must be from 1 to 3, not 4",
      })
  void whatMakesNoSenseIsRefusedInASentence(String spec, String sentence) {
    assertThatThrownBy(() -> Datasets.open(spec, OPTIONS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(sentence);
  }

  private static byte[] content(ContentStream content) throws IOException {
    try (InputStream in = content.open()) {
      return in.readAllBytes();
    }
  }

  private static byte[] foxml(Dataset dataset, long index) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      dataset.object(index).writeFoxml(out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
