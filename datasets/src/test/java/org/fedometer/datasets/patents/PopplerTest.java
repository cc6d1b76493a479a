package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.catalogue.Datasets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A second reader of PDF, which complains where PDFBox repairs. Skipped where poppler's {@code
 * pdfinfo} and {@code pdftoppm} are not installed, unless {@code FEDOMETER_REQUIRE_ALL=1}.
 */
class PopplerTest {

  private static final List<String> COMMANDS = List.of("pdfinfo", "pdftoppm");
  private static final Pattern PAGES = Pattern.compile("(?m)^Pages: +(\\d+)$");
  private static final int OBJECTS = 60;

  private static final int TIMEOUT_SECONDS = 60;

  /** More than the size of its format, width, height and depth. */
  private static final int GRAYMAP_HEAD_BYTES = 20;

  @TempDir Path folder;

  @BeforeAll
  static void isInstalled() {
    List<String> missing = COMMANDS.stream().filter(command -> !isOnPath(command)).toList();
    if (!missing.isEmpty()) {
      String sentence = "of poppler there is no " + String.join(" and no ", missing);
      if ("1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
        throw new IllegalStateException(sentence);
      }
      System.err.println("SKIPPED PopplerTest: " + sentence);
      assumeTrue(false, sentence);
    }
  }

  private static boolean isOnPath(String command) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(entry -> Files.isExecutable(Path.of(entry, command)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"patents", "patents:real-pdf=true"})
  @Timeout(300)
  void popplerDecodesEveryPageOfEveryPdfWithoutAWarning(String spec) throws Exception {
    Dataset dataset = Datasets.open(spec, DatasetOptions.unlimited("fm"));
    int read = 0;
    for (int i = 0; i < OBJECTS; i++) {
      for (ContentStream content : dataset.object(i).content()) {
        if (content.id().equals("PDF")) {
          Path file = folder.resolve(i + ".pdf");
          try (InputStream in = content.open()) {
            Files.copy(in, file);
          }
          assertThat(decodedPages(file)).as(spec + " object " + i).isEqualTo(pages(file));
          read++;
        }
      }
    }
    assertThat(read).isGreaterThan(20);
  }

  private int pages(Path file) throws Exception {
    Matcher pages = PAGES.matcher(output("pdfinfo", file.toString()));
    assertThat(pages.find()).isTrue();
    return Integer.parseInt(pages.group(1));
  }

  /** How many pages could be drawn that have something on them. */
  private int decodedPages(Path file) throws Exception {
    Path drawn = Files.createTempDirectory(folder, "pages");
    output("pdftoppm", "-r", "20", "-gray", file.toString(), drawn.resolve("page").toString());
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> files = Files.list(drawn)) {
      for (Path page : files.toList()) {
        if (hasInk(page)) {
          pages.add(page);
        }
        Files.delete(page);
      }
    }
    return pages.size();
  }

  /** Returns whether a portable graymap is not all white. */
  private static boolean hasInk(Path graymap) throws IOException {
    byte[] bytes = Files.readAllBytes(graymap);
    for (int i = GRAYMAP_HEAD_BYTES; i < bytes.length; i++) {
      if (bytes[i] != (byte) 0xFF) {
        return true;
      }
    }
    return false;
  }

  /** Returns the output of a command without failure or warning; it ends with this method. */
  private String output(String... command) throws Exception {
    Path output = folder.resolve("output");
    Path warnings = folder.resolve("warnings");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(warnings.toFile())
            .start();
    try {
      assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS))
          .as("%s ends", command[0])
          .isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(Files.readString(warnings)).isEmpty();
    assertThat(process.exitValue()).isZero();
    return Files.readString(output);
  }
}
