package org.fedometer.datasets.patents;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.fedometer.datasets.random.StableRandom;

/**
 * Writes the sentences of one topic in ASCII, as content of XML paragraphs, from the patterns of
 * {@link PatentPhrases}. Used by one thread.
 *
 * <p>In a pattern {@code (a|b|)} is one of several wordings, and these signs represent words:
 * {@code @} a part with its numeral, {@code *} a part without, {@code =} how parts join, {@code +}
 * an act, {@code >} acting, {@code _} an adverb, {@code ~} a material, {@code ^} a merit, {@code #}
 * a quantity, <code>`</code> a number, {@code %} a figure, {@code $} a substance, {@code ?} a
 * circumstance, {@code /} a purpose.
 */
final class PatentGrammar {

  /** Longest sentence, so that any document has space for one. */
  static final int MAX_BYTES = 400;

  private static final String SIGNS = "@*=+>_~^#`%$?/";
  private static final String[][] FIELDS = {
    PatentPhrases.MECHANICAL,
    PatentPhrases.ELECTRICAL,
    PatentPhrases.CHEMICAL,
    PatentPhrases.COMPUTING
  };

  /** Share of sentences that are specific to the field. */
  private static final double FIELD_SHARE = 0.45;

  private static final double OPENING_SHARE = 0.35;
  private static final double CLOSING_SHARE = 0.25;

  /**
   * Growth of the vocabulary of things and sentences. Chosen so that excerpts of 3 to 86 KB match
   * real descriptions in compression and number of different words.
   */
  private static final double NAMES_SCALE = 3;

  private static final double NAMES_EXPONENT = 0.7;
  private static final double FRAMES_SCALE = 1.35;
  private static final double FRAMES_EXPONENT = 0.73;
  private static final double SINGLE_WORD_SHARE = 0.2;
  private static final double FURTHER_QUALIFIER_SHARE = 0.2;
  private static final int FIRST_NAMES = 12;
  private static final int FIGURES = 8;
  private static final int MAX_REDRAWS = 4;

  private final StableRandom random;
  private final String[] fieldPhrases;
  private final Vocabulary<String> frames;
  private final Vocabulary<Part> parts;
  private final Vocabulary<String> substances;
  private final Set<String> names = new LinkedHashSet<>();
  private int numeral;
  private String unit = "";
  private Part previous;

  private record Part(String name, String numbered) {}

  PatentGrammar(StableRandom random) {
    this.random = random;
    this.fieldPhrases = random.pick(FIELDS);
    this.numeral = 10 * random.nextBetween(1, 20);
    this.parts = new Vocabulary<>(NAMES_SCALE, NAMES_EXPONENT, this::newPart);
    this.frames = new Vocabulary<>(FRAMES_SCALE, FRAMES_EXPONENT, this::newFrame);
    this.substances = new Vocabulary<>(NAMES_SCALE, NAMES_EXPONENT, this::newSubstance);
  }

  private Part newPart() {
    String name =
        random.nextChance(SINGLE_WORD_SHARE)
            ? random.pick(PatentWords.THINGS)
            : random.pick(PatentWords.QUALIFIERS) + ' ' + random.pick(PatentWords.THINGS);
    if (random.nextChance(FURTHER_QUALIFIER_SHARE)) {
      name = random.pick(PatentWords.QUALIFIERS) + ' ' + name;
    }
    names.add(name);
    numeral += random.nextBetween(1, 3) * 2;
    return new Part(name, name + " <b>" + numeral + "</b>");
  }

  /** Returns a sentence with fixed wording but open content. */
  private String newFrame() {
    StringBuilder frame = new StringBuilder();
    if (random.nextChance(OPENING_SHARE)) {
      frame.append(random.pick(PatentWords.OPENINGS));
    }
    settle(
        frame, random.pick(random.nextChance(FIELD_SHARE) ? fieldPhrases : PatentPhrases.GENERAL));
    if (random.nextChance(CLOSING_SHARE)) {
      frame.append(", ").append(random.pick(PatentWords.CLOSINGS));
    }
    return frame.toString();
  }

  private String newSubstance() {
    return random.pick(PatentWords.SUBSTANCE_HEADS)
        + random.pick(PatentWords.SUBSTANCE_MIDDLES)
        + random.pick(PatentWords.SUBSTANCE_ENDS);
  }

  /** Returns the first names of parts; a dozen once there is a description. */
  List<String> firstNames() {
    return new ArrayList<>(names).subList(0, Math.min(FIRST_NAMES, names.size()));
  }

  /** Returns a sentence of description, with the blank after it. */
  String describe() {
    while (true) {
      StringBuilder sentence = new StringBuilder(MAX_BYTES);
      unit = random.pick(PatentWords.UNITS);
      write(sentence, frames.next(random));
      sentence.append(". ");
      sentence.setCharAt(0, Character.toUpperCase(sentence.charAt(0)));
      if (sentence.length() <= MAX_BYTES) {
        return tidy(sentence);
      }
    }
  }

  /** Returns an item in the list of an independent claim. */
  String claimElement() {
    return clause(PatentPhrases.CLAIM_ELEMENTS);
  }

  /**
   * Returns the addition of a dependent claim, from "wherein" or the like to before the full stop.
   */
  String claimFeature() {
    return clause(PatentPhrases.CLAIM_FEATURES);
  }

  /** Returns a table of measurements in CALS mark-up, without the element around it. */
  String table() {
    int columns = random.nextBetween(2, 5);
    StringBuilder table = new StringBuilder(3_000);
    table.append(
        "<table frame=\"none\" colsep=\"0\" rowsep=\"0\">\n<tgroup align=\"left\" colsep=\"0\"");
    table.append(" rowsep=\"0\" cols=\"").append(columns + 1).append("\">\n");
    for (int i = 0; i <= columns; i++) {
      table.append("<colspec colname=\"").append(i).append("\" colwidth=\"");
      table.append(random.nextBetween(3, 14) * 7).append("pt\" align=\"");
      table.append(i == 0 ? "left" : "center").append("\"/>\n");
    }
    table.append("<thead>\n<row>\n<entry>").append(parts.next(random).name()).append("</entry>\n");
    int[] scales = new int[columns];
    int[] decimals = new int[columns];
    for (int i = 0; i < columns; i++) {
      scales[i] = random.nextBetween(5, 300);
      decimals[i] = random.nextInt(3);
      table.append("<entry>").append(random.pick(PatentWords.MERITS)).append(" (");
      table.append(random.pick(PatentWords.UNITS)).append(")</entry>\n");
    }
    table.append("</row>\n</thead>\n<tbody valign=\"top\">\n");
    int rows = random.nextBetween(3, 14);
    for (int row = 0; row < rows; row++) {
      table.append("<row>\n<entry>");
      write(table, random.pick(PatentPhrases.TABLE_ROWS));
      table.append("</entry>\n");
      for (int i = 0; i < columns; i++) {
        table.append("<entry>").append(scales[i] + random.nextInt(scales[i]));
        if (decimals[i] > 0) {
          table.append('.').append(Digits.padded(random.nextInt(decimals[i] * 9), decimals[i]));
        }
        table.append("</entry>\n");
      }
      table.append("</row>\n");
    }
    return table.append("</tbody>\n</tgroup>\n</table>\n").toString();
  }

  private String clause(String[] patterns) {
    StringBuilder clause = new StringBuilder(MAX_BYTES);
    unit = random.pick(PatentWords.UNITS);
    write(clause, random.pick(patterns));
    return tidy(clause);
  }

  /** Removes the extra blank that an empty wording leaves. */
  private static String tidy(StringBuilder text) {
    return text.toString().replace("  ", " ").replace(" ,", ",").replace(" . ", ". ");
  }

  private void write(StringBuilder target, String pattern) {
    StringBuilder frame = new StringBuilder();
    settle(frame, pattern);
    for (int i = 0; i < frame.length(); i++) {
      char c = frame.charAt(i);
      if (c == '&') {
        int end = frame.indexOf(";", i) + 1;
        target.append(frame, i, end);
        i = end - 1;
      } else if (SIGNS.indexOf(c) >= 0) {
        word(target, c);
      } else {
        target.append(c);
      }
    }
  }

  /** Chooses between the wordings of a pattern. */
  private void settle(StringBuilder target, String pattern) {
    int open = pattern.indexOf('(');
    if (open < 0) {
      target.append(pattern);
      return;
    }
    int end = closing(pattern, open);
    target.append(pattern, 0, open);
    settle(target, random.pick(wordings(pattern.substring(open + 1, end))));
    settle(target, pattern.substring(end + 1));
  }

  /** Returns the index of the bracket that closes the one at {@code open}. */
  private static int closing(String pattern, int open) {
    int depth = 0;
    for (int i = open; ; i++) {
      char c = pattern.charAt(i);
      if (c == '(') {
        depth++;
      } else if (c == ')' && --depth == 0) {
        return i;
      }
    }
  }

  private static List<String> wordings(String choices) {
    List<String> wordings = new ArrayList<>();
    int start = 0;
    int depth = 0;
    for (int i = 0; i < choices.length(); i++) {
      char c = choices.charAt(i);
      if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth--;
      } else if (c == '|' && depth == 0) {
        wordings.add(choices.substring(start, i));
        start = i + 1;
      }
    }
    wordings.add(choices.substring(start));
    return wordings;
  }

  private void word(StringBuilder target, char sign) {
    switch (sign) {
      case '@' -> appendName(target, nextPart().numbered());
      case '*' -> appendName(target, nextPart().name());
      case '=' -> target.append(random.pick(PatentWords.JOINED));
      case '+' -> target.append(random.pick(PatentWords.ACTS));
      case '>' -> target.append(random.pick(PatentWords.ACTING));
      case '_' -> target.append(random.pick(PatentWords.ADVERBS));
      case '~' -> target.append(random.pick(PatentWords.MATERIALS));
      case '^' -> target.append(random.pick(PatentWords.MERITS));
      case '#' -> quantity(target);
      case '`' -> target.append(random.nextBetween(2, 64));
      case '%' ->
          target
              .append("<figref idref=\"DRAWINGS\">FIG. <b>")
              .append(random.nextBetween(1, FIGURES))
              .append("</b></figref>");
      case '$' -> target.append(substances.next(random));
      case '?' -> write(target, random.pick(PatentPhrases.CIRCUMSTANCES));
      case '/' -> write(target, random.pick(PatentPhrases.PURPOSES));
      default -> throw new IllegalStateException("no word for " + sign);
    }
  }

  /**
   * Returns a part that differs from the previous one: nothing is between a lid and the same lid.
   */
  private Part nextPart() {
    Part part = parts.next(random);
    for (int i = 0; i < MAX_REDRAWS && part == previous; i++) {
      part = parts.next(random);
    }
    previous = part;
    return part;
  }

  /** Appends a name; a preceding "a" becomes "an" if necessary. */
  private static void appendName(StringBuilder target, String name) {
    int length = target.length();
    if ("aeiou".indexOf(name.charAt(0)) >= 0
        && length >= 2
        && target.charAt(length - 1) == ' '
        && target.charAt(length - 2) == 'a'
        && (length == 2 || target.charAt(length - 3) == ' ')) {
      target.insert(length - 1, 'n');
    }
    target.append(name);
  }

  /** Appends a quantity; all those of a sentence have one unit, so that ranges are meaningful. */
  private void quantity(StringBuilder target) {
    switch (random.nextInt(5)) {
      case 0 -> target.append(random.nextBetween(2, 90));
      case 1 -> target.append("0.").append(random.nextBetween(1, 95));
      case 2 -> target.append(random.nextBetween(1, 60) * 10);
      case 3 -> target.append(random.nextBetween(1, 40)).append('.').append(random.nextInt(10));
      default -> target.append(random.nextBetween(1, 40) * 25);
    }
    target.append(' ').append(unit);
  }
}
