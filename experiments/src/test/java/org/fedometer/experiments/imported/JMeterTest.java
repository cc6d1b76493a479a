package org.fedometer.experiments.imported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JMeterTest {
  private static final ImportChoices JMETER = ImportedText.choices(ImportFormat.JMETER);
  private static final String NAMES =
      "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
          + "failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n";

  private static String sample(long time, int elapsed, String label, String code, boolean success) {
    return time
        + ","
        + elapsed
        + ","
        + label
        + ","
        + code
        + ",Created,Users 1-1,text,"
        + success
        + ",,2781,133,1,1,http://127.0.0.1:8080/fedora,354,0,275\n";
  }

  @Test
  void samplesAreRequestsAndLabelsOperations() throws Exception {
    ImportedText told =
        ImportedText.of(
            JMETER,
            NAMES
                + sample(1500000000000L, 85, "ingest object", "201", true)
                + sample(1500000000090L, 7, "GET \u00E4", "200", true)
                + sample(1500000000100L, 40, "ingest object", "500", false));

    assertThat(told.requests())
        .containsExactly(
            "0 ingest object 0 1500000000000000+85000 201 ",
            "1 GET \u00E4 0 1500000000090000+7000 200 ",
            "2 ingest object 0 1500000000100000+40000 500 Created");
    assertThat(told.overview().operations().get("ingest object").failed()).isEqualTo(1);
    assertThat(told.overview().failed()).isEqualTo(1);
    assertThat(told.overview().timesKnown()).isTrue();
    assertThat(told.overview().workers()).isEqualTo(1);
  }

  @Test
  void theLabelOfIngestsCanBeGiven() throws Exception {
    ImportChoices choices =
        new ImportChoices(ImportFormat.JMETER, null, "POST /objects", null, false);
    String text =
        NAMES
            + sample(1500000000000L, 85, "POST /objects", "201", true)
            + sample(1500000000090L, 7, "GET", "200", true);
    ImportedText told = ImportedText.of(choices, text);

    assertThat(told.overview().operations()).containsOnlyKeys("ingest", "GET");
    assertThatThrownBy(
            () ->
                ImportedText.of(
                    new ImportChoices(ImportFormat.JMETER, null, "PSOT", null, false), text))
        .hasMessageContaining("no request has the label of --ingest-label; there are")
        .hasMessageContaining("POST /objects (1)");
  }

  @Test
  void anotherLabelThatIsCalledIngestIsNotMixedWithTheOneThatIsGiven() throws Exception {
    ImportedText told =
        ImportedText.of(
            new ImportChoices(ImportFormat.JMETER, null, "POST", null, false),
            NAMES
                + sample(1500000000000L, 85, "ingest", "201", true)
                + sample(1500000000090L, 7, "POST", "201", true));

    assertThat(told.requests().get(0)).startsWith("0 ingest~");
    assertThat(told.requests().get(1)).startsWith("1 ingest 0");
  }

  @Test
  void whatAFileHasIsNotGivenAsAnOption() {
    Instant started = Instant.parse("2008-05-12T14:03:00Z");
    assertThatThrownBy(
            () ->
                ImportedText.of(
                    new ImportChoices(ImportFormat.JMETER, null, null, started, false),
                    NAMES + sample(1500000000000L, 85, "a", "201", true)))
        .hasMessageContaining("--start-time is for a file without times");
    assertThatThrownBy(
            () ->
                ImportedText.of(
                    new ImportChoices(ImportFormat.JMETER, null, "a", null, false),
                    "timeStamp,elapsed\n1500000000000,1\n"))
        .hasMessageContaining("--ingest-label names a label, and this file has none");
  }

  @Test
  void withoutTimeStampsTimesAreAddedUp() throws Exception {
    ImportChoices choices =
        new ImportChoices(
            ImportFormat.JMETER, null, null, Instant.parse("2008-05-12T14:03:00Z"), false);

    assertThat(ImportedText.of(choices, "elapsed,label\n85,a\n40,b\n").requests())
        .containsExactly("0 a 0 1210600980000000+85000 200 ", "1 b 0 1210600980085000+40000 200 ");
  }

  @Test
  void columnsComeInAnyOrderWithAnyDelimiterAndQuotedFieldsHoldAnything() throws Exception {
    for (String delimiter : new String[] {"\t", ";", "|", "~"}) {
      String text =
          "label,success,timeStamp,elapsed,failureMessage\n".replace(",", delimiter)
              + "\"a #b\"\"c\"\"\"#false#1500000000000#12#\"expected\r\nto contain # \"\"x\"\"\"\r\n"
                  .replace("#", delimiter)
              + "plain#true#1500000000020#3#\n".replace("#", delimiter);
      ImportedText told = ImportedText.of(JMETER, text);

      assertThat(told.requests())
          .containsExactly(
              "0 a "
                  + delimiter.replace("\t", "\\t")
                  + "b\"c\" 0 1500000000000000+12000 0 expected\r\nto contain "
                  + delimiter
                  + " \"x\"",
              "1 plain 0 1500000000020000+3000 200 ");
    }
  }

  @Test
  void readsAFileWithoutHeaderInDefaultOrder() throws Exception {
    ImportedText told =
        ImportedText.of(
            JMETER, "1500000000000,85,Ingest,201,Created,Users 1-1,text,true,2781,354\n");

    assertThat(told.requests()).containsExactly("0 Ingest 0 1500000000000000+85000 201 ");
    assertThat(told.notes()).contains("JMeter's default ones are assumed");
  }

  @Test
  void namesThatComeAgainAreNoSample() throws Exception {
    String one = NAMES + sample(1500000000000L, 85, "a", "201", true);
    ImportedText told = ImportedText.of(JMETER, one + one);

    assertThat(told.requests()).hasSize(2);
    assertThat(told.notes()).contains("1 line that names the columns again, the first in line 3");
  }

  @Test
  void usesJMetersSuccessFlag() throws Exception {
    ImportedText told =
        ImportedText.of(
            JMETER,
            NAMES
                + sample(1500000000000L, 1, "a", "404", true)
                + sample(1500000000000L, 1, "a", "200", false)
                + sample(1500000000000L, 1, "a", "Non HTTP response code: X", false)
                + sample(1500000000000L, 1, "a", "", true));

    assertThat(told.requests())
        .extracting(line -> line.substring(line.indexOf('+') + 6))
        .containsExactly(
            "200 response code 404",
            "0 response code 200: Created",
            "0 response code Non HTTP response code: X: Created",
            "200 ");
  }

  @Test
  void usesTheResponseCodeWithoutASuccessColumn() throws Exception {
    ImportedText told =
        ImportedText.of(
            JMETER,
            "timeStamp,elapsed,label,responseCode\n1500000000000,1,a,302\n1500000000000,1,a,503\n");

    assertThat(told.overview().failed()).isEqualTo(1);
    assertThat(told.notes()).contains("from 200 to 399");
  }

  @Test
  void workersAreThreadsByTheirNames() throws Exception {
    StringBuilder text = new StringBuilder("timeStamp,elapsed,label,threadName\n");
    for (int i = 0; i < 300; i++) {
      text.append("1500000000000,1,a,Users 1-").append(i % 100).append('\n');
    }
    ImportedText told = ImportedText.of(JMETER, text.toString());

    assertThat(told.overview().workers()).isEqualTo(100);
    assertThat(told.requests().get(205)).startsWith("205 a 5 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1500000000000,-1,a,201,Created,Users 1-1,text,true",
        "1500000000000,x,a,201,Created,Users 1-1,text,true",
        "15000,1,a,201,Created,Users 1-1,text,true",
        "2020/01/01 10:00:00,1,a,201,Created,Users 1-1,text,true",
        "-1,1,a,201,Created,Users 1-1,text,true",
        "99999999999999999,1,a,201,Created,Users 1-1,text,true",
        "1500000000000,1,a,201,Created,Users 1-1,text,yes",
        "1500000000000,1,a,201,Created,Users 1-1,text",
        "1500000000000,1,\"a\"b,201,Created,Users 1-1,text,true"
      })
  void aBrokenSampleIsRefusedWithItsLine(String line) {
    String names =
        "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success\n";
    String good = "1500000000000,1,a,201,Created,Users 1-1,text,true\n";

    assertThatThrownBy(() -> ImportedText.of(JMETER, names + good + line + "\n" + good))
        .hasMessageContaining("1 line is broken: line 3:");
  }

  @Test
  void aQuotationMarkInsideAFieldRejectsTheNextLineToo() {
    String good = "1500000000000,1,a,text\n";

    assertThatThrownBy(
            () ->
                ImportedText.of(
                    JMETER,
                    "timeStamp,elapsed,label,dataType\n"
                        + good
                        + "1500000000000,1,a,te\"xt\n"
                        + good))
        .hasMessageContaining("2 lines are broken, the first: line 3: field ");
  }

  @Test
  void aQuotationMarkThatIsNotClosedEndsAtALimit() {
    String broken = "timeStamp,elapsed,label\n1500000000000,1,\"a\n";

    assertThatThrownBy(() -> ImportedText.of(JMETER, broken))
        .hasMessageContaining("line 2: the quotation mark of field 3 is not closed");
    assertThatThrownBy(
            () -> ImportedText.of(JMETER, broken + "1500000000000,1,a\n".repeat(100_000)))
        .hasMessageContaining("line 2 is longer than 1048576 bytes, or a quotation mark");
  }

  @Test
  void reportsAllLinesOfAnUnterminatedRecord() throws Exception {
    String swallowed = "1500000000000,1,\"a\n" + "1500000000000,1,a\n".repeat(9_999);
    ImportedText told =
        ImportedText.of(
            ImportedText.skippingBad(ImportFormat.JMETER),
            "timeStamp,elapsed,label\n1500000000000,1,a\n" + swallowed);

    assertThat(told.requests()).hasSize(1);
    assertThat(told.notes())
        .contains("10,000 lines were broken and are left out, the first: line 3: ")
        .contains("in a record of 10000 lines");
  }

  @Test
  void addedUpSamplesAreRefused() {
    assertThatThrownBy(
            () ->
                ImportedText.of(
                    JMETER,
                    "timeStamp,elapsed,label,SampleCount,ErrorCount\n1500000000000,500,a,100,0\n"))
        .hasMessageContaining("it sums up SampleCount \"100\" samples");
  }

  @Test
  void anotherEncodingIsRefused() throws Exception {
    ByteArrayOutputStream latin1 = new ByteArrayOutputStream();
    latin1.write("timeStamp,elapsed,label\n1500000000000,1,".getBytes(StandardCharsets.UTF_8));
    latin1.write(0xE4);
    assertThatThrownBy(() -> ImportedText.of(JMETER, latin1.toByteArray()))
        .hasMessageContaining("is not UTF-8");
    assertThatThrownBy(() -> ImportedText.of(JMETER, NAMES.getBytes(StandardCharsets.UTF_16)))
        .hasMessageContaining("it is UTF-16");
    assertThatThrownBy(() -> ImportedText.of(JMETER, NAMES.getBytes(StandardCharsets.UTF_16LE)))
        .hasMessageContaining("NUL bytes");
  }

  @Test
  void xmlAndWhatIsNoneOfJMetersIsRefusedWithAdvice() {
    assertThatThrownBy(() -> ImportedText.of(JMETER, "<?xml version=\"1.0\"?>\n<testResults>\n"))
        .hasMessageContaining("jmeter.save.saveservice.output_format=csv");
    assertThatThrownBy(() -> ImportedText.of(JMETER, "36\n41\n"))
        .hasMessageContaining("line 1 neither names JMeter's columns");
  }

  @Test
  void labelsThatDifferInTheirEndsStayApartAndTooManyAreRefused() throws Exception {
    String address = "http://127.0.0.1:8080/fedora/objects/a-rather-long-namespace:WO-2008-";
    ImportedText told =
        ImportedText.of(
            JMETER,
            NAMES
                + sample(1500000000000L, 1, address + 1, "200", true)
                + sample(1500000000000L, 1, address + 2, "200", true));
    assertThat(told.overview().operations()).hasSize(2);
    assertThat(told.overview().operations().keySet())
        .allSatisfy(name -> assertThat(name.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(65));

    StringBuilder many = new StringBuilder(NAMES);
    for (int i = 0; i <= Labels.MAX_LABELS; i++) {
      many.append(sample(1500000000000L, 1, address + i, "200", true));
    }
    assertThatThrownBy(() -> ImportedText.of(JMETER, many.toString()))
        .hasMessageContaining("line 1002: more than 1000 labels");
  }

  @Test
  void aSampleThatIsLeftOutDoesNotMoveThoseThatFollow() throws Exception {
    assertThat(
            ImportedText.of(
                    ImportedText.skippingBad(ImportFormat.JMETER),
                    "elapsed,label,success\n1,a,true\n500,a,perhaps\n2,a,true\n")
                .requests())
        .containsExactly("0 a 0 0+1000 200 ", "1 a 0 1000+2000 200 ");
  }
}
