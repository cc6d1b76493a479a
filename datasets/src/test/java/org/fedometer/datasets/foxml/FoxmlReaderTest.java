package org.fedometer.datasets.foxml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose fault it is that a file could not be read: its own, the disk's, or ours. */
class FoxmlReaderTest {

  private static final byte[] FOXML =
      FoxmlText.object(
              "a:1",
              FoxmlText.managed("A", "words ".repeat(4_000)),
              FoxmlText.inline("B", "<b>" + "words ".repeat(4_000) + "</b>"),
              FoxmlText.inline(
                  "DC",
                  FoxmlText.dublinCore("<dc:title>" + "words ".repeat(4_000) + "</dc:title>")))
          .getBytes(StandardCharsets.UTF_8);

  @ParameterizedTest
  @EnumSource(FoxmlReader.Mode.class)
  void aDiskThatFailsIsNotAFileThatIsBroken(FoxmlReader.Mode mode) {
    IOException broken = new IOException("Input/output error");
    for (int readable = 0; readable < FOXML.length; readable += 997) {
      InputStream in =
          endingWith(
              readable,
              () -> {
                throw broken;
              });

      assertThat(catchThrowable(() -> FoxmlReader.read(in, mode)))
          .as("%d bytes can be read", readable)
          .isSameAs(broken);
    }
  }

  @ParameterizedTest
  @EnumSource(FoxmlReader.Mode.class)
  void aFaultOfOursIsNotAFileThatIsBroken(FoxmlReader.Mode mode) {
    IllegalStateException fault = new IllegalStateException("a fault of ours");
    for (int readable = 0; readable < FOXML.length; readable += 997) {
      InputStream in =
          endingWith(
              readable,
              () -> {
                throw fault;
              });

      assertThat(catchThrowable(() -> FoxmlReader.read(in, mode)))
          .as("%d bytes can be read", readable)
          .isSameAs(fault);
    }
  }

  @Test
  void aFileThatEndsAnywhereIsBroken() {
    for (int readable = 1; readable < FOXML.length - 20; readable += 997) {
      InputStream in = endingWith(readable, () -> -1);

      assertThatThrownBy(() -> FoxmlReader.read(in, FoxmlReader.Mode.AS_IT_IS))
          .as("%d bytes can be read", readable)
          .isInstanceOf(UnusableFoxmlException.class)
          .hasMessageStartingWith("is not well-formed XML: ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version=\"1.0\" encoding=\"no-such\"?><a/>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>\u00e4</a>",
        "<?xml version=\"1.0\" encoding=\"US-ASCII\"?><a>\u00e4</a>",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>",
        "\u00ff\u00fe<\u0000a"
      })
  void anEncodingThatIsNoneOrAnotherIsAFileThatIsBroken(String document) {
    byte[] bytes = document.getBytes(StandardCharsets.ISO_8859_1);
    for (FoxmlReader.Mode mode : FoxmlReader.Mode.values()) {
      assertThatThrownBy(() -> FoxmlReader.read(new ByteArrayInputStream(bytes), mode))
          .as("%s", mode)
          .isInstanceOf(UnusableFoxmlException.class)
          .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
    }
  }

  /** Returns so many bytes of the file, and then the result of the callable. */
  private static InputStream endingWith(int readable, Callable<Integer> end) {
    InputStream last =
        new InputStream() {
          @Override
          public int read() throws IOException {
            try {
              return end.call();
            } catch (IOException | RuntimeException e) {
              throw e;
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }

          @Override
          public int read(byte[] out, int from, int length) throws IOException {
            return read();
          }
        };
    return new SequenceInputStream(new ByteArrayInputStream(FOXML, 0, readable), last);
  }
}
