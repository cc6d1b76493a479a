package org.fedometer.datasets.patents;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.content.Segments;
import org.fedometer.datasets.random.StableRandom;

/**
 * Prose of patents, from a grammar, as content of XML paragraphs; the long parts of generated
 * documents are slices of it. Created once from the seed, then read by any thread.
 *
 * <p>The pool is a sequence of topics: first all descriptions, then the content of their claims and
 * tables. Within a topic the same parts recur, as in a real description, which makes it equally
 * compressible. Deflate looks back 32 KB, so it does not detect that two documents share a slice. A
 * long description continues with the next topic.
 */
final class TextPool {

  private static final int DESCRIPTION_BYTES = 40_000;
  private static final int CLAIMS_BYTES = 6_000;
  private static final int TABLES_BYTES = 12_000;
  private static final int RANDOM_STREAM = 100;

  private final byte[] text;
  private final Topic[] topics;
  private final int[] sentences;
  private final int descriptionEnd;
  private final String sha256;

  /**
   * @param parts names of some of its things
   * @param firstSentence the index of its first sentence of description
   * @param endSentence the index just past the description
   * @param firstElement the index of its first element of independent claims
   * @param firstFeature the index of its first feature of dependent claims, just past the elements
   * @param firstTable the index of its first table, just past the features
   * @param endTable the index just past the tables
   */
  record Topic(
      List<String> parts,
      int firstSentence,
      int endSentence,
      int firstElement,
      int firstFeature,
      int firstTable,
      int endTable) {}

  /** Creates a pool of about {@code sizeBytes}, in about 10 ms a megabyte. */
  static TextPool make(long seed, int sizeBytes) {
    return new TextPool(seed, sizeBytes);
  }

  private TextPool(long seed, int sizeBytes) {
    int topicCount = Math.max(1, sizeBytes / (DESCRIPTION_BYTES + CLAIMS_BYTES + TABLES_BYTES));
    Writer writer = new Writer(sizeBytes + 8192);
    PatentGrammar[] grammars = new PatentGrammar[topicCount];
    int[] firstSentences = new int[topicCount + 1];
    for (int i = 0; i < topicCount; i++) {
      grammars[i] = new PatentGrammar(StableRandom.of(seed, RANDOM_STREAM, i));
      firstSentences[i] = writer.sentenceCount;
      int end = writer.length + DESCRIPTION_BYTES;
      while (writer.length < end) {
        writer.write(grammars[i].describe());
      }
    }
    firstSentences[topicCount] = writer.sentenceCount;
    topics = new Topic[topicCount];
    for (int i = 0; i < topicCount; i++) {
      int firstElement = writer.sentenceCount;
      int end = writer.length + CLAIMS_BYTES / 2;
      while (writer.length < end) {
        writer.write(grammars[i].claimElement());
      }
      int firstFeature = writer.sentenceCount;
      end = writer.length + CLAIMS_BYTES / 2;
      while (writer.length < end) {
        writer.write(grammars[i].claimFeature());
      }
      int firstTable = writer.sentenceCount;
      end = writer.length + TABLES_BYTES;
      while (writer.length < end) {
        writer.write(grammars[i].table());
      }
      topics[i] =
          new Topic(
              grammars[i].firstNames(),
              firstSentences[i],
              firstSentences[i + 1],
              firstElement,
              firstFeature,
              firstTable,
              writer.sentenceCount);
    }
    descriptionEnd = firstSentences[topicCount];
    text = Arrays.copyOf(writer.bytes, writer.length);
    sentences = Arrays.copyOf(writer.sentences, writer.sentenceCount + 1);
    sentences[writer.sentenceCount] = writer.length;
    sha256 = HexFormat.of().formatHex(ChecksumAlgorithm.SHA_256.newDigest().digest(text));
  }

  /** Returns the SHA-256 of the whole pool, in hexadecimal: equal pools make equal documents. */
  String sha256() {
    return sha256;
  }

  Topic topic(StableRandom random) {
    return topics[random.nextInt(topics.length)];
  }

  /** Returns the index just past the last sentence of any description. */
  int descriptionEnd() {
    return descriptionEnd;
  }

  int lengthBytes(int firstSentence, int endSentence) {
    return sentences[endSentence] - sentences[firstSentence];
  }

  /** Returns the number of words in a sentence, without mark-up. */
  int words(int sentence) {
    int count = 0;
    boolean inTag = false;
    boolean inWord = false;
    for (int i = sentences[sentence]; i < sentences[sentence + 1]; i++) {
      byte c = text[i];
      if (c == '<') {
        inTag = true;
      } else if (c == '>') {
        inTag = false;
      } else if (!inTag) {
        if (c != ' ' && !inWord) {
          count++;
        }
        inWord = c != ' ';
      }
    }
    return count;
  }

  /** Appends a run of sentences without copying them. */
  void append(Segments target, int firstSentence, int endSentence) {
    target.add(text, sentences[firstSentence], lengthBytes(firstSentence, endSentence));
  }

  /** Returns a run of sentences without mark-up, in plain characters. */
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

  private static final class Writer {

    private byte[] bytes;
    private int length;
    private int[] sentences = new int[1024];
    private int sentenceCount;

    Writer(int capacity) {
      bytes = new byte[capacity];
    }

    void write(String ascii) {
      if (sentenceCount == sentences.length) {
        sentences = Arrays.copyOf(sentences, sentenceCount * 2);
      }
      sentences[sentenceCount++] = length;
      byte[] more = ascii.getBytes(StandardCharsets.US_ASCII);
      if (length + more.length > bytes.length) {
        bytes = Arrays.copyOf(bytes, bytes.length + bytes.length / 8 + more.length);
      }
      System.arraycopy(more, 0, bytes, length, more.length);
      length += more.length;
    }
  }
}
