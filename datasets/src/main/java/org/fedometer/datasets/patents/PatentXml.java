package org.fedometer.datasets.patents;

import java.nio.charset.StandardCharsets;
import org.fedometer.datasets.content.Segments;
import org.fedometer.datasets.random.SkewedCounts;
import org.fedometer.datasets.random.StableRandom;

/**
 * Writes a generated patent as XML based on WIPO ST.36, the standard behind the files of the US and
 * European offices. It has bibliographic data, abstract, drawings, description and claims. The
 * document has exactly the requested number of bytes. Used by any thread.
 */
final class PatentXml {

  /** Size of a document's frame, the minimum length. */
  static final int MIN_BYTES = 2_000;

  /** A paragraph of a few words, and its frame. */
  private static final int MIN_DESCRIPTION_BYTES = 240;

  /** Amount of bibliographic data in a sufficiently long document, if there is as much. */
  private static final int FRONT_BYTES = 4_500;

  /** Largest share of bibliographic data in a long document. */
  private static final double FRONT_SHARE = 0.25;

  private static final int FIGURE_BYTES = 200;

  /** Numbers of figures as in US grants. */
  private static final SkewedCounts FIGURES = new SkewedCounts(4, 8, 13, 120);

  /** Numbers of claims as in US grants. */
  private static final SkewedCounts CLAIMS = new SkewedCounts(8, 14, 21, 224);

  /** With less space for claims, the first is one line. */
  private static final int MIN_LISTED_BYTES = 2_500;

  /** Approximate size of a claim; with less space for each, claims are terse. */
  private static final int CLAIM_BYTES = 500;

  private static final double INDEPENDENT_SHARE = 0.13;
  private static final int MIN_ELEMENTS = 3;
  private static final int MAX_ELEMENTS = 10;
  private static final String[] REFERRING = {
    " according to ", " of ", " as claimed in ", " as in "
  };

  private static final double SECOND_FEATURE_SHARE = 0.6;
  private static final byte[] AND = ascii(", and ");
  private static final byte[] ELEMENT_START = ascii("\n<claim-text>");
  private static final byte[] ELEMENT_END = ascii(";</claim-text>");
  private static final byte[] LAST_BUT_ONE_END = ascii("; and</claim-text>");
  private static final byte[] LAST_ELEMENT_END = ascii(".</claim-text>\n</claim-text>\n</claim>\n");
  private static final byte[] FEATURE_END = ascii(".</claim-text>\n</claim>\n");

  /** A shorter remainder is filled to the byte, since no further paragraph would fit. */
  private static final int MARGIN_BYTES = PatentGrammar.MAX_BYTES + 50;

  /** Number of sentences examined for some that fit into a remainder. */
  private static final int SENTENCES_TRIED = 40;

  /** Space for a table and some text after it. */
  private static final int MIN_TABLE_SPACE_BYTES = 6_000;

  /** Some documents have hardly any table, others one after every few paragraphs. */
  private static final double MAX_TABLES_PER_PARAGRAPH = 0.18;

  private static final byte[] TABLE_END_BYTES = ascii("</tables>\n");
  private static final String PARAGRAPH_END = "</p>\n";
  private static final byte[] PARAGRAPH_END_BYTES = ascii(PARAGRAPH_END);
  private static final byte[] FILLER = ascii(filler());

  private final TextPool pool;

  PatentXml(TextPool pool) {
    this.pool = pool;
  }

  /**
   * @param sizeBytes the length, {@link #MIN_BYTES} or more
   */
  Segments write(PatentDraft draft, int sizeBytes, StableRandom random) {
    Segments drawn = new Segments();
    abstractAndDrawings(drawn, draft, sizeBytes, random);
    Segments claims = new Segments();
    claims(claims, draft.topic(), sizeBytes, random);
    long body = drawn.sizeBytes() + claims.sizeBytes();
    long remaining = sizeBytes - body - Math.max(MIN_DESCRIPTION_BYTES, sizeBytes / 12);
    int front = (int) Math.min(remaining, Math.max(FRONT_BYTES, sizeBytes * FRONT_SHARE));
    Segments document = new Segments();
    document.add(new FrontMatter(draft.patent(), front, random).write());
    document.addAll(drawn);
    description(document, draft.topic(), sizeBytes - claims.sizeBytes(), random);
    document.addAll(claims);
    return document;
  }

  private void abstractAndDrawings(
      Segments document, PatentDraft draft, int sizeBytes, StableRandom random) {
    document.add("<abstract lang=\"EN\">\n<p id=\"pa01\" num=\"0001\">");
    sentences(
        document,
        draft.abstractStart(),
        draft.abstractEnd(),
        Math.max(PatentGenerator.MAX_OPENING_BYTES, sizeBytes / 9));
    document.add("</p>\n</abstract>\n");
    int figures = Math.min(FIGURES.next(random), (sizeBytes - MIN_BYTES) / 6 / FIGURE_BYTES);
    if (figures > 0) {
      document.add("<drawings id=\"DRAWINGS\">\n");
      for (int i = 1; i <= figures; i++) {
        document.add(figure(i, random));
      }
      document.add("</drawings>\n");
    }
  }

  private static String figure(int number, StableRandom random) {
    String id = Digits.padded(number, 5);
    return "<figure id=\"Fig-EMI-D"
        + id
        + "\" num=\""
        + id
        + "\">\n<img id=\"EMI-D"
        + id
        + "\" he=\""
        + random.nextBetween(60, 250)
        + ".38mm\" wi=\""
        + random.nextBetween(60, 180)
        + ".12mm\" file=\"D"
        + id
        + ".TIF\" alt=\"embedded image\" img-content=\"drawing\" img-format=\"tif\"/>\n</figure>\n";
  }

  /**
   * Adds at least one claim, and as many of the drawn number as a good quarter of the document
   * holds.
   */
  private void claims(Segments document, TextPool.Topic topic, int sizeBytes, StableRandom random) {
    document.add("<claims>\n");
    int count = CLAIMS.next(random);
    int budget = Math.max(sizeBytes / 9, (sizeBytes - 6_000) * 2 / 5);
    boolean terse = count * CLAIM_BYTES > budget;
    String claimed = random.pick(PatentWords.CLAIMED);
    String referring = random.pick(REFERRING);
    int element = random.nextInt(topic.firstFeature() - topic.firstElement());
    int feature = random.nextInt(topic.firstTable() - topic.firstFeature());
    int independent = 1;
    for (int number = 1; number <= count; number++) {
      Segments claim = new Segments();
      String padded = Digits.padded(number, 5);
      claim.add(
          "<claim id=\"CLM-" + padded + "\" num=\"" + padded + "\">\n<claim-text>" + number + ". ");
      if (number == 1 && budget < MIN_LISTED_BYTES) {
        claim.add("A " + claimed + " comprising the " + topic.parts().get(0) + " and the ");
        claim.add(topic.parts().get(1) + " that belongs to it");
        claim.add(FEATURE_END);
      } else if (number == 1 || random.nextChance(INDEPENDENT_SHARE)) {
        independent = number;
        claim.add("A " + claimed + " for " + random.pick(PatentWords.ACTING) + " the ");
        claim.add(random.pick(topic.parts()) + ", comprising:");
        int listed = random.nextBetween(MIN_ELEMENTS, terse ? MIN_ELEMENTS + 1 : MAX_ELEMENTS);
        element = elements(claim, topic, element, listed);
      } else {
        int on = random.nextChance(0.5) ? independent : random.nextBetween(independent, number - 1);
        claim.add("The " + claimed + referring + "<claim-ref idref=\"CLM-");
        claim.add(Digits.padded(on, 5) + "\">claim " + on + "</claim-ref>, ");
        feature = feature(claim, topic, feature);
        if (!terse && random.nextChance(SECOND_FEATURE_SHARE)) {
          claim.add(AND);
          feature = feature(claim, topic, feature);
        }
        claim.add(FEATURE_END);
      }
      if (number > 1 && document.sizeBytes() + claim.sizeBytes() > budget) {
        break;
      }
      document.addAll(claim);
    }
    document.add("</claims>\n</wo-patent-document>\n");
  }

  /** Returns the next feature, counted from the topic's first. */
  private int feature(Segments claim, TextPool.Topic topic, int feature) {
    int sentence = topic.firstFeature() + feature;
    pool.append(claim, sentence, sentence + 1);
    return (feature + 1) % (topic.firstTable() - topic.firstFeature());
  }

  /** Returns the next element, counted from the topic's first. */
  private int elements(Segments claim, TextPool.Topic topic, int first, int count) {
    int element = first;
    for (int i = 1; i <= count; i++) {
      int sentence = topic.firstElement() + element;
      claim.add(ELEMENT_START);
      pool.append(claim, sentence, sentence + 1);
      claim.add(i < count - 1 ? ELEMENT_END : i < count ? LAST_BUT_ONE_END : LAST_ELEMENT_END);
      element = (element + 1) % (topic.firstFeature() - topic.firstElement());
    }
    return element;
  }

  /** Fills the document up to {@code endBytes}, to the byte. */
  private void description(
      Segments document, TextPool.Topic topic, long endBytes, StableRandom random) {
    String head =
        "<description id=\"description\">\n<heading id=\"h-0001\" level=\"1\">DESCRIPTION</heading>\n";
    String tail = "</description>\n";
    document.add(head);
    long end = endBytes - tail.length();
    int sentence = startIn(topic, random);
    int number = 1;
    int table = 1;
    double tableShare = MAX_TABLES_PER_PARAGRAPH * random.nextOpen();
    while (true) {
      String padded = Digits.padded(number, 4);
      String before = "<p id=\"p-" + padded + "\" num=\"" + padded + "\">";
      long availableBytes = end - document.sizeBytes() - before.length() - PARAGRAPH_END.length();
      if (availableBytes < 0) {
        whitespace(document, (int) (end - document.sizeBytes()));
        break;
      }
      document.add(before);
      sentence = paragraph(document, sentence, (int) availableBytes, random.nextBetween(200, 1100));
      document.add(PARAGRAPH_END_BYTES);
      number++;
      if (end - document.sizeBytes() > MIN_TABLE_SPACE_BYTES && random.nextChance(tableShare)) {
        table(document, topic, table++);
      }
    }
    document.add(tail);
  }

  private void table(Segments document, TextPool.Topic topic, int number) {
    String padded = Digits.padded(number, 5);
    document.add("<tables id=\"TABLE-" + padded + "\" num=\"" + padded + "\">\n");
    int count = topic.endTable() - topic.firstTable();
    int sentence = topic.firstTable() + number % count;
    pool.append(document, sentence, sentence + 1);
    document.add(TABLE_END_BYTES);
  }

  private static void whitespace(Segments document, int count) {
    if (count > 0) {
      document.add("\n".repeat(count));
    }
  }

  /**
   * Appends whole sentences up to {@code end} or at most {@code budget} bytes of them.
   *
   * @return the next sentence
   */
  private int sentences(Segments document, int first, int end, int budget) {
    int sentence = first;
    while (sentence < end && pool.lengthBytes(first, sentence + 1) <= budget) {
      sentence++;
    }
    pool.append(document, first, sentence);
    return sentence;
  }

  /**
   * Appends whole sentences of about {@code target} bytes. If the document's remainder is too small
   * for another paragraph, it is filled to the byte.
   *
   * @param availableBytes the whole remainder, in bytes
   * @return the next sentence
   */
  private int paragraph(Segments document, int first, int availableBytes, int target) {
    int sentence =
        sentences(document, first, pool.descriptionEnd(), Math.min(availableBytes, target));
    if (sentence == first && pool.lengthBytes(first, first + 1) <= availableBytes) {
      pool.append(document, first, first + 1);
      sentence++;
    }
    int remaining = availableBytes - pool.lengthBytes(first, sentence);
    if (remaining < MARGIN_BYTES) {
      fill(document, sentence, remaining);
    }
    return sentence % pool.descriptionEnd();
  }

  /** Appends sentences that fit, then words of a closing phrase. */
  private void fill(Segments document, int next, int availableBytes) {
    int remaining = availableBytes;
    for (int i = 0; i < SENTENCES_TRIED; i++) {
      int sentence = (next + i) % pool.descriptionEnd();
      int length = pool.lengthBytes(sentence, sentence + 1);
      if (length <= remaining) {
        pool.append(document, sentence, sentence + 1);
        remaining -= length;
      }
    }
    document.add(FILLER, 0, remaining);
  }

  private static int startIn(TextPool.Topic topic, StableRandom random) {
    return topic.firstSentence() + random.nextInt(topic.endSentence() - topic.firstSentence());
  }

  /** Appends escaped text, with character references for everything outside ASCII. */
  static void escape(StringBuilder xml, String text) {
    text.codePoints()
        .forEach(
            c -> {
              if (c == '&') {
                xml.append("&amp;");
              } else if (c == '<') {
                xml.append("&lt;");
              } else if (c > 0x7E) {
                xml.append("&#x").append(Integer.toHexString(c)).append(';');
              } else {
                xml.append((char) c);
              }
            });
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String filler() {
    return """
        Various changes and modifications can be made to the embodiments described above without \
        departing from the scope of the invention as defined in the appended claims, and all \
        matter contained in the above description or shown in the accompanying drawings shall be \
        interpreted as illustrative and not in a limiting sense; the terms used here are chosen \
        for the purpose of description, and a person skilled in the art will find many other \
        ways to carry out the teaching that has been set forth in the foregoing specification.\
        """
        .strip();
  }
}
