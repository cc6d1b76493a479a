package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.catalogue.Datasets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Composition of 2,000 generated full texts of the length of real US grants, next to real figures:
 * quartiles of claims 8, 14, 21 and of figures 4, 8, 13; abstracts of 70 to 180 words; 10.5 bytes
 * of XML for each word of description. Short documents have space for less, so quartiles may be one
 * lower.
 */
@Tag("slow")
class PatentStructureTest {

  private static final int DOCUMENTS = 2_000;
  private static final Pattern TAG = Pattern.compile("<[^>]*>");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private static final double[] ABSTRACT_WORDS = new double[DOCUMENTS];
  private static final double[] CLAIMS = new double[DOCUMENTS];
  private static final double[] FIGURES = new double[DOCUMENTS];
  private static final double[] INVENTORS = new double[DOCUMENTS];
  private static final double[] DESCRIPTION_WORDS = new double[DOCUMENTS];
  private static final double[] BYTES_A_WORD = new double[DOCUMENTS];

  @BeforeAll
  static void measure() throws Exception {
    Dataset dataset = Datasets.open("patents:us-fulltext", DatasetOptions.unlimited("fm"));
    for (int i = 0; i < DOCUMENTS; i++) {
      String xml;
      try (InputStream in = dataset.object(i).content().get(0).open()) {
        xml = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      }
      ABSTRACT_WORDS[i] = words(xml, "abstract");
      CLAIMS[i] = count(xml, "<claim id=");
      FIGURES[i] = count(xml, "<figure id=");
      INVENTORS[i] = count(xml, "<inventor ");
      DESCRIPTION_WORDS[i] = words(xml, "description");
      BYTES_A_WORD[i] = xml.length() / DESCRIPTION_WORDS[i];
    }
    for (double[] values :
        new double[][] {ABSTRACT_WORDS, CLAIMS, FIGURES, DESCRIPTION_WORDS, BYTES_A_WORD}) {
      Arrays.sort(values);
    }
  }

  @Test
  void abstractsHaveFrom70To180Words() {
    assertThat(ABSTRACT_WORDS[0]).isGreaterThanOrEqualTo(70);
    assertThat(ABSTRACT_WORDS[DOCUMENTS - 1]).isLessThanOrEqualTo(180);
    assertThat(quantile(ABSTRACT_WORDS, 0.5)).isBetween(100.0, 140.0);
  }

  @Test
  void claimsAreAsManyAsInRealGrants() {
    assertThat(quantile(CLAIMS, 0.25)).isBetween(7.0, 8.0);
    assertThat(quantile(CLAIMS, 0.5)).isBetween(13.0, 14.0);
    assertThat(quantile(CLAIMS, 0.75)).isBetween(20.0, 21.0);
    assertThat(CLAIMS[0]).isEqualTo(1);
    assertThat(CLAIMS[DOCUMENTS - 1]).isBetween(80.0, 224.0);
  }

  @Test
  void figuresAreAsManyAsInRealGrants() {
    assertThat(quantile(FIGURES, 0.25)).isBetween(3.0, 4.0);
    assertThat(quantile(FIGURES, 0.5)).isBetween(7.0, 8.0);
    assertThat(quantile(FIGURES, 0.75)).isBetween(12.0, 13.0);
  }

  @Test
  void thereAreTwoAndAHalfInventorsOnAverage() {
    assertThat(Arrays.stream(INVENTORS).average()).hasValueCloseTo(2.5, within(0.1));
  }

  @Test
  void aWordOfDescriptionComesWithAsManyBytesAsInRealGrants() {
    assertThat(quantile(BYTES_A_WORD, 0.5)).isBetween(10.0, 11.0);
    assertThat(quantile(DESCRIPTION_WORDS, 0.5)).isCloseTo(7_600, within(760.0));
  }

  private static double quantile(double[] sorted, double share) {
    return sorted[(int) (share * (sorted.length - 1))];
  }

  private static int words(String xml, String element) {
    Matcher inside =
        Pattern.compile("<" + element + "[ >].*?</" + element + ">", Pattern.DOTALL).matcher(xml);
    assertThat(inside.find()).isTrue();
    return BLANKS.split(TAG.matcher(inside.group()).replaceAll("").strip()).length;
  }

  private static int count(String xml, String start) {
    int count = 0;
    for (int i = xml.indexOf(start); i >= 0; i = xml.indexOf(start, i + start.length())) {
      count++;
    }
    return count;
  }
}
