package org.fedometer.datasets.patents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.fedometer.datasets.content.Segments;
import org.fedometer.datasets.random.StableRandom;
import org.w3c.dom.Document;

class PatentXmlTest {

  private static final TextPool POOL = TextPool.make(3, 300_000);
  private static final PatentXml XML = new PatentXml(POOL);

  /** Small documents are the hard ones: frame, one inventor and one claim must fit. */
  @Property(tries = 400)
  void aDocumentOfAnySizeIsExactAndWellFormed(
      @ForAll @IntRange(min = PatentXml.MIN_BYTES, max = 30_000) int size,
      @ForAll @LongRange(min = 0) long index,
      @ForAll @IntRange(max = 35) int statements)
      throws Exception {
    StableRandom random = StableRandom.of(size, 1, index);
    TextPool.Topic topic = POOL.topic(random);
    PatentDraft draft = new PatentGenerator(POOL).generate(index, topic, statements, random);

    Segments segments = XML.write(draft, size, random);
    byte[] bytes;
    try (InputStream in = segments.open()) {
      bytes = in.readAllBytes();
    }

    assertThat(bytes).hasSize(size);
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(bytes));
    for (String element : new String[] {"abstract", "description", "claim", "inventor"}) {
      assertThat(document.getElementsByTagName(element).getLength()).isPositive();
    }
    PatentRecord read = PatentXmlReader.read(new ByteArrayInputStream(bytes));
    assertThat(read.title()).isEqualTo(draft.patent().title());
    assertThat(draft.patent().abstractText()).startsWith(read.abstractText());
  }

  /** A document larger than the pool goes round in it. */
  @Property(tries = 3)
  void aDocumentLargerThanThePoolIsExactToo(
      @ForAll @IntRange(min = 3_000_000, max = 4_000_000) int size) {
    StableRandom random = StableRandom.of(size, 1, 0);
    TextPool.Topic topic = POOL.topic(random);

    assertThat(
            XML.write(new PatentGenerator(POOL).generate(0, topic, 20, random), size, random)
                .sizeBytes())
        .isEqualTo(size);
  }
}
