package org.fedometer.datasets.ndltd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.FoxmlWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NdltdRecordsTest {

  private static final DatasetOptions OPTIONS = DatasetOptions.unlimited("fm");

  /** The {@code oai_dc:dc} of real records: 2.4 KB has the OAI record around it. */
  @Test
  void recordsHaveTheSizesAndFieldsOfTheStudy() {
    NdltdRecords dataset = NdltdRecords.open("W9", OPTIONS);
    LongSummaryStatistics bytes = new LongSummaryStatistics();
    LongSummaryStatistics fields = new LongSummaryStatistics();
    LongSummaryStatistics abstracts = new LongSummaryStatistics();
    Map<String, Long> elements = new TreeMap<>();
    for (long index = 0; index < dataset.size(); index++) {
      ComposedObject object = dataset.object(index);
      if (isRecord(object)) {
        bytes.accept(FoxmlWriter.dublinCoreBytes(object.dublinCore()));
        fields.accept(object.dublinCore().size());
        assertThat(object.dublinCore()).doesNotHaveDuplicates();
        for (DublinCoreValue value : object.dublinCore()) {
          elements.merge(value.element(), 1L, Long::sum);
          if (value.element().equals("description")) {
            abstracts.accept(value.value().length());
          }
        }
      }
    }

    double records = bytes.getCount();
    assertThat(records).isEqualTo(25_600);
    assertThat(bytes.getAverage()).isCloseTo(1_359, within(1_359 * 0.01));
    assertThat(bytes.getMin()).isBetween(585L, 600L);
    assertThat(bytes.getMax()).isBetween(4_800L, 5_361L);
    assertThat(fields.getAverage()).isCloseTo(10.6, within(0.05));
    assertThat(fields.getMin()).isEqualTo(6);
    assertThat(fields.getMax()).isBetween(22L, 28L);
    assertThat(abstracts.getAverage()).isCloseTo(567, within(567 * 0.02));
    assertThat(elements.get("description") / records).isCloseTo(0.9, within(0.01));
    assertThat(elements.get("relation") / records).isCloseTo(0.88, within(0.01));
    assertThat(elements.get("identifier") / records).isCloseTo(1.9, within(0.01));
    assertThat(elements.get("subject") / records).isCloseTo(3.6, within(0.05));
    assertThat(elements)
        .containsOnlyKeys(
            "title",
            "creator",
            "date",
            "identifier",
            "subject",
            "description",
            "relation",
            "publisher");
  }

  @ParameterizedTest
  @CsvSource({"W1, 19", "W2, 25", "W3, 42", "W4, 57", "W7, 100", "W9, 100"})
  void thereAreAsManyCollectionsAsInTheStudyWhateverTheSeed(String workload, String collections) {
    for (String seed : List.of("1", "7")) {
      assertThat(NdltdRecords.open(workload + ",seed=" + seed, OPTIONS).parameters())
          .containsEntry("collections", collections);
    }
  }

  @Test
  void eachWorkloadIsTwiceTheOneBeforeAndBeginsWithIt() {
    long records = 100;
    NdltdRecords before = null;
    for (int workload = 1; workload <= 6; workload++, records *= 2) {
      NdltdRecords dataset = NdltdRecords.open("W" + workload + ",levels=3", OPTIONS);
      assertThat(dataset.parameters()).containsEntry("records", Long.toString(records));
      if (before != null) {
        for (long index = 0; index < before.size(); index++) {
          assertThat(dataset.object(index)).isEqualTo(before.object(index));
        }
      }
      before = dataset;
    }
    assertThat(NdltdRecords.open("", OPTIONS).parameters()).containsEntry("records", "800");
    assertThat(NdltdRecords.open("W15", OPTIONS).parameters()).containsEntry("records", "1638400");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void everyCollectionComesBeforeWhatIsInItAndHasSomething(int levels) {
    NdltdRecords dataset = NdltdRecords.open("W5,levels=" + levels, OPTIONS);
    Map<String, Integer> depths = new HashMap<>();
    Set<String> filled = new HashSet<>();
    long records = 0;
    for (long index = 0; index < dataset.size(); index++) {
      ComposedObject object = dataset.object(index);
      List<String> parents =
          object.relationships().stream()
              .map(statement -> statement.object().substring("info:fedora/".length()))
              .toList();
      assertThat(depths.keySet()).containsAll(parents);
      filled.addAll(parents);
      if (isRecord(object)) {
        records++;
        assertThat(depths.get(parents.get(0))).isEqualTo(levels);
      } else {
        depths.put(object.pid(), parents.isEmpty() ? 1 : depths.get(parents.get(0)) + 1);
      }
    }

    assertThat(records).isEqualTo(1_600);
    assertThat(filled).containsExactlyInAnyOrderElementsOf(depths.keySet());
    assertThat(dataset.size()).isEqualTo(1_600 + depths.size());
  }

  @Test
  void theInitialOfTheAuthorIsThatOfTheCollection() {
    NdltdRecords dataset = NdltdRecords.open("W4,levels=3", OPTIONS);
    Map<String, String> titles = new HashMap<>();
    for (long index = 0; index < dataset.size(); index++) {
      ComposedObject object = dataset.object(index);
      titles.put("info:fedora/" + object.pid(), object.label());
      if (isRecord(object)) {
        String title = titles.get(object.relationships().get(0).object());
        assertThat(title).endsWith(", " + value(object, "creator").charAt(0));
        assertThat(title).contains(", " + value(object, "date") + ",");
      }
    }
  }

  @Test
  void thereIsNothingPastTheEnd() {
    NdltdRecords dataset = NdltdRecords.open("w1", OPTIONS);

    assertThat(dataset.object(dataset.size() - 1)).isNotNull();
    assertThatThrownBy(() -> dataset.object(dataset.size()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dataset ndltd has ");
  }

  @Test
  void abstractsAreCutToWhatTheTriplestoreKeepsAndTriplesStayAsMany() {
    NdltdRecords whole = NdltdRecords.open("W2", OPTIONS);
    NdltdRecords tight = NdltdRecords.open("W2", OPTIONS.withLiteralLimitBytes(255));

    assertThat(tight.maxLiteralBytes()).isEqualTo(255);
    for (long index = 0; index < whole.size(); index++) {
      assertThat(tight.object(index).triples()).isEqualTo(whole.object(index).triples());
    }
  }

  private static boolean isRecord(ComposedObject object) {
    return object.pid().contains("ETD");
  }

  private static String value(ComposedObject object, String element) {
    return object.dublinCore().stream()
        .filter(value -> value.element().equals(element))
        .map(DublinCoreValue::value)
        .findFirst()
        .orElseThrow();
  }
}
