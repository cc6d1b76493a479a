package org.fedometer.datasets.patents;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.fedometer.datasets.content.Segments;
import org.fedometer.datasets.random.StableRandom;

/**
 * Prose of patents, from a grammar, as the inside of XML paragraphs: what the long parts of
 * generated documents are slices of. Made once from the seed, then read by any thread.
 *
 * <p>The pool is a row of topics. Within a topic the same few dozen parts come up again and again,
 * as they do in a real description, which is what makes it as compressible as one: deflate looks
 * back 32 KB, so it does not see that two documents share a slice.
 */
final class TextPool {

  private static final int DESCRIPTION_BYTES = 40_000;
  private static final int CLAIMS_BYTES = 6_000;
  private static final int RANDOM_STREAM = 100;

  private final byte[] text;
  private final Topic[] topics;
  private final int[] sentences;
  private final String sha256;

  /**
   * One subject matter.
   *
   * @param parts names of the things it is about
   * @param firstSentence index of its first sentence of description
   * @param firstClaim index of its first claim, just past the description
   * @param end index just past its last claim
   */
  record Topic(String[] parts, int firstSentence, int firstClaim, int end) {}

  /**
   * Makes a pool; takes about 10 ms a megabyte.
   *
   * @param sizeBytes about how large
   */
  static TextPool make(long seed, int sizeBytes) {
    return new TextPool(seed, sizeBytes);
  }

  private TextPool(long seed, int sizeBytes) {
    int topicCount = Math.max(1, sizeBytes / (DESCRIPTION_BYTES + CLAIMS_BYTES));
    Writer writer = new Writer(sizeBytes + 8192);
    topics = new Topic[topicCount];
    for (int i = 0; i < topicCount; i++) {
      topics[i] = writeTopic(writer, StableRandom.of(seed, RANDOM_STREAM, i));
    }
    writer.markSentence();
    text = Arrays.copyOf(writer.bytes, writer.length);
    sentences = Arrays.copyOf(writer.sentences, writer.sentenceCount);
    sha256 = sha256(text);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static Topic writeTopic(Writer writer, StableRandom random) {
    String[] parts = new String[random.nextBetween(30, 48)];
    int[] numerals = new int[parts.length];
    int numeral = 10 * random.nextBetween(1, 20);
    for (int i = 0; i < parts.length; i++) {
      parts[i] = random.pick(Words.QUALIFIERS) + ' ' + random.pick(Words.THINGS);
      numerals[i] = numeral;
      numeral += random.nextBetween(1, 3) * 2;
    }
    Grammar grammar = new Grammar(writer, random, parts, numerals);
    int firstSentence = writer.sentenceCount;
    int end = writer.length + DESCRIPTION_BYTES;
    while (writer.length < end) {
      grammar.describe();
    }
    int firstClaim = writer.sentenceCount;
    end = writer.length + CLAIMS_BYTES;
    while (writer.length < end) {
      grammar.claim();
    }
    return new Topic(parts, firstSentence, firstClaim, writer.sentenceCount);
  }

  /** SHA-256 of the whole pool, in hexadecimal: equal pools make equal documents. */
  String sha256() {
    return sha256;
  }

  int sizeBytes() {
    return text.length;
  }

  Topic topic(StableRandom random) {
    return topics[random.nextInt(topics.length)];
  }

  /** How many sentences there are; a claim counts as one. */
  int sentenceCount() {
    return sentences.length - 1;
  }

  /** Length of a run of sentences, in bytes. */
  int lengthBytes(int firstSentence, int endSentence) {
    return sentences[endSentence] - sentences[firstSentence];
  }

  /** Appends a run of sentences without copying them. */
  void append(Segments target, int firstSentence, int endSentence) {
    target.add(text, sentences[firstSentence], lengthBytes(firstSentence, endSentence));
  }

  /** A run of sentences without mark-up, in plain characters. */
  String plain(int firstSentence, int endSentence) {
    int end = sentences[endSentence];
    StringBuilder plain = new StringBuilder(end - sentences[firstSentence]);
    boolean inTag = false;
    for (int i = sentences[firstSentence]; i < end; i++) {
      char c = (char) text[i];
      if (c == '<') {
        inTag = true;
      } else if (c == '>') {
        inTag = false;
      } else if (!inTag) {
        plain.append(c);
      }
    }
    return plain.toString().replace("&#xb0;", "\u00b0").replace("&#x3bc;", "\u03bc").strip();
  }

  /** Growing bytes with the offsets of sentences. */
  private static final class Writer {

    private byte[] bytes;
    private int length;
    private int[] sentences = new int[1024];
    private int sentenceCount;

    Writer(int capacity) {
      bytes = new byte[capacity];
    }

    void write(byte[] more) {
      if (length + more.length > bytes.length) {
        bytes = Arrays.copyOf(bytes, bytes.length * 2);
      }
      System.arraycopy(more, 0, bytes, length, more.length);
      length += more.length;
    }

    void write(String ascii) {
      write(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    /** Makes "a" into "an" where the word that follows needs it. */
    void turnArticle(byte next) {
      if ("aeiou".indexOf(next) >= 0
          && length > 3
          && bytes[length - 1] == ' '
          && bytes[length - 2] == 'a'
          && bytes[length - 3] == ' ') {
        bytes[length - 1] = 'n';
        write(" ");
      }
    }

    void markSentence() {
      if (sentenceCount == sentences.length) {
        sentences = Arrays.copyOf(sentences, sentenceCount * 2);
      }
      sentences[sentenceCount++] = length;
    }
  }

  /**
   * Sentences with slots: {@code @} a part with its numeral, {@code *} a part without, {@code =}
   * how parts join, {@code +} an act, {@code ~} a material, {@code ^} a merit, {@code #} a
   * quantity, {@code %} a figure, {@code !} a reference to a claim, {@code $} a substance.
   */
  private static final class Grammar {

    static final String[] DESCRIPTION = {
      "referring now to %, the @ is = the @",
      "as shown in %, the @ comprises a @ and a @ that is = the @",
      "the @ may be made of ~ or ~",
      "in the embodiment shown, the @ is arranged to + the @ while the @ is = the @",
      "it will be understood that the @ can be replaced by a * without departing from the scope of the invention",
      "when the @ is moved towards the @, the @ is brought into contact with the @",
      "preferably, the distance between the @ and the @ is between # and #",
      "the @ has a width of about #, more preferably about #, and is = the @",
      "according to another embodiment, illustrated in %, the @ is = a *, so that the ^ is improved",
      "this has the advantage that the ^ of the @ is increased compared with the prior art",
      "for example, the @ can be driven at #, whereas the @ is kept at #",
      "the @ and the @ are formed in one piece, for instance from ~",
      "in order to + the @, a @ is provided that is = the @",
      "if the @ exceeds a predetermined threshold, the @ is switched off and the @ is used to + the @",
      "a further @ is = the @ by means of the @",
      "the operation of the @ will now be described with reference to %",
      "first, the @ is supplied to the @, and then the @ is used to + the @",
      "thus, the @ need not be = the @, which reduces the ^",
      "in %, like reference numerals denote like parts, and a repeated description of the @ is omitted",
      "the @ is preferably coated with ~ having a thickness of # to #",
      "one end of the @ is = the @, and the other end of the @ is = the @",
      "however, the known * suffers from the drawback that the ^ of the * is limited",
      "there is therefore a need for a * that can + the * with little effect on the ^",
      "the signal of the @ is fed to the @, which compares it with the output of the @",
      "those skilled in the art will appreciate that the @ may also + the @",
      "experiments were carried out at # with a @ of ~; after #, the ^ had changed by less than #",
      "as a result, the @ is = the @ in a simple manner",
      "the invention is not limited to the embodiments described; in particular, the @ may be = the @",
      "alternatively, the @ is = the @ via the @, as indicated by a broken line in %",
      "the @ is inclined with respect to the @ by an angle of between 5&#xb0; and 45&#xb0;",
      "layers of ~ with a thickness of 0.5 &#x3bc;m to 20 &#x3bc;m are suitable for the @",
      "the @ may contain $, $ or a mixture of $ and $",
      "a solution of $ in $ was kept at # for #, after which the @ was rinsed with $",
      "suitable additives are $, $, $ and $",
      "the layer of $ was etched with $ until its thickness was #",
      "compared with $, the use of $ lowers the ^ by about #",
      "the @ is filled with ~ that contains # of $",
      "examples of such compounds are $, $ and $, of which $ is preferred",
      "the reaction of $ with $ yielded # of $ at #",
      "the @ has # turns of ~ wire with a diameter of #",
      "the controller sets the @ to #, the @ to # and the @ to #"
    };

    static final String[] CLAIM = {
      "The device according to !, wherein the * is = the *.",
      "The device according to !, further comprising a * = the *, wherein the * is configured to + the *.",
      "The device according to !, wherein the * comprises ~ or ~.",
      "The device according to !, wherein the * has a thickness of # to #.",
      "The device according to !, wherein the * is configured to + the * when the * is = the *.",
      "The device according to !, characterized in that the * is = the * and that the * is = the *."
    };

    private final Writer writer;
    private final StableRandom random;
    private final byte[][] parts;
    private final byte[][] numberedParts;
    private static final double PASSING_SHARE = 0.5;

    private final byte[][] figures = new byte[8][];

    Grammar(Writer writer, StableRandom random, String[] parts, int[] numerals) {
      this.writer = writer;
      this.random = random;
      this.parts = new byte[parts.length][];
      this.numberedParts = new byte[parts.length][];
      for (int i = 0; i < parts.length; i++) {
        this.parts[i] = ascii(parts[i]);
        this.numberedParts[i] = ascii(parts[i] + " <b>" + numerals[i] + "</b>");
      }
      for (int i = 0; i < figures.length; i++) {
        figures[i] = ascii("<figref idref=\"DRAWINGS\">FIG. <b>" + (i + 1) + "</b></figref>");
      }
    }

    private static byte[] ascii(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A sentence that begins and ends in one of many ways. */
    void describe() {
      writer.markSentence();
      String template = random.pick(DESCRIPTION);
      if (random.nextChance(0.5)) {
        writer.write(random.pick(Words.OPENINGS));
      } else {
        template = Character.toUpperCase(template.charAt(0)) + template.substring(1);
      }
      write(template);
      if (random.nextChance(0.5)) {
        writer.write(", ");
        writer.write(random.pick(Words.CLOSINGS));
      }
      writer.write(". ");
    }

    void claim() {
      writer.markSentence();
      write(random.pick(CLAIM));
    }

    private void write(String template) {
      for (int i = 0; i < template.length(); i++) {
        char c = template.charAt(i);
        switch (c) {
          case '@' -> part(numberedParts);
          case '*' -> part(parts);
          case '=' -> writer.write(random.pick(Words.JOINED));
          case '+' -> writer.write(random.pick(Words.ACTS));
          case '~' -> writer.write(random.pick(Words.MATERIALS));
          case '^' -> writer.write(random.pick(Words.MERITS));
          case '%' -> writer.write(random.pick(figures));
          case '#' -> writer.write(quantity());
          case '$' -> {
            writer.write(random.pick(Words.SUBSTANCE_HEADS));
            writer.write(random.pick(Words.SUBSTANCE_MIDDLES));
            writer.write(random.pick(Words.SUBSTANCE_ENDS));
          }
          case '!' -> writer.write("<claim-ref idref=\"CLM-00001\">claim 1</claim-ref>");
          case '&' -> {
            int end = template.indexOf(';', i) + 1;
            writer.write(template.substring(i, end));
            i = end - 1;
          }
          default -> {
            int end = i + 1;
            while (end < template.length() && "@*=+~^%#!$&".indexOf(template.charAt(end)) < 0) {
              end++;
            }
            writer.write(template.substring(i, end));
            i = end - 1;
          }
        }
      }
    }

    /** One of the topic's parts, or now and then one that does not come up again. */
    private void part(byte[][] known) {
      byte[] name =
          random.nextChance(PASSING_SHARE)
              ? ascii(random.pick(Words.QUALIFIERS) + ' ' + random.pick(Words.THINGS))
              : random.pick(known);
      writer.turnArticle(name[0]);
      writer.write(name);
    }

    private String quantity() {
      String unit = random.pick(Words.UNITS);
      return switch (random.nextInt(3)) {
        case 0 -> random.nextBetween(2, 90) + " " + unit;
        case 1 -> "0." + random.nextBetween(1, 95) + ' ' + unit;
        default -> random.nextBetween(1, 60) * 10 + " " + unit;
      };
    }
  }
}
