package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentNameTest {
  @TempDir Path directory;

  @Test
  void filesAreListedAsTheyWereWrittenAlsoBeyondSixDigits() throws Exception {
    RunFolder run = new RunFolder(directory);
    List<String> names =
        List.of(
            "0a1b2c3d-000009.segment",
            "0a1b2c3d-999999.segment",
            "0a1b2c3d-1000000.segment",
            "0a1b2c3d-100000000.segment",
            "1a1b2c3d-000001.segment");
    Files.createDirectories(run.segmentDirectory());
    for (String name : names) {
      Files.createFile(run.segmentDirectory().resolve(name));
    }

    assertThat(run.segmentFiles())
        .extracting(file -> file.getFileName().toString())
        .isEqualTo(names);
    assertThat(SegmentName.ofSegment(Path.of(names.get(3))).orElseThrow().segmentFile())
        .isEqualTo(names.get(3));
  }

  @Test
  void filesAreCalledTheSameWhereDigitsAreOthers() {
    SegmentName name = new SegmentName("0a1b2c3d", 7, 12, 900);
    Locale usual = Locale.getDefault();
    String segmentFile;
    String sealedFile;
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      segmentFile = name.segmentFile();
      sealedFile = name.sealedFile();
    } finally {
      Locale.setDefault(usual);
    }

    assertThat(segmentFile).isEqualTo("0a1b2c3d-000007.segment");
    assertThat(sealedFile).isEqualTo("0a1b2c3d-000007-000012.part-900.parquet");
  }

  @Test
  void filesWhoseRowsAnotherHoldsAreLeftOut() throws Exception {
    RunFolder run = new RunFolder(directory);
    Files.createDirectories(run.tableDirectory(Table.SAMPLES));
    List<String> standing =
        List.of(
            "0a1b2c3d-000001-000010.parquet",
            "0a1b2c3d-000011-000011.parquet",
            "0a1b2c3d-999998-1000002.parquet",
            "1a1b2c3d-000003-000003.parquet",
            "1a1b2c3d-000004-000004.part-900.parquet");
    List<String> covered =
        List.of(
            "0a1b2c3d-000001-000004.parquet",
            "0a1b2c3d-000010-000010.parquet",
            "0a1b2c3d-000010-000010.part-1.parquet",
            "0a1b2c3d-000011-000011.part-77.parquet",
            "0a1b2c3d-1000000-1000000.parquet",
            "1a1b2c3d-000004-000004.part-800.parquet");
    for (String name : standing) {
      Files.createFile(run.tableDirectory(Table.SAMPLES).resolve(name));
    }
    for (String name : covered) {
      Files.createFile(run.tableDirectory(Table.SAMPLES).resolve(name));
    }

    assertThat(run.tableFiles(Table.SAMPLES))
        .extracting(file -> file.getFileName().toString())
        .containsExactlyElementsOf(standing);
    assertThat(run.coveredFiles(Table.SAMPLES))
        .extracting(file -> file.getFileName().toString())
        .containsExactlyInAnyOrderElementsOf(covered);
  }

  @Test
  void namesAreTheSameInEveryCountry() {
    SegmentName name = new SegmentName("0a1b2c3d", 7, 12);
    Locale usual = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

      assertThat(name.segmentFile()).isEqualTo("0a1b2c3d-000007.segment");
      assertThat(name.sealedFile()).isEqualTo("0a1b2c3d-000007-000012.parquet");
      assertThat(name.part(4096).sealedFile())
          .isEqualTo("0a1b2c3d-000007-000012.part-4096.parquet");
    } finally {
      Locale.setDefault(usual);
    }
  }

  @Test
  void otherNamesAreNoSegments() {
    for (String name : List.of("000001.parquet", "0a1b2c3d-1-2.parquet", "x.segment")) {
      assertThat(SegmentName.ofSealed(Path.of(name))).isEmpty();
      assertThat(SegmentName.ofSegment(Path.of(name))).isEmpty();
    }
  }

  @Test
  void aStoreKeepsItsIdentity() throws Exception {
    StoreIdentity first = StoreIdentity.of(directory);

    assertThat(StoreIdentity.of(directory)).isEqualTo(first);
    assertThat(first.id()).matches("[0-9a-f]{8}");
    assertThat(first.schema()).isEqualTo(StoreIdentity.SCHEMA);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "{", "{\"schema\":1}", "{\"schema\":1,\"id\":\"../../xx\"}"})
  void reportsADamagedIdentity(String content) throws Exception {
    Files.writeString(directory.resolve("store.json"), content);

    assertThatThrownBy(() -> StoreIdentity.of(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("store.json")
        .hasMessageContaining("delete it");
    assertThat(directory.resolve("store.json")).hasContent(content);
  }

  @Test
  void aStoreOfANewerVersionIsLeftAlone() throws Exception {
    Files.writeString(
        directory.resolve("store.json"), "{\"schema\":2,\"id\":\"0a1b2c3d\",\"more\":[]}");

    assertThatThrownBy(() -> StoreIdentity.of(directory))
        .hasMessageContaining("use a newer version");
  }
}
