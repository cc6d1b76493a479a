package org.fedometer.datasets.patents;

import java.util.ArrayList;
import java.util.List;

/** The opening text of a rendered PDF: the front page, then the description. */
final class FrontPage {

  /** Text is not compressed in the file; scanned sheets form the rest, as in real documents. */
  private static final int MAX_SHARE = 8;

  private static final int MAX_CHARACTERS = 24_000;
  private static final int ABSTRACT_FROM_BYTES = 6_000;

  private final TextPool pool;

  FrontPage(TextPool pool) {
    this.pool = pool;
  }

  /**
   * @param sizeBytes the size of the whole file, which determines the amount of prose
   */
  List<String> paragraphs(PatentDraft draft, int sizeBytes) {
    PatentRecord patent = draft.patent();
    List<String> paragraphs = new ArrayList<>();
    paragraphs.add("(10) " + patent.documentNumber());
    paragraphs.add("(54) " + patent.title());
    if (sizeBytes < ABSTRACT_FROM_BYTES) {
      return paragraphs;
    }
    paragraphs.add("(43) " + patent.isoPublicationDate());
    paragraphs.add("(71) " + String.join("; ", patent.applicants()));
    paragraphs.add("(72) " + String.join("; ", patent.inventors()));
    paragraphs.add("(51) " + String.join(", ", patent.classifications()));
    paragraphs.add("(57) " + patent.abstractText());
    int sentence = draft.abstractEnd();
    int characters = Math.min(MAX_CHARACTERS, sizeBytes / MAX_SHARE);
    while (characters > 0 && sentence < draft.topic().endSentence()) {
      String text = pool.plain(sentence, sentence + 1);
      paragraphs.add(text);
      characters -= text.length();
      sentence++;
    }
    return paragraphs;
  }
}
