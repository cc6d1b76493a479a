package org.fedometer.experiments.imported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of k6, Gatling and hyperfine, and files mistaken for another format. */
class OtherToolsTest {
  private static final String K6_JSON =
      """
      {"type":"Metric","data":{"type":"trend","contains":"time","tainted":null,"thresholds":[],"submetrics":null},"metric":"http_req_duration"}
      {"type":"Point","data":{"time":"2017-05-09T14:34:45.625742514+02:00","value":5,"tags":null},"metric":"vus"}
      {"type":"Point","data":{"time":"2017-05-09T14:34:45.625742514+02:00","value":459.9,"tags":{"method":"GET","name":"http://t/","status":"200"}},"metric":"http_req_duration"}
      {"metric":"http_req_duration","type":"Point","data":{"time":"2017-05-09T12:34:46Z","value":2,"tags":{"expected_response":"false","method":"POST","name":"http://t/","status":"503","error_code":"1503"}}}
      {"type":"Point","data":{"time":"2017-05-09T12:34:46Z","value":0,"tags":{"error":"dial: connection refused","error_code":"1212","method":"GET","name":"http://t/","status":"0"}},"metric":"http_req_duration"}
      """;

  private static final String K6_CSV =
      """
      metric_name,timestamp,metric_value,check,error,error_code,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags
      http_reqs,1595325560,1.000000,,,,,GET,http://t/,HTTP/1.1,default,,200,,,http://t/,
      http_req_duration,1595325560,221.899000,,,,,GET,http://t/,HTTP/1.1,default,,200,,,http://t/,
      http_req_duration,1595325561123,1.5,,"a ""b"", c",1000,,GET,http://t/,HTTP/1.1,default,,0,,,http://t/,
      http_req_duration,1595325561123456,1.5,,,,,GET,http://t/,HTTP/1.1,default,,301,,,http://t/,
      http_req_duration,1595325561123456789,1.5,,,,,GET,http://t/,HTTP/1.1,default,,500,,,http://t/,
      """;

  private static final String GATLING =
      """
      RUN\tTEST\ttest\t1470314357550\t\t2.0
      USER\tTest\t1\tSTART\t1470314358333\t1470314358333
      REQUEST\tTest\t2\t\tsendTESTS\t1470314361728\t1470314363675\tOK\t\s
      REQUEST\tTest\t12\t\tsendTESTS\t1470314362441\t1470314364144\tKO\tstatus.find.is(204), but actually found 500
      """;

  private static final String HYPERFINE =
      """
      {"results":[{"command":"x","mean":0.1,"stddev":null,"times":[0.1024,0.103],"exit_codes":[0,1]},
       {"command":"y","times":[0.5],"exit_codes":[null]}]}
      """;

  @Test
  void aPointOfK6EndsAtItsTime() throws Exception {
    ImportedText told = ImportedText.of(ImportedText.choices(ImportFormat.K6), K6_JSON);

    assertThat(told.requests())
        .containsExactly(
            "0 GET http://t/ 0 1494333285165842+459900 200 ",
            "1 POST http://t/ 0 1494333285998000+2000 503 response code 503",
            "2 GET http://t/ 0 1494333286000000+0 0 dial: connection refused");
    assertThat(told.notes()).contains("2 lines of other metrics");
  }

  @Test
  void aCallOfK6ByGrpcSucceedsWithStatusZero() throws Exception {
    ImportedText told =
        ImportedText.of(
            ImportedText.choices(ImportFormat.K6),
            """
            {"type":"Point","data":{"time":"2017-05-09T12:34:46Z","value":2,"tags":{"method":"Hello","name":"/a/Hello","service":"a","status":"0"}},"metric":"grpc_req_duration"}
            {"type":"Point","data":{"time":"2017-05-09T12:34:46Z","value":2,"tags":{"method":"Hello","name":"/a/Hello","service":"a","status":"14"}},"metric":"grpc_req_duration"}
            """);

    assertThat(told.requests())
        .containsExactly(
            "0 Hello /a/Hello 0 1494333285998000+2000 200 ",
            "1 Hello /a/Hello 0 1494333285998000+2000 0 gRPC status 14");
  }

  @Test
  void thatRequestsOfK6WithoutTagsSucceededIsAnAssumption() throws Exception {
    String columns =
        "metric_name,timestamp,metric_value,error,error_code,expected_response,status\n";
    String assumed = "count as successful";

    assertThat(
            ImportedText.of(
                    ImportedText.choices(ImportFormat.K6),
                    columns + "http_req_duration,1700000000,12.5,,,,\n")
                .notes())
        .contains(assumed);
    for (String tags : new String[] {",,true,", ",,,200", "timeout,,,", ",1050,,"}) {
      assertThat(
              ImportedText.of(
                      ImportedText.choices(ImportFormat.K6),
                      columns + "http_req_duration,1700000000,12.5," + tags + "\n")
                  .notes())
          .doesNotContain(assumed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"0\":1}", "1", "\"1\""})
  void exitCodesOfHyperfineThatAreNoListAreRefused(String exitCodes) {
    assertThatThrownBy(
            () ->
                ImportedText.of(
                    ImportedText.choices(ImportFormat.HYPERFINE),
                    "{\"results\":[{\"command\":\"x\",\"times\":[1],\"exit_codes\":"
                        + exitCodes
                        + "}]}"))
        .hasMessageContaining("are not a list");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",\"exit_codes\":null"})
  void aResultOfHyperfineMayHaveNoExitCodes(String exitCodes) throws Exception {
    ImportedText told =
        ImportedText.of(
            ImportedText.choices(ImportFormat.HYPERFINE),
            "{\"results\":[{\"command\":\"x\",\"times\":[1]" + exitCodes + "}]}");

    assertThat(told.requests()).hasSize(1);
  }

  @Test
  void k6WritesCsvInFourUnitsOfTime() throws Exception {
    ImportedText told = ImportedText.of(ImportedText.choices(ImportFormat.K6), K6_CSV);

    assertThat(told.requests())
        .containsExactly(
            "0 GET http://t/ 0 1595325559778101+221899 200 ",
            "1 GET http://t/ 0 1595325561121500+1500 0 a \"b\", c",
            "2 GET http://t/ 0 1595325561121956+1500 200 ",
            "3 GET http://t/ 0 1595325561121956+1500 500 response code 500");
  }

  @Test
  void gatlingWritesStartAndEndInAllItsVersions() throws Exception {
    assertThat(ImportedText.of(ImportedText.choices(ImportFormat.GATLING), GATLING).requests())
        .containsExactly(
            "0 sendTESTS 0 1470314361728000+1947000 200 ",
            "1 sendTESTS 0 1470314362441000+1703000 0 status.find.is(204), but actually found 500");
    assertThat(
            ImportedText.of(
                    ImportedText.choices(ImportFormat.GATLING),
                    """
                    scenario\t7\tREQUEST\tgroup\told\t1470314361728\t1470314361729\t1470314361730\t1470314361740\tOK\t\s
                    REQUEST\t7\t\t3.0\t1470314361728\t1470314361738\tOK\t\s
                    REQUEST\t\t3.9\t1470314361728\t1470314361739\tOK\t\s
                    """)
                .requests())
        .containsExactly(
            "0 old 0 1470314361728000+12000 200 ",
            "1 3.0 0 1470314361728000+10000 200 ",
            "2 3.9 0 1470314361728000+11000 200 ");
  }

  @Test
  void aTimeOfHyperfineIsARequest() throws Exception {
    assertThat(ImportedText.of(ImportedText.choices(ImportFormat.HYPERFINE), HYPERFINE).requests())
        .containsExactly(
            "0 x 0 0+102400 200 ",
            "1 x 0 102400+103000 0 exit code 1",
            "2 y 0 205400+500000 0 ended by a signal");
    assertThat(
            ImportedText.of(
                    ImportedText.choices(ImportFormat.HYPERFINE),
                    """
                    {"schema_version": 2, "metadata": {"platform": {"os": "linux"}}, "results": [
                     {"command": "sleep 1", "name": "one", "measurements": [
                      {"time_wall_clock": {"value": 1.5, "unit": "second"}, "exit_code": 0}]}]}
                    """)
                .requests())
        .containsExactly("0 one 0 0+1500000 200 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"results\":[{\"command\":\"x\",\"times\":[1]}]}{\"results\":[]}",
        "{\"results\":[{\"command\":\"x\",\"times\":[1]}],\"results\":[]}"
      })
  void whatFollowsAnExportOfHyperfineIsNotDropped(String text) {
    assertThatThrownBy(() -> ImportedText.of(ImportedText.choices(ImportFormat.HYPERFINE), text))
        .isInstanceOf(UnreadableMeasurementsException.class)
        .hasMessageEndingWith("import each by itself");
  }

  @ParameterizedTest
  @CsvSource({
    "k6.json,--format k6",
    "k6.csv,--format k6",
    "gatling,--format gatling",
    "hyperfine,--format hyperfine",
    "ycsb summary,measurementtype=raw",
    "ycsb histogram,measurementtype=raw",
    "jtl,output_format=csv",
    "k6 summary,--out json",
    "hyperfine csv,--export-json",
    "gatling binary,binary log"
  })
  void aFileOfAnotherFormatIsNamedWithWhatToDo(String file, String advice) {
    for (ImportFormat format : ImportFormat.values()) {
      if (advice.equals("--format " + format.id())) {
        continue;
      }
      assertThatThrownBy(() -> ImportedText.of(ImportedText.choices(format), bytes(file)))
          .as(format.id())
          .isInstanceOf(UnreadableMeasurementsException.class)
          .hasMessageContaining(advice)
          .hasMessageNotContaining("broken");
    }
  }

  private static byte[] bytes(String file) {
    String text =
        switch (file) {
          case "k6.json" -> K6_JSON;
          case "k6.csv" -> K6_CSV;
          case "gatling" -> GATLING;
          case "hyperfine" -> HYPERFINE;
          case "ycsb summary" -> "[OVERALL], RunTime(ms), 10110\n[READ], Operations, 491\n";
          case "ycsb histogram" -> "[OVERALL], RunTime(ms), 10077\n[UPDATE], 0, 45526.0\n";
          case "jtl" -> "<?xml version=\"1.0\"?>\n<testResults version=\"1.2\">\n";
          case "k6 summary" -> "{\n \"root_group\": {},\n \"metrics\": {}}";
          case "hyperfine csv" -> "command,mean,stddev,median\nx,1,2,3\n";
          default -> "\0\0\0\0\u00063.12.0\0\0";
        };
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @EnumSource(
      value = ImportFormat.class,
      names = {"K6", "GATLING", "HYPERFINE"})
  void whatIsCutIsRefusedOrReadToThere(ImportFormat format) throws Exception {
    String text =
        format == ImportFormat.K6 ? K6_JSON : format == ImportFormat.GATLING ? GATLING : HYPERFINE;
    for (int length = 0; length < text.length(); length += 7) {
      try {
        ImportedText told =
            ImportedText.of(ImportedText.choices(format), text.substring(0, length));
        assertThat(told.requests()).isNotEmpty();
      } catch (UnreadableMeasurementsException e) {
        assertThat(e.getMessage()).startsWith("old.txt: ");
      }
    }
  }

  @Test
  void twoQuotationMarksOfACommandStayTwo() throws Exception {
    String command = "grep -c \"\" x";
    ImportedText told =
        ImportedText.of(
            new ImportChoices(ImportFormat.HYPERFINE, null, command, null, false),
            "{\"results\":[{\"command\":\"grep -c \\\"\\\" x\",\"times\":[1]},"
                + "{\"command\":\"echo \\\"\\\"\",\"times\":[1]}]}");

    assertThat(told.overview().operations()).containsOnlyKeys("ingest", "echo \"\"");
  }

  @Test
  void anErrorOfK6MayGoOverSeveralLinesOfCsv() throws Exception {
    ImportedText told =
        ImportedText.of(
            ImportedText.choices(ImportFormat.K6),
            """
            metric_name,timestamp,metric_value,error,method,name,status
            http_req_duration,1595325561,1.5,"first
            second",GET,http://t/,0
            http_req_duration,1595325561,2,,GET,http://t/,200\
            """);

    assertThat(told.requests())
        .containsExactly(
            "0 GET http://t/ 0 1595325560998500+1500 0 first\nsecond",
            "1 GET http://t/ 0 1595325560998000+2000 200 ");
  }

  @Test
  void aPointOfK6ThatFollowsAnotherInItsLineIsNotDropped() {
    String point = K6_JSON.lines().skip(2).findFirst().orElseThrow();

    assertThatThrownBy(
            () -> ImportedText.of(ImportedText.choices(ImportFormat.K6), point + point + "\n"))
        .hasMessageContaining("1 line is broken: line 1: something follows the JSON object");
  }

  @Test
  void rejectsHyperfineTimesWithoutExitCodes() {
    assertThatThrownBy(
            () ->
                ImportedText.of(
                    ImportedText.choices(ImportFormat.HYPERFINE),
                    "{\"results\":[{\"command\":\"x\",\"times\":[1,2],\"exit_codes\":[0]}]}"))
        .isInstanceOf(UnreadableMeasurementsException.class)
        .hasMessageContaining("2 times and 1 exit codes");
  }

  @Test
  void namesOfGatlingInAnotherEncodingAreNotMixed() {
    String lines =
        "REQUEST\t\t\u00E4\t1470314361728\t1470314361739\tOK\t \n"
            + "REQUEST\t\t\u00F6\t1470314361728\t1470314361739\tOK\t \n";

    assertThatThrownBy(
            () ->
                ImportedText.of(
                    ImportedText.choices(ImportFormat.GATLING),
                    lines.getBytes(StandardCharsets.ISO_8859_1)))
        .hasMessageContaining("2 lines are broken, the first: line 1: ")
        .hasMessageContaining("not UTF-8");
  }

  @ParameterizedTest
  @EnumSource(
      value = ImportFormat.class,
      names = {"K6", "GATLING", "HYPERFINE"})
  void aByteOrderMarkLineEndsOfWindowsAndNoLastLineEndChangeNothing(ImportFormat format)
      throws Exception {
    String text =
        format == ImportFormat.K6 ? K6_CSV : format == ImportFormat.GATLING ? GATLING : HYPERFINE;

    assertThat(
            ImportedText.of(
                    ImportedText.choices(format), "\uFEFF" + text.strip().replace("\n", "\r\n"))
                .requests())
        .isEqualTo(ImportedText.of(ImportedText.choices(format), text).requests());
  }
}
