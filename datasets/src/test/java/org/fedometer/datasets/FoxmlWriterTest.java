package org.fedometer.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotBlank;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class FoxmlWriterTest {

  private static final String FOXML = "info:fedora/fedora-system:def/foxml#";
  private static final String DC = "http://purl.org/dc/elements/1.1/";
  private static final String PATENT = "http://data.epo.org/linked-data/def/patent/";

  /** Bytes in memory; {@code sizeBytes} is what it claims. */
  private record Bytes(String id, byte[] bytes, long sizeBytes) implements ContentStream {

    Bytes(String id, byte[] bytes) {
      this(id, bytes, bytes.length);
    }

    @Override
    public String label() {
      return "<\"" + id + "\">";
    }

    @Override
    public String mediaType() {
      return "application/octet-stream";
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  private record Xml(String text) implements ContentStream {

    @Override
    public String id() {
      return "XML";
    }

    @Override
    public String label() {
      return "XML";
    }

    @Override
    public String mediaType() {
      return "application/foo+xml; charset=UTF-8";
    }

    @Override
    public long sizeBytes() {
      return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Property(tries = 100)
  void contentComesBackFromBase64AndTheSizeIsKnownBefore(
      @ForAll @IntRange(max = 100_000) int length, @ForAll long seed) throws Exception {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    ComposedObject object = object(List.of(new Bytes("FILE", content)), List.of(), List.of());

    byte[] foxml = write(object);

    assertThat(foxml).hasSize(Math.toIntExact(FoxmlWriter.sizeBytes(object)));
    Element binary = (Element) parse(foxml).getElementsByTagNameNS(FOXML, "binaryContent").item(0);
    assertThat(Base64.getDecoder().decode(binary.getTextContent().strip())).isEqualTo(content);
  }

  @Property(tries = 300)
  void anyTextIsEscapedOrLeftOut(
      @ForAll @StringLength(max = 255) String label,
      @ForAll String title,
      @ForAll @NotBlank String number)
      throws Exception {
    ComposedObject object =
        new ComposedObject(
            "fm:1",
            label,
            List.of(),
            List.of(new DublinCoreValue("title", title)),
            List.of(Relationship.toLiteral(PATENT + "publicationNumber", number)));

    Document foxml = parse(write(object));

    Element property = (Element) foxml.getElementsByTagNameNS(FOXML, "property").item(1);
    assertThat(property.getAttribute("VALUE")).isEqualTo(XmlText.legal(label));
    assertThat(foxml.getElementsByTagNameNS(DC, "title").item(0).getTextContent())
        .isEqualTo(XmlText.legal(title));
    assertThat(foxml.getElementsByTagNameNS(PATENT, "publicationNumber").item(0).getTextContent())
        .isEqualTo(XmlText.legal(number));
  }

  @Test
  void contentThatChangedItsLengthIsNamed() {
    ComposedObject object =
        object(List.of(new Bytes("PDF", new byte[10], 11)), List.of(), List.of());

    assertThatThrownBy(() -> write(object))
        .isInstanceOf(IOException.class)
        .hasMessage("PDF of fm:1 has 10 bytes instead of 11: did the file change during the run?");
  }

  /** Fedora 3.8.1 fails on an element without any text. */
  @Test
  void emptyContentIsNotAnEmptyElement() throws IOException {
    byte[] foxml = write(object(List.of(new Bytes("FILE", new byte[0])), List.of(), List.of()));

    assertThat(new String(foxml, StandardCharsets.UTF_8))
        .contains("<foxml:binaryContent>\n</foxml:binaryContent>");
  }

  @Test
  void relationshipsThatFedoraRefusesAreRefusedHere() {
    assertThatThrownBy(() -> Relationship.toLiteral(DC + "title", "x"))
        .hasMessageContaining("RELS-EXT may not use the predicate");
    assertThatThrownBy(
            () -> Relationship.toLiteral("info:fedora/fedora-system:def/view#mimeType", "x"))
        .hasMessageContaining("RELS-EXT may not use the predicate");
    assertThatThrownBy(
            () -> Relationship.toResource("info:fedora/fedora-system:def/model#state", "info:a/b"))
        .hasMessageContaining("RELS-EXT may not use the predicate");
    assertThatThrownBy(
            () -> Relationship.toLiteral("info:fedora/fedora-system:def/model#hasModel", "x"))
        .hasMessageContaining("needs a URI");
    assertThatThrownBy(() -> Relationship.toResource(PATENT + "x", "not absolute"))
        .hasMessageContaining("not a URI");
    assertThatThrownBy(() -> Relationship.toResource(PATENT + "x", "a/b"))
        .hasMessageContaining("absolute");
    assertThatThrownBy(() -> Relationship.toLiteral("http://example.org/2", "x"))
        .hasMessageContaining("ends in an XML name");
  }

  @Test
  void objectsThatFedoraRefusesAreRefusedHere() {
    assertThatThrownBy(() -> new ComposedObject("fm 1", "", List.of(), List.of(), List.of()))
        .hasMessageContaining("is not a valid PID");
    assertThatThrownBy(
            () -> new ComposedObject("fm:1", "x".repeat(256), List.of(), List.of(), List.of()))
        .hasMessageContaining("256 characters; Fedora allows 255");
    assertThatThrownBy(() -> object(List.of(new Bytes("DC", new byte[1])), List.of(), List.of()))
        .hasMessageContaining("has two datastreams DC");
    assertThatThrownBy(() -> new DublinCoreValue("titel", "x"))
        .hasMessageContaining("no element 'titel'");
  }

  /** Each number was counted in a real Fedora 3.8.1. */
  @Test
  void triplesAreCountedAsFedoraDoes() {
    assertThat(ExpectedTriples.of(object(List.of(), List.of(), List.of()))).isEqualTo(19);
    assertThat(
            ExpectedTriples.of(
                object(List.of(), List.of(new DublinCoreValue("identifier", " fm:1 ")), List.of())))
        .isEqualTo(19);
    assertThat(
            ExpectedTriples.of(
                object(
                    List.of(new Bytes("FULLTEXT", new byte[1])),
                    List.of(
                        new DublinCoreValue("title", " a "),
                        new DublinCoreValue("title", "a"),
                        new DublinCoreValue("title", "a\u0001"),
                        new DublinCoreValue("description", ""),
                        new DublinCoreValue("description", "l1\nl2\r\n\ud83d\ude00 <&> \ud800x")),
                    List.of(
                        Relationship.toLiteral(PATENT + "t1", " x "),
                        Relationship.toLiteral(PATENT + "t1", "x"),
                        Relationship.toLiteral(PATENT + "t1", "x\u0001"),
                        Relationship.toLiteral(PATENT + "t2", "l1\nl2\r\n\"q\" \\ \u00e9"),
                        Relationship.toResource(PATENT + "r", "http://x/y?a=1&b=2#c"),
                        Relationship.toResource(PATENT + "r", "http://x/y?a=1&b=2#c"),
                        Relationship.toResource(
                            "info:fedora/fedora-system:def/model#hasModel",
                            "info:fedora/fedora-system:FedoraObject-3.0"),
                        Relationship.toResource(
                            "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
                            PATENT + "Publication")))))
        .isEqualTo(32);
  }

  @Test
  void contentIsCarriedInlineByReferenceAndWithAChecksum() throws Exception {
    ContentStream xml =
        new Xml("<?xml version=\"1.0\"?><!-- c -->\n<t:a xmlns:t=\"urn:t\">é</t:a>\n");
    Bytes file = new Bytes("FILE", new byte[] {1});
    ComposedObject object = object(List.of(xml, file), List.of(), List.of());
    CarriedContent inline =
        new CarriedContent(
            xml,
            new CarriedContent.InlineXml(XmlProlog.lengthBytes(xml).orElseThrow()),
            Optional.of(new CarriedContent.Checksum(ChecksumAlgorithm.MD5, Optional.empty())));
    CarriedContent referenced =
        new CarriedContent(
                file,
                new CarriedContent.Enclosed(),
                Optional.of(
                    new CarriedContent.Checksum(
                        ChecksumAlgorithm.SHA_1,
                        Optional.of(ChecksumAlgorithm.SHA_1.digestOf(file)))))
            .at('E', "http://h/?a=1&b=\"2\"");
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    FoxmlWriter.write(object, List.of(inline, referenced), out);

    Document foxml = parse(out.toByteArray());
    Element first = (Element) foxml.getElementsByTagNameNS(FOXML, "datastream").item(0);
    assertThat(first.getAttribute("CONTROL_GROUP")).isEqualTo("X");
    assertThat(digest(first)).isEqualTo("MD5 none");
    assertThat(first.getElementsByTagNameNS("urn:t", "a").item(0).getTextContent()).isEqualTo("é");
    Element second = (Element) foxml.getElementsByTagNameNS(FOXML, "datastream").item(1);
    assertThat(second.getAttribute("CONTROL_GROUP")).isEqualTo("E");
    // printf '\\001' | sha1sum
    assertThat(digest(second)).isEqualTo("SHA-1 bf8b4530d8d246dd74ac53a13471bba17941dff7");
    Element location = (Element) second.getElementsByTagNameNS(FOXML, "contentLocation").item(0);
    assertThat(location.getAttribute("TYPE")).isEqualTo("URL");
    assertThat(location.getAttribute("REF")).isEqualTo("http://h/?a=1&b=\"2\"");
  }

  private static String digest(Element datastream) {
    Element digest = (Element) datastream.getElementsByTagNameNS(FOXML, "contentDigest").item(0);
    return digest.getAttribute("TYPE") + ' ' + digest.getAttribute("DIGEST");
  }

  private static ComposedObject object(
      List<ContentStream> content,
      List<DublinCoreValue> dublinCore,
      List<Relationship> relationships) {
    return new ComposedObject("fm:1", "label", content, dublinCore, relationships);
  }

  private static byte[] write(ComposedObject object) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FoxmlWriter.write(object, out);
    return out.toByteArray();
  }

  private static Document parse(byte[] xml) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(xml));
  }
}
