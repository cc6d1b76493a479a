package org.fedometer.datasets.patents;

import java.nio.charset.StandardCharsets;
import org.fedometer.datasets.content.Segments;
import org.fedometer.datasets.random.StableRandom;

/**
 * Writes a generated patent as XML after WIPO ST.36, the standard behind the files of the US and
 * European offices: bibliographic data, abstract, drawings, description, claims. The document comes
 * out with exactly the bytes asked for. Used by any thread.
 */
final class PatentXml {

  /** No document is shorter than its own frame. */
  static final int LEAST_BYTES = 2_000;

  private static final int FIGURE_BYTES = 200;

  private static final String CLAIM_END = "</claim-text>\n</claim>\n";

  private static final byte[] CLAIM_END_BYTES = ascii(CLAIM_END);

  /** A rest shorter than this is filled with words, since no sentence would fit. */
  private static final int MARGIN_BYTES = 420;

  private static final String PARAGRAPH_END = "</p>\n";
  private static final byte[] PARAGRAPH_END_BYTES = ascii(PARAGRAPH_END);
  private static final byte[] FILLER = ascii(filler());

  private final TextPool pool;

  PatentXml(TextPool pool) {
    this.pool = pool;
  }

  /**
   * Makes one document.
   *
   * @param sizeBytes its length, {@link #LEAST_BYTES} or more
   */
  Segments write(PatentDraft draft, int sizeBytes, StableRandom random) {
    TextPool.Topic topic = draft.topic();
    Segments document = new Segments();
    document.add(head(draft.patent(), sizeBytes));
    abstractAndDrawings(document, draft, sizeBytes, random);
    Segments claims = new Segments();
    claims(claims, topic, sizeBytes, random);
    description(document, topic, sizeBytes - claims.sizeBytes(), random);
    document.addAll(claims);
    return document;
  }

  private String head(PatentRecord patent, int sizeBytes) {
    int budget = Math.max(900, sizeBytes * 2 / 5);
    StringBuilder xml = new StringBuilder(2048);
    xml.append(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<wo-patent-document lang=\"EN\" country=\"");
    xml.append(patent.authority()).append("\" doc-number=\"").append(patent.number());
    xml.append("\" kind=\"").append(patent.kind()).append("\" date-publ=\"");
    xml.append(patent.publicationDate()).append("\">\n<bibliographic-data>\n");
    xml.append("<publication-reference><document-id>\n<country>").append(patent.authority());
    xml.append("</country>\n<doc-number>").append(patent.number());
    xml.append("</doc-number>\n<kind>").append(patent.kind());
    xml.append("</kind>\n<date>").append(patent.publicationDate());
    xml.append("</date>\n</document-id></publication-reference>\n");
    if (budget > 1000) {
      xml.append("<application-reference><document-id>\n<doc-number>");
      xml.append(patent.applicationNumber()).append("</doc-number>\n<date>");
      xml.append(patent.filingDate()).append("</date>\n</document-id></application-reference>\n");
    }
    xml.append("<classifications-ipcr>\n");
    boolean first = true;
    for (String symbol : patent.classifications()) {
      if (first || xml.length() + 400 < budget) {
        classification(xml, symbol);
      }
      first = false;
    }
    xml.append("</classifications-ipcr>\n<invention-title lang=\"EN\">");
    escape(xml, patent.title());
    xml.append("</invention-title>\n<parties>\n");
    if (budget > 1000) {
      xml.append("<applicants>\n");
      patent.applicants().forEach(name -> applicant(xml, name));
      xml.append("</applicants>\n");
    }
    xml.append("<inventors>\n");
    first = true;
    for (String name : patent.inventors()) {
      if (first || xml.length() + 150 < budget) {
        inventor(xml, name);
      }
      first = false;
    }
    xml.append("</inventors>\n</parties>\n");
    if (!patent.citations().isEmpty() && xml.length() + 250 < budget) {
      xml.append("<references-cited>\n");
      int number = 1;
      for (PatentRecord.Citation cited : patent.citations()) {
        if (xml.length() + 250 < budget) {
          citation(xml, cited, number++);
        }
      }
      xml.append("</references-cited>\n");
    }
    return xml.append("</bibliographic-data>\n").toString();
  }

  private static void classification(StringBuilder xml, String symbol) {
    int slash = symbol.indexOf('/');
    xml.append("<classification-ipcr>\n<section>").append(symbol.charAt(0));
    xml.append("</section><class>").append(symbol, 1, 3);
    xml.append("</class><subclass>").append(symbol.charAt(3));
    xml.append("</subclass><main-group>").append(symbol, 4, slash);
    xml.append("</main-group><subgroup>").append(symbol, slash + 1, symbol.length());
    xml.append("</subgroup>\n</classification-ipcr>\n");
  }

  private static void applicant(StringBuilder xml, String name) {
    xml.append("<applicant app-type=\"applicant\"><addressbook><orgname>");
    escape(xml, name);
    xml.append("</orgname></addressbook></applicant>\n");
  }

  private static void inventor(StringBuilder xml, String name) {
    int comma = name.indexOf(',');
    xml.append("<inventor><addressbook><last-name>");
    escape(xml, name.substring(0, comma));
    xml.append("</last-name><first-name>");
    escape(xml, name.substring(comma + 2));
    xml.append("</first-name></addressbook></inventor>\n");
  }

  private static void citation(StringBuilder xml, PatentRecord.Citation cited, int number) {
    xml.append("<citation><patcit num=\"").append(Digits.padded(number, 5));
    xml.append("\"><document-id>\n<country>").append(cited.authority());
    xml.append("</country>\n<doc-number>").append(cited.number());
    xml.append("</doc-number>\n<kind>").append(cited.kind());
    xml.append(
        "</kind>\n</document-id></patcit><category>cited by examiner</category></citation>\n");
  }

  private void abstractAndDrawings(
      Segments document, PatentDraft draft, int sizeBytes, StableRandom random) {
    document.add("<abstract lang=\"EN\">\n<p id=\"pa01\" num=\"0001\">");
    sentences(document, draft.abstractStart(), draft.abstractEnd(), sizeBytes / 6);
    document.add("</p>\n</abstract>\n");
    int figures =
        Math.min(random.nextBetween(2, 14), (sizeBytes - LEAST_BYTES) / 20 / FIGURE_BYTES);
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

  private void claims(Segments document, TextPool.Topic topic, int sizeBytes, StableRandom random) {
    document.add("<claims>\n");
    int count = 1 + random.nextPoisson(4) + random.nextPoisson(9);
    int budget = Math.max(1, sizeBytes / 7);
    int claimCount = topic.end() - topic.firstClaim();
    int claim = random.nextInt(claimCount);
    for (int number = 1; number <= count; number++, claim = (claim + 1) % claimCount) {
      String padded = Digits.padded(number, 5);
      String before =
          "<claim id=\"CLM-" + padded + "\" num=\"" + padded + "\">\n<claim-text>" + number + ". ";
      int sentence = topic.firstClaim() + claim;
      int length = number == 1 ? 160 : pool.lengthBytes(sentence, sentence + 1);
      if (number > 1 && document.sizeBytes() + before.length() + length > budget) {
        break;
      }
      document.add(before);
      if (number == 1) {
        document.add("A device comprising at least one " + topic.parts()[0]);
        document.add(" and the " + topic.parts()[1] + " that belongs to it." + CLAIM_END);
      } else {
        pool.append(document, sentence, sentence + 1);
        document.add(CLAIM_END_BYTES);
      }
    }
    document.add("</claims>\n</wo-patent-document>\n");
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
    while (true) {
      String padded = Digits.padded(number, 4);
      String before = "<p id=\"p-" + padded + "\" num=\"" + padded + "\">";
      long room = end - document.sizeBytes() - before.length() - PARAGRAPH_END.length();
      if (room < 0) {
        whitespace(document, (int) (end - document.sizeBytes()));
        break;
      }
      document.add(before);
      int target = (int) Math.min(room, random.nextBetween(300, 1700));
      sentence = sentences(document, sentence, pool.sentenceCount(), target);
      if (sentence == pool.sentenceCount()) {
        sentence = 0;
      }
      long left = end - document.sizeBytes() - PARAGRAPH_END.length();
      if (left < MARGIN_BYTES) {
        document.add(FILLER, 0, (int) left);
      }
      document.add(PARAGRAPH_END_BYTES);
      number++;
    }
    document.add(tail);
  }

  private static void whitespace(Segments document, int count) {
    if (count > 0) {
      document.add("\n".repeat(count));
    }
  }

  /**
   * Appends whole sentences up to {@code end} or at most {@code budget} bytes of them.
   *
   * @return the sentence that comes next
   */
  private int sentences(Segments document, int first, int end, int budget) {
    int sentence = first;
    while (sentence < end && pool.lengthBytes(first, sentence + 1) <= budget) {
      sentence++;
    }
    pool.append(document, first, sentence);
    return sentence;
  }

  private static int startIn(TextPool.Topic topic, StableRandom random) {
    return topic.firstSentence() + random.nextInt(topic.firstClaim() - topic.firstSentence());
  }

  /** Appends text, escaped, everything but ASCII as character references. */
  private static void escape(StringBuilder xml, String text) {
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
