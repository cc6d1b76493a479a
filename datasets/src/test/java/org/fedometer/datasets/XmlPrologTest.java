package org.fedometer.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlPrologTest {

  private record Content(String mediaType, byte[] bytes) implements ContentStream {

    @Override
    public String id() {
      return "XML";
    }

    @Override
    public String label() {
      return "";
    }

    @Override
    public long sizeBytes() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<?xml version=\"1.0\"?>",
        "<?xml\tversion=\"1.0\"?><?xml-stylesheet href='x'?>",
        "<?xml-stylesheet href='x'?>",
        "<?xml version='1.0' encoding='utf-8' standalone='yes'?>\r\n",
        "\ufeff<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        "<!-- <a> -- é --><?p <b> ?>\n<?xml-stylesheet href='x'?>\t"
      })
  void whatStandsBeforeTheRootIsLeftOut(String prolog) throws IOException {
    assertThat(XmlProlog.lengthBytes(xml(prolog + "<root><a/></root>")))
        .hasValue(prolog.getBytes(StandardCharsets.UTF_8).length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE a [<!ENTITY e \"x\">]><a>&e;</a>",
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>",
        "<?xml version=\"1.1\"?><a/>",
        "<?xml version=\"1.0\"",
        "<!-- never ends <a/>",
        "text",
        ""
      })
  void whatCannotStandWithinAnotherDocumentIsNotInlined(String document) throws IOException {
    assertThat(XmlProlog.lengthBytes(xml(document))).isEmpty();
    assertThat(
            XmlProlog.lengthBytes(
                new Content("text/xml", "<a/>".getBytes(StandardCharsets.UTF_16))))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"text/xml", "application/xml", "image/svg+xml", "TEXT/XML; charset=utf-8"})
  void mediaTypesOfXmlAreKnown(String type) throws IOException {
    assertThat(XmlProlog.lengthBytes(new Content(type, "<a/>".getBytes(StandardCharsets.UTF_8))))
        .hasValue(0);
  }

  @Test
  void otherContentIsNotEvenOpened() throws IOException {
    assertThat(XmlProlog.lengthBytes(new Content("text/plain", null))).isEmpty();
  }

  private static Content xml(String document) {
    return new Content("text/xml", document.getBytes(StandardCharsets.UTF_8));
  }
}
