package org.fedometer.experiments.imported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YcsbTest {
  private static final ImportChoices YCSB = ImportedText.choices(ImportFormat.YCSB);

  @Test
  void readsMeasurementsAndSkipsOtherLines() throws Exception {
    ImportedText told =
        ImportedText.of(
            YCSB,
            """
            YCSB Client 0.18.0

            Loading workload...
            Raw data measurement: will output to stdout.
            2020-01-02 03:04:05:006 10 sec: 5000 operations; 500 current ops/sec; [READ AverageLatency(us)=12.0]
            READ latency raw data: op, timestamp(ms), latency(us)
            READ,1577934245123,812
            READ,1577934245124,900
            [READ], Total Operations, 2
            [READ], Average, 856.0
            READ-FAILED latency raw data: op, timestamp(ms), latency(us)
            READ-FAILED,1577934245200,5000
            INSERT latency raw data: op, timestamp(ms), latency(us)
            INSERT,1577934245100,1500
            [OVERALL], RunTime(ms), 10110
            """);

    assertThat(told.requests())
        .containsExactly(
            "0 READ 0 1577934245122188+812 200 ",
            "1 READ 0 1577934245123100+900 200 ",
            "2 READ 0 1577934245195000+5000 0 FAILED",
            "3 INSERT 0 1577934245098500+1500 200 ");
    assertThat(told.overview().operations().get("READ").failed()).isEqualTo(1);
    assertThat(told.notes())
        .contains("3 lines of summaries, the first in line 9")
        .contains("7 lines that are not measurements, the first in line 1");
  }

  @Test
  void namesOfStatusesAreFailuresAndWhatIsThereTwiceCountsOnce() throws Exception {
    ImportedText told =
        ImportedText.of(
            YCSB,
            """
            RawREAD-NOT_FOUND,1577934245123,812
            RawINSERT,1577934245123,812
            RawIntended-INSERT,1577934245123,912
            READ-MODIFY-WRITE,1577934245123,812
            """);

    assertThat(told.overview().operations())
        .containsOnlyKeys("READ", "INSERT", "READ-MODIFY-WRITE");
    assertThat(told.overview().operations().get("READ").failed()).isEqualTo(1);
    assertThat(told.notes()).contains("1 measurement from an intended start");
  }

  @Test
  void theNameOfIngestsCanBeGiven() throws Exception {
    ImportedText told =
        ImportedText.of(
            new ImportChoices(ImportFormat.YCSB, null, "INSERT", null, false),
            "INSERT,1577934245123,812\nINSERT-ERROR,1577934245123,812\n");

    assertThat(told.overview().operations()).containsOnlyKeys("ingest");
    assertThat(told.overview().operations().get("ingest").failed()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "READ,1577934245123",
        "READ,1577934245123,",
        "READ,1577934245123,x",
        "READ,1577934245123,-5",
        "READ,1577934245123,1,2",
        "READ,15,812",
        "READ,-1577934245123,812",
        "READ,99999999999999999999,812",
        "READ,",
        "READ,1577934245123,9999999999999"
      })
  void aMeasurementThatIsCutOrAbsurdIsRefusedWithItsLine(String line) {
    assertThatThrownBy(() -> ImportedText.of(YCSB, "READ,1577934245123,812\n" + line))
        .hasMessageContaining("1 line is broken: line 2:");
  }

  @Test
  void aFileOfSummariesAloneIsRefused() {
    assertThatThrownBy(() -> ImportedText.of(YCSB, "[OVERALL], RunTime(ms), 10110\n"))
        .hasMessageContaining("YCSB's summary, histogram or time series");
  }

  @Test
  void aUnitIsForDurations() {
    assertThatThrownBy(
            () -> new ImportChoices(ImportFormat.YCSB, DurationUnit.MS, null, null, false))
        .hasMessageContaining("--unit is for durations");
  }
}
