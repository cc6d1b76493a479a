package org.fedometer.experiments.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.fedometer.driver.content.ChecksumChoice;
import org.fedometer.driver.content.ContentOptions;
import org.fedometer.driver.content.ContentPath;
import org.fedometer.driver.content.Packaging;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectedBytesTest {

  @ParameterizedTest
  @CsvSource({
    "IN_REQUEST, FOXML, 41500000",
    "INLINE_XML, FOXML, 41500000",
    "URL, FOXML, 41500000",
    "URL, DATASTREAMS, 41500000",
    "UPLOAD, FOXML, 42500000",
    "UPLOAD, DATASTREAMS, 42500000",
    "IN_REQUEST, DATASTREAMS, 42500000",
    "INLINE_XML, DATASTREAMS, 42500000",
    "EXTERNAL, FOXML, 40000000",
    "REDIRECT, DATASTREAMS, 40000000"
  })
  void whatIsUploadedIsThereTwiceForAWhileAndOfWhatStaysElsewhereTheObjectIsThere(
      ContentPath path, Packaging packaging, long bytes) {
    ContentOptions options = ContentOptions.of(path, packaging, ChecksumChoice.NONE);

    assertThat(PlannedLoad.expectedBytes(options, 1_000, 1_000)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"UPLOAD, 1540015000000000", "URL, 1540000000000000"})
  void ofALongRunOnlyTheLatestUploadsWait(ContentPath path, long bytes) {
    ContentOptions options = ContentOptions.of(path, Packaging.FOXML, ChecksumChoice.NONE);

    assertThat(PlannedLoad.expectedBytes(options, 1_000_000, 1_000_000_000)).isEqualTo(bytes);
  }
}
