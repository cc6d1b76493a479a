package org.fedometer.datasets.patents;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.fedometer.datasets.random.SkewedCounts;
import org.fedometer.datasets.random.StableRandom;

/** Generates bibliographic data of international (PCT) publications. Used by any thread. */
final class PatentGenerator {

  private static final int MIN_ABSTRACT_WORDS = 70;
  private static final int MAX_ABSTRACT_WORDS = 180;

  /** Length from which an abstract may end; below the limit, as a further sentence may not fit. */
  private static final int LAST_ABSTRACT_END_WORDS = 150;

  /** Limit for the first sentence of an abstract, so that it fits into any document. */
  static final int MAX_OPENING_BYTES = 260;

  /** Limit for an abstract, since no sentence has less than some eight words. */
  private static final int MAX_ABSTRACT_SENTENCES = 40;

  /** Numbers of documents that a search finds. */
  private static final SkewedCounts CITATIONS = new SkewedCounts(8, 15, 28, 150);

  /** Statements of an object besides its inventors, applicants, classes and citations. */
  private static final int FIXED_STATEMENTS = 8;

  private final TextPool pool;

  PatentGenerator(TextPool pool) {
    this.pool = pool;
  }

  /**
   * @param index the number that makes the publication number unique
   * @param statements the number of relationships that the record must support
   */
  PatentDraft generate(long index, TextPool.Topic topic, int statements, StableRandom random) {
    int year = random.nextBetween(1985, 2007);
    int dayOfYear = random.nextInt(12 * 28);
    List<String> inventors = inventors(random);
    List<String> applicants = applicants(random);
    List<String> classifications = classifications(random);
    int cited =
        statements
            - FIXED_STATEMENTS
            - inventors.size()
            - applicants.size()
            - classifications.size();
    int firstSentence =
        topic.firstSentence()
            + random.nextInt(topic.endSentence() - topic.firstSentence() - MAX_ABSTRACT_SENTENCES);
    while (pool.lengthBytes(firstSentence, firstSentence + 1) > MAX_OPENING_BYTES) {
      firstSentence++;
    }
    int endSentence = abstractEnd(firstSentence, random);
    PatentRecord patent =
        new PatentRecord(
            "WO",
            year + Digits.padded(index, 6),
            random.nextChance(0.8) ? "A1" : "A2",
            Digits.date(year, dayOfYear / 28 + 1, dayOfYear % 28 + 1),
            "PCT/"
                + random.pick(PatentWords.COUNTRIES)
                + (year - 1)
                + '/'
                + Digits.padded(random.nextInt(1_000_000), 6),
            Digits.date(year - 1, random.nextBetween(1, 12), random.nextBetween(1, 28)),
            "en",
            title(topic, random),
            pool.plain(firstSentence, endSentence),
            inventors,
            applicants,
            classifications,
            citations(Math.max(cited, CITATIONS.next(random)), random));
    return new PatentDraft(patent, topic, firstSentence, endSentence);
  }

  /** Returns the sentence after an abstract of 70 to 180 words. */
  private int abstractEnd(int firstSentence, StableRandom random) {
    int enough = random.nextBetween(MIN_ABSTRACT_WORDS, LAST_ABSTRACT_END_WORDS);
    int end = firstSentence;
    int words = 0;
    while (words < enough) {
      int more = pool.words(end);
      if (words + more > MAX_ABSTRACT_WORDS) {
        break;
      }
      words += more;
      end++;
    }
    return end;
  }

  private static String title(TextPool.Topic topic, StableRandom random) {
    StringBuilder title = new StringBuilder(100);
    title
        .append(random.pick(PatentWords.KINDS))
        .append(" for ")
        .append(random.pick(PatentWords.ACTING));
    appendPart(title.append(' '), random.pick(topic.parts()));
    if (random.nextChance(0.4)) {
      appendPart(title.append(" and "), random.pick(topic.parts()));
    }
    return title.toString();
  }

  private static void appendPart(StringBuilder title, String part) {
    title.append("aeiou".indexOf(part.charAt(0)) < 0 ? "a " : "an ").append(part);
  }

  /** Returns 2.5 inventors on average. */
  private static List<String> inventors(StableRandom random) {
    int count = Math.min(9, 1 + random.nextPoisson(1.5));
    Set<String> names = new LinkedHashSet<>();
    while (names.size() < count) {
      names.add(
          random.pick(PatentWords.FAMILY_NAMES) + ", " + random.pick(PatentWords.GIVEN_NAMES));
    }
    return List.copyOf(names);
  }

  private static List<String> applicants(StableRandom random) {
    int count = random.nextChance(0.1) ? 2 : 1;
    Set<String> names = new LinkedHashSet<>();
    while (names.size() < count) {
      names.add(
          random.pick(PatentWords.FIRM_STEMS)
              + ' '
              + random.pick(PatentWords.FIRM_TRADES)
              + ' '
              + random.pick(PatentWords.FIRM_FORMS));
    }
    return List.copyOf(names);
  }

  private static List<String> classifications(StableRandom random) {
    int count = 1 + Math.min(4, random.nextPoisson(0.8));
    Set<String> symbols = new LinkedHashSet<>();
    while (symbols.size() < count) {
      symbols.add(
          random.pick(PatentWords.IPC_GROUPS) + '/' + Digits.padded(2L * random.nextInt(40), 2));
    }
    return List.copyOf(symbols);
  }

  private static List<PatentRecord.Citation> citations(int count, StableRandom random) {
    List<PatentRecord.Citation> citations = new ArrayList<>();
    int number = random.nextBetween(4_000_000, 4_900_000);
    for (int i = 0; i < count; i++) {
      // Ascending, so that all are different.
      number += random.nextBetween(1, 60_000);
      citations.add(new PatentRecord.Citation("US", Integer.toString(number), "A"));
    }
    return citations;
  }
}
