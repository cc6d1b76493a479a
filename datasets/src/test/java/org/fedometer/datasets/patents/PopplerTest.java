package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Datasets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A second reader of PDF, which complains where PDFBox repairs. Skipped where poppler's {@code
 * pdfinfo} is not installed, unless {@code FEDOMETER_REQUIRE_ALL=1}.
 */
class PopplerTest {

  @TempDir Path folder;

  @BeforeAll
  static void isInstalled() {
    boolean installed =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(entry -> Files.isExecutable(Path.of(entry, "pdfinfo")));
    if (!installed) {
      if ("1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
        throw new IllegalStateException("poppler's pdfinfo is not installed");
      }
      System.err.println("SKIPPED PopplerTest: poppler's pdfinfo is not installed");
      assumeTrue(false, "poppler's pdfinfo is not installed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"patents", "patents:real-pdf=true"})
  void pdfinfoReadsEveryPdfWithoutComplaint(String spec) throws Exception {
    Dataset dataset = Datasets.open(spec, DatasetOptions.unlimited("fm"));
    int read = 0;
    for (int i = 0; i < 60; i++) {
      for (ContentStream content : dataset.object(i).content()) {
        if (content.id().equals("PDF")) {
          Path file = folder.resolve(i + ".pdf");
          try (InputStream in = content.open()) {
            Files.copy(in, file);
          }
          assertThat(pdfinfo(file)).contains("Pages:").doesNotContainIgnoringCase("error");
          read++;
        }
      }
    }
    assertThat(read).isGreaterThan(20);
  }

  private static String pdfinfo(Path file) throws Exception {
    Process process =
        new ProcessBuilder("pdfinfo", file.toString()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }
}
