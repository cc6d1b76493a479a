package org.fedometer.collector.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.fedometer.collector.logs.LogFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FirstBytesTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '~',
      value = {
        "{\"a\":1}~JSON",
        "\\n {~JSON",
        "\uFEFF{~JSON",
        "\uFEFF <Event>~XML",
        "\uFEFFplain text~LINES",
        "[{~JSON_ARRAY",
        "[ \\r\\n~JSON_ARRAY",
        ", {~JSON_ARRAY",
        ",\\r\\n{~JSON_ARRAY",
        ", and so on~LINES",
        "[main] INFO up~LINES",
        "[]12345678~LINES",
        "<?xml version=\"1.0\"?>~XML",
        "<Event xmlns=\"x\">~XML",
        "<Events>~XML",
        "<Event>~XML",
        "<!DOCTYPE x>~XML",
        "<Eventually> it rains~LINES",
        "<p>hello</p>~LINES",
        "<134>1 2026~SYSLOG_LINES",
        "<1345>1 2026~LINES",
        "<13 x> and so on~LINES",
        "57 <134>1 2026~SYSLOG_COUNTED",
        "57 <b>bytes</b>~LINES",
        "2026-11-20 10:12:03~LINES",
        "10:12:03.123 [main] INFO~LINES",
        "12345678 <1~LINES",
        "xylophone~LINES",
        "GET lost, they said\\n~LINES",
        "PUTTING things right~LINES",
        "up\\n~LINES",
        "\u00e4rgerlich~LINES",
        "\u001b[31mWARN\u001b[0m~LINES"
      })
  void detectsLogEvents(String begin, LogFormat format) {
    String text = begin.replace("\\n", "\n").replace("\\r", "\r");
    assertThat(verdictOf(text)).isEqualTo(new FirstBytes.Logs(format));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "1F8B0800~compressionType=\"OFF\"",
        "789CAB56~compressionType=\"OFF\"",
        "7801AB56~includeNullDelimiter=\"true\"",
        "785EAB56~compressionType=\"OFF\"",
        "78DAAB56~compressionType=\"OFF\"",
        "1E0F0001~GELF in chunks",
        "ACED0005~JsonTemplateLayout",
        "FFFE7B00~UTF-16",
        "FEFF007B~UTF-16",
        "0102~neither",
        "1E1E~neither",
        "1F1F~neither",
        "AC00~neither",
        "414201~neither",
        "000000547D7100285804~pickles",
        "0000005480027D7100~pickles",
        "0000005480049549~pickles",
        "474554202F20485454502F312E310D0A~HTTP",
        "505249202A20485454502F322E300D0A0D0A~HTTP"
      })
  void refusesUnsupportedProtocolsWithAReason(String hex, String reason) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThat(FirstBytes.detect(bytes, bytes.length))
        .isInstanceOfSatisfying(
            FirstBytes.Refused.class, refused -> assertThat(refused.reason()).contains(reason));
  }

  @ParameterizedTest
  @ValueSource(bytes = {0, 0x16})
  void framesAndTlsAreLeftToThoseWhoReadFrames(byte first) {
    assertThat(FirstBytes.detect(new byte[] {first, 0, 0, 9, 1}, 5))
        .isEqualTo(new FirstBytes.Wire());
  }

  @Test
  void decidesWithinTheLimit() {
    for (String begin : new String[] {" ", "[", "GET "}) {
      byte[] bytes = new byte[FirstBytes.MAX_BYTES];
      Arrays.fill(bytes, (byte) (begin.startsWith("G") ? 'x' : ' '));
      byte[] first = begin.getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(first, 0, bytes, 0, first.length);
      assertThat(FirstBytes.detect(bytes, bytes.length))
          .isEqualTo(new FirstBytes.Logs(LogFormat.LINES));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<", "<1", "<!", "<?xm", "<Event", "57", "57 <", "G", "GE", "GET ", "x", "[", ",", "{"
      })
  void leadingWhiteSpaceUpToTheLimitDoesNotChangeTheVerdict(String begin) {
    byte[] word = begin.getBytes(StandardCharsets.US_ASCII);
    byte[] bytes = new byte[FirstBytes.MAX_BYTES + 100];
    Arrays.fill(bytes, (byte) ' ');
    System.arraycopy(word, 0, bytes, FirstBytes.MAX_BYTES - word.length, word.length);
    FirstBytes.Verdict told = FirstBytes.detect(bytes, FirstBytes.MAX_BYTES);
    assertThat(told).isInstanceOf(FirstBytes.Logs.class);
    assertThat(FirstBytes.detect(bytes, bytes.length)).isEqualTo(told);
  }

  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void furtherBytesDoNotChangeTheVerdict(@ForAll @Size(min = 1, max = 24) byte[] bytes) {
    FirstBytes.Verdict last = FirstBytes.detect(bytes, bytes.length);
    for (int length = 0; length < bytes.length; length++) {
      FirstBytes.Verdict told = FirstBytes.detect(bytes, length);
      if (!(told instanceof FirstBytes.Undecided)) {
        assertThat(told).isEqualTo(last);
      }
    }
  }

  private static FirstBytes.Verdict verdictOf(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    FirstBytes.Verdict last = FirstBytes.detect(bytes, bytes.length);
    for (int length = 0; length < bytes.length; length++) {
      assertThat(FirstBytes.detect(bytes, length))
          .as("%s of %s", length, text)
          .isIn(new FirstBytes.Undecided(), last);
    }
    return last;
  }
}
