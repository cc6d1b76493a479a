package org.fedometer.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import org.fedometer.driver.ChecksumChoice;
import org.fedometer.driver.ContentOptions;
import org.fedometer.driver.ContentPath;
import org.fedometer.driver.Packaging;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectedBytesTest {

  @ParameterizedTest
  @CsvSource({
    "IN_REQUEST, FOXML, 1500000",
    "INLINE_XML, FOXML, 1500000",
    "URL, FOXML, 1500000",
    "URL, DATASTREAMS, 1500000",
    "UPLOAD, FOXML, 2500000",
    "UPLOAD, DATASTREAMS, 2500000",
    "IN_REQUEST, DATASTREAMS, 2500000",
    "INLINE_XML, DATASTREAMS, 2500000",
    "EXTERNAL, FOXML, 0",
    "REDIRECT, DATASTREAMS, 0"
  })
  void whatIsUploadedIsThereTwiceForAWhileAndWhatStaysElsewhereTakesNoSpace(
      ContentPath path, Packaging packaging, long bytes) {
    ContentOptions options = ContentOptions.of(path, packaging, ChecksumChoice.NONE);

    assertThat(MainJob.expectedBytes(options, 1_000, 1_000)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"UPLOAD, 1500015000000000", "URL, 1500000000000000"})
  void ofALongRunOnlyTheLatestUploadsWait(ContentPath path, long bytes) {
    ContentOptions options = ContentOptions.of(path, Packaging.FOXML, ChecksumChoice.NONE);

    assertThat(MainJob.expectedBytes(options, 1_000_000, 1_000_000_000)).isEqualTo(bytes);
  }
}
