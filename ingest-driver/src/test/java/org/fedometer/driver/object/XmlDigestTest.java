package org.fedometer.driver.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlDigestTest {

  private static final String ONE = "<a xmlns=\"urn:x\" b=\"1 2\" c=\"3\"><d>x y</d><e/></a>";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version=\"1.0\"?>\n<!-- c --><a c='3' b='1 2' xmlns='urn:x'><d>x y</d><e></e></a>\n",
        "<p:a xmlns:p=\"urn:x\" b=\"1\n2\" c=\"3\">\n  <p:d> x\n y </p:d>\n  <p:e/>\n</p:a>",
        "<a xmlns=\"urn:x\" b=\"1 2\" c=\"3\"><d>x<!-- c --> <?p i?>y</d><e/></a>",
        "<a xmlns=\"urn:x\" b=\"1 2\" c=\"3\"><d><![CDATA[x y]]></d><e/></a>",
        "<a xmlns=\"urn:x\" b=\"1 2\" c=\"3\"><d>&#120;&#13;&#10;y</d><e/></a>"
      })
  void ignoresDifferencesOfForm(String other) throws IOException {
    assertThat(sum(other)).isEqualTo(sum(ONE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<a b=\"1 2\" c=\"3\"><d>x y</d><e/></a>",
        "<a xmlns=\"urn:x\" b=\"12\" c=\"3\"><d>x y</d><e/></a>",
        "<a xmlns=\"urn:x\" b=\"1 2\"><d>x y</d><e/></a>",
        "<a xmlns=\"urn:x\" b=\"3\" c=\"1 2\"><d>x y</d><e/></a>",
        "<a xmlns=\"urn:x\" b=\"1 2\" c=\"3\"><d>xy</d><e/></a>",
        "<a xmlns=\"urn:x\" b=\"1 2\" c=\"3\"><d>x\u00a0y</d><e/></a>",
        "<a xmlns=\"urn:x\" b=\"1 2\" c=\"3\"><d>x y<e/></d></a>",
        "<a xmlns=\"urn:x\" b=\"1 2\" c=\"3\"><e/><d>x y</d></a>",
        "<a xmlns=\"urn:x\" b=\"1 2\" c=\"3\"><d>x y</d></a>"
      })
  void detectsDifferencesOfContent(String other) throws IOException {
    assertThat(sum(other)).isNotEqualTo(sum(ONE));
  }

  @Test
  void whatIsNotWellFormedIsRefused() {
    assertThatThrownBy(() -> sum("<a><b></a>"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("It is not well-formed XML: ");
  }

  @Test
  void whatBreaksOffIsNotCalledIllFormed() {
    InputStream gone =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the connection is gone");
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            return read();
          }
        };
    InputStream begun = new ByteArrayInputStream("<a><b>".getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> XmlDigest.sha256(new SequenceInputStream(begun, gone)))
        .isInstanceOf(IOException.class)
        .hasMessage("the connection is gone");
  }

  private static String sum(String xml) throws IOException {
    return XmlDigest.sha256(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }
}
