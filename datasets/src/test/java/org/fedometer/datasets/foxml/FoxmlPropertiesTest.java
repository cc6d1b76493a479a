package org.fedometer.datasets.foxml;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Properties for content and text of any kind. */
class FoxmlPropertiesTest {

  @Property(tries = 300)
  void base64DecodesToWhatItWasMadeOfHoweverItIsBrokenIntoLinesAndPieces(
      @ForAll byte[] content, @ForAll @IntRange(min = 1, max = 100) int piece, @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (char c : Base64.getEncoder().encodeToString(content).toCharArray()) {
      text.append(" \t\r\n".repeat(random.nextInt(2)));
      text.append(c);
    }
    char[] characters = text.toString().toCharArray();
    Base64Text base64 = new Base64Text();
    ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    for (int from = 0; from < characters.length; from += piece) {
      int length = Math.min(piece, characters.length - from);
      byte[] out = new byte[Base64Text.maxBytes(length)];
      decoded.write(out, 0, base64.decode(characters, from, length, out));
    }
    base64.end();

    assertThat(decoded.toByteArray()).isEqualTo(content);
  }

  @Property(tries = 200)
  void aNewPidIsFoundAmongCharactersOfAnyLength(
      @ForAll("texts") String before,
      @ForAll("texts") String inside,
      @ForAll @Size(min = 1, max = 3) List<@IntRange(min = 1, max = 500) Integer> reads,
      @ForAll boolean byteOrderMark)
      throws Exception {
    String form =
        (byteOrderMark ? "\uFEFF" : "")
            + FoxmlText.object(
                "%1$s",
                FoxmlText.inline("A", "<a>" + before + "</a>"),
                FoxmlText.inline(
                    "DC",
                    FoxmlText.dublinCore(
                        "<dc:title>" + inside + "</dc:title><dc:identifier>%1$s</dc:identifier>")),
                FoxmlText.inline(
                    "RELS-EXT",
                    FoxmlText.relationships(FoxmlText.about("%1$s", "<r:p>" + inside + "</r:p>"))));
    Path file = Files.createTempFile("foxml", ".xml");
    try {
      Files.writeString(file, form.replace("%1$s", "old:1"));
      FoxmlDocument document;
      try (InputStream in = Files.newInputStream(file)) {
        document = FoxmlReader.read(in, FoxmlReader.Mode.NEW_PID);
      }
      PidPlaces places = PidPlaces.of(file, Files.size(file), document.pidOccurrences());
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      try (InputStream in = places.open("another:12345")) {
        byte[] buffer = new byte[500];
        for (int i = 0, n = 0; n >= 0; i++) {
          read.write(buffer, 0, n);
          n = in.read(buffer, 0, reads.get(i % reads.size()));
        }
      }

      assertThat(read.toString(StandardCharsets.UTF_8))
          .isEqualTo(form.replace("%1$s", "another:12345"));
      assertThat(places.sizeBytes("another:12345")).isEqualTo(read.size());
    } finally {
      Files.delete(file);
    }
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(
            "a", "\n", "\r\n", "é", "€", "\uD83D\uDE00", "&amp;", "<!-- é -->", "&#233;")
        .list()
        .ofMaxSize(3000)
        .map(parts -> String.join("", parts));
  }
}
