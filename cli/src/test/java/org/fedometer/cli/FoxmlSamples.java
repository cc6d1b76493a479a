package org.fedometer.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * FOXML of each kind that an archive's export may have, for {@link DatasetsIT} and {@link
 * RepairIT}.
 */
final class FoxmlSamples {

  private static final String RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
  private static final String XSD = "http://www.w3.org/2001/XMLSchema#";
  private static final String MODELS = "info:fedora/fedora-system:";

  private FoxmlSamples() {}

  /**
   * Writes them all.
   *
   * @param served URL that Fedora can fetch
   * @return how many
   */
  static int write(Path folder, String served) throws IOException {
    Files.createDirectories(folder.resolve("deeper"));
    String[][] samples = {
      {"bare", property("state", "")},
      {"labelled", property("state", "Inactive") + property("label", " Übung & \"mehr\" ")},
      {"deleted", deleted()},
      {"versions", versions()},
      {"languages", languages()},
      {"internal", internal()},
      {"typed", typed()},
      {"sdef", serviceDefinition()},
      {"cmodel", contentModel()},
      {"groups", groups(served)},
      {"managed", managedMetadata()},
      {"managed-dc", managedDublinCore()},
      {"exported", exported()},
      {"outside", outside()},
    };
    for (String[] sample : samples) {
      Files.writeString(
          folder.resolve("deeper").resolve(sample[0] + ".xml"), object(sample[0], sample[1]));
    }
    return samples.length;
  }

  private static String object(String name, String inside) {
    String properties =
        inside.lines().filter(line -> line.startsWith("<f:prop")).reduce("", String::concat);
    String rest =
        inside
            .lines()
            .filter(line -> !line.startsWith("<f:prop"))
            .reduce("", (all, line) -> all + line + '\n');
    return """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- of a test -->
        <f:digitalObject VERSION="1.1" PID="kind:%s" xmlns:f="info:fedora/fedora-system:def/foxml#"
          xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:out="http://purl.org/dc/elements/1.1/"
          xsi:schemaLocation="info:fedora/fedora-system:def/foxml# http://www.fedora.info/definitions/1/0/foxml1-1.xsd">
        <f:objectProperties>%s</f:objectProperties>
        %s</f:digitalObject>
        """
        .formatted(
            name, properties.isEmpty() ? property("state", "Active").strip() : properties, rest);
  }

  private static String property(String name, String value) {
    return "<f:property NAME=\"info:fedora/fedora-system:def/model#%s\" VALUE=\"%s\"/>\n"
        .formatted(name, value.replace("&", "&amp;").replace("\"", "&quot;"));
  }

  private static String datastream(String id, String attributes, String... versions) {
    return "<f:datastream ID=\"%s\" %s>\n%s</f:datastream>\n"
        .formatted(id, attributes, String.join("", versions));
  }

  private static String version(String id, String attributes, String content) {
    return "<f:datastreamVersion ID=\"%s\" %s>%s</f:datastreamVersion>\n"
        .formatted(id, attributes, content);
  }

  private static String inline(String xml) {
    return "<f:xmlContent>\n" + xml + "\n</f:xmlContent>";
  }

  private static String binary(String content) {
    return "<f:binaryContent>\n  "
        + Base64.getMimeEncoder(76, new byte[] {'\n'})
            .encodeToString(content.getBytes(StandardCharsets.UTF_8))
        + "\n</f:binaryContent>";
  }

  private static String located(String url) {
    return "<f:contentLocation TYPE=\"URL\" REF=\"" + url + "\"/>";
  }

  private static String dublinCore(String values) {
    return "<oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\""
        + " xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n"
        + values
        + "\n</oai_dc:dc>";
  }

  private static String relationships(String about, String statements) {
    return "<rdf:RDF xmlns:rdf=\"%s\" xmlns:m=\"info:fedora/fedora-system:def/model#\" xmlns:r=\"urn:x-test:\">%s</rdf:RDF>"
        .formatted(RDF, description(about, statements));
  }

  private static String description(String about, String statements) {
    return "\n<rdf:Description rdf:about=\"info:fedora/kind:%s\">%s</rdf:Description>\n"
        .formatted(about, statements);
  }

  private static String inlineRelationships(String name, String statements) {
    return datastream(
        "RELS-EXT",
        "CONTROL_GROUP=\"X\"",
        version(
            "RELS-EXT.0",
            "MIMETYPE=\"application/rdf+xml\"",
            inline(relationships(name, statements))));
  }

  private static String deleted() {
    return property("state", "Deleted")
        + datastream(
            "GONE",
            "CONTROL_GROUP=\"M\" STATE=\"D\"",
            version("GONE.0", "MIMETYPE=\"text/plain\" LABEL=\"gone\"", binary("deleted")))
        + datastream(
            "HIDDEN",
            "CONTROL_GROUP=\"M\" STATE=\"I\" VERSIONABLE=\"false\"",
            version("HIDDEN.0", "MIMETYPE=\"text/plain\"", binary("inactive")));
  }

  /** The latest is neither the first nor the last; one has a date that Fedora cannot read. */
  private static String versions() {
    return property("label", "versions")
        + property("createdDate", "2001-02-03T04:05:06.789Z")
        + property("ownerId", "somebody")
        + datastream(
            "DC",
            "CONTROL_GROUP=\"X\"",
            version(
                "DC1.1",
                "MIMETYPE=\"text/xml\" CREATED=\"2012-01-01T00:00:00.5Z\"",
                inline(dublinCore("<dc:title>new</dc:title><dc:title>newer</dc:title>"))),
            version(
                "DC1.0",
                "MIMETYPE=\"text/xml\" CREATED=\"2011-01-01T00:00:00Z\"",
                inline(dublinCore("<dc:title>old</dc:title>"))))
        + datastream(
            "FILE",
            "CONTROL_GROUP=\"M\"",
            version(
                "FILE.0", "MIMETYPE=\"a/a\" CREATED=\"2010-01-01T00:00:00.000Z\"", binary("first")),
            version(
                "FILE.2",
                "MIMETYPE=\"c/c\" CREATED=\"2012-01-01T00:00:00.000Z\"",
                binary("the latest one")),
            version(
                "FILE.1",
                "MIMETYPE=\"b/b\" CREATED=\"2011-01-01T00:00:00.000Z\"",
                binary("the second one")))
        + datastream(
            "ZONED",
            "CONTROL_GROUP=\"M\"",
            version(
                "ZONED.0",
                "MIMETYPE=\"a/a\" CREATED=\"2001-01-01T00:00:00.000+02:00\"",
                binary("as of now")),
            version(
                "ZONED.1",
                "MIMETYPE=\"b/b\" CREATED=\"2012-01-01T00:00:00.000Z\"",
                binary("older")))
        + datastream(
            "RELS-EXT",
            "CONTROL_GROUP=\"X\"",
            version(
                "RELS-EXT.0",
                "MIMETYPE=\"application/rdf+xml\" CREATED=\"2010-01-01T00:00:00.000Z\"",
                inline(relationships("versions", "<r:old>x</r:old><r:older>x</r:older>"))),
            version(
                "RELS-EXT.1",
                "MIMETYPE=\"application/rdf+xml\" CREATED=\"2011-01-01T00:00:00.000Z\"",
                inline(relationships("versions", "<r:new>x</r:new>"))));
  }

  private static String languages() {
    return datastream(
        "DC",
        "CONTROL_GROUP=\"X\"",
        version(
            "DC.0",
            "MIMETYPE=\"\"",
            inline(
                dublinCore(
                    """
                    <dc:title xml:lang="en">Same</dc:title>
                    <dc:title xml:lang="EN">Same</dc:title>
                    <dc:title xml:lang="de">Same</dc:title>
                    <dc:title> Same
                    </dc:title>
                    <dc:title xml:lang="">Same</dc:title>
                    <dc:title>same</dc:title>
                    <dc:identifier xml:lang="en">kind:languages</dc:identifier>
                    <dc:subject/><dc:subject> </dc:subject>
                    <dc:creator>lost<i xml:lang="fr">kept</i>kept too</dc:creator>
                    <y:date xmlns:y="urn:y">in another namespace</y:date>
                    <dc:unknown>dropped</dc:unknown>
                    <dc:rights><![CDATA[<a> & b]]></dc:rights>
                    <dc:source>line&#13;&#10;ends&#13;here</dc:source>"""))));
  }

  private static String internal() {
    return datastream(
            "FILE",
            "CONTROL_GROUP=\"M\"",
            version("FILE.0", "MIMETYPE=\"text/plain\"", binary("x".repeat(1000))))
        + datastream(
            "RELS-INT",
            "CONTROL_GROUP=\"X\"",
            version(
                "RELS-INT.0",
                "MIMETYPE=\"application/rdf+xml\"",
                inline(
                    "<rdf:RDF xmlns:rdf=\"%s\" xmlns:m=\"info:fedora/fedora-system:def/model#\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">"
                            .formatted(RDF)
                        + description(
                            "internal/FILE",
                            "<dc:title>a</dc:title><dc:title> a </dc:title>"
                                + "<m:downloadFilename>a.txt</m:downloadFilename>")
                        + description("internal/FILE", "<dc:title>b</dc:title>")
                        + description(
                            "internal/NONE",
                            "<dc:relation rdf:resource=\"info:fedora/kind:typed\"/>")
                        + "</rdf:RDF>")));
  }

  private static String typed() {
    return inlineRelationships(
        "typed",
        """
        <m:hasModel rdf:resource="%4$sFedoraObject-3.0"/>
        <m:hasModel rdf:resource="info:fedora/kind:cmodel-of-nobody"/>
        <rdf:type rdf:resource="http://example.org/Type"/>
        <r:int rdf:datatype="%1$sint">7</r:int>
        <r:int rdf:datatype="%1$sint">7</r:int>
        <r:int>7</r:int>
        <r:long rdf:datatype="%1$slong">-9000000000</r:long>
        <r:float rdf:datatype="%1$sfloat"> 1.5 </r:float>
        <r:double rdf:datatype="%1$sdouble">1e3</r:double>
        <r:date rdf:datatype="%1$sdateTime">2012-02-29T00:00:00.1Z</r:date>
        <r:date rdf:datatype="%1$sdateTime">2012-02-29T00:00:00</r:date>
        <r:plain xml:lang="en">word</r:plain>
        <r:plain xml:lang="de">word</r:plain>
        <r:plain> word </r:plain>
        <r:empty/>
        <r:to rdf:resource="http://example.org/a?b=c&amp;d#e"/>
        <r:to rdf:resource="http://example.org/a?b=c&amp;d#e"/>
        <r:comment>a<!-- no -->b</r:comment>
        """
            .formatted(XSD, "", "", MODELS));
  }

  private static String serviceDefinition() {
    return inlineRelationships(
            "sdef", "<m:hasModel rdf:resource=\"" + MODELS + "ServiceDefinition-3.0\"/>")
        + datastream(
            "METHODMAP",
            "CONTROL_GROUP=\"X\"",
            version(
                "METHODMAP.0",
                "MIMETYPE=\"text/xml\"",
                inline(
                    """
                    <fmm:MethodMap xmlns:fmm="http://fedora.comm.nsdlib.org/service/methodmap" name="m">
                    <fmm:Method operationName="one"/>
                    <fmm:Method operationName="two"><fmm:UserInputParm parmName="p" required="false" passBy="VALUE"/></fmm:Method>
                    <fmm:Method operationName="two"/>
                    </fmm:MethodMap>""")));
  }

  private static String contentModel() {
    return inlineRelationships(
            "cmodel",
            "<m:hasModel rdf:resource=\""
                + MODELS
                + "ContentModel-3.0\"/><m:hasService rdf:resource=\"info:fedora/kind:sdef\"/>")
        + datastream(
            "DS-COMPOSITE-MODEL",
            "CONTROL_GROUP=\"X\"",
            version(
                "DS-COMPOSITE-MODEL.0",
                "MIMETYPE=\"text/xml\"",
                inline(
                    """
                    <dsCompositeModel xmlns="info:fedora/fedora-system:def/dsCompositeModel#">
                    <dsTypeModel ID="FILE"><form MIME="text/plain"/></dsTypeModel></dsCompositeModel>""")));
  }

  private static String groups(String served) {
    return property("label", "groups")
        + datastream(
            "OUT",
            "CONTROL_GROUP=\"E\"",
            version("OUT.0", "MIMETYPE=\"text/plain\"", located("http://127.0.0.1:9/out")))
        + datastream(
            "ELSEWHERE",
            "CONTROL_GROUP=\"R\"",
            version("ELSEWHERE.0", "MIMETYPE=\"\"", located("http://127.0.0.1:9/elsewhere")))
        + datastream(
            "FETCHED",
            "CONTROL_GROUP=\"M\"",
            version("FETCHED.0", "MIMETYPE=\"text/plain\"", located(served)))
        + datastream(
            "UNTYPED",
            "CONTROL_GROUP=\"M\"",
            version("UNTYPED.0", "MIMETYPE=\"\"", binary("without a type")))
        + datastream(
            "EMPTY",
            "CONTROL_GROUP=\"M\"",
            version("EMPTY.0", "MIMETYPE=\"a/b\"", "<f:binaryContent>\n</f:binaryContent>"))
        + datastream(
            "INLINE",
            "CONTROL_GROUP=\"M\"",
            version("INLINE.0", "MIMETYPE=\"\"", inline("<a/><b xmlns=\"urn:b\"/>")));
  }

  private static String managedMetadata() {
    return datastream(
            "DC",
            "CONTROL_GROUP=\"M\"",
            version(
                "DC.0",
                "MIMETYPE=\"text/xml\"",
                binary(dublinCore("<dc:title>managed</dc:title><dc:date>2001</dc:date>"))))
        + datastream(
            "RELS-EXT",
            "CONTROL_GROUP=\"M\"",
            version(
                "RELS-EXT.0",
                "MIMETYPE=\"application/rdf+xml\"",
                binary(relationships("managed", "<r:a>1</r:a><r:b>2</r:b>"))));
  }

  /** With another PID it keeps the old one as an identifier. */
  private static String managedDublinCore() {
    return datastream(
        "DC",
        "CONTROL_GROUP=\"M\"",
        version(
            "DC.0",
            "MIMETYPE=\"text/xml\"",
            binary(dublinCore("<dc:identifier>kind:managed-dc</dc:identifier>"))));
  }

  /** AUDIT, a checksum, and FOXML inside XML, as exports have them. */
  private static String exported() {
    return datastream(
            "AUDIT",
            "CONTROL_GROUP=\"X\" STATE=\"A\" VERSIONABLE=\"false\"",
            version(
                "AUDIT.0",
                "MIMETYPE=\"text/xml\" CREATED=\"2010-01-01T00:00:00.000Z\"",
                inline(
                    """
                    <audit:auditTrail xmlns:audit="info:fedora/fedora-system:def/audit#">
                    <audit:record ID="AUDREC1"><audit:process type="Fedora API-M"/><audit:action>addDatastream</audit:action>
                    <audit:componentID>FILE</audit:componentID><audit:responsibility>somebody</audit:responsibility>
                    <audit:date>2010-01-01T00:00:00.000Z</audit:date><audit:justification/></audit:record>
                    </audit:auditTrail>""")))
        + datastream(
            "FILE",
            "CONTROL_GROUP=\"M\" FEDORA_URI=\"info:fedora/kind:exported/FILE\"",
            version(
                "FILE.0",
                "MIMETYPE=\"text/plain\" SIZE=\"5\" ALT_IDS=\"urn:a urn:b\" FORMAT_URI=\"urn:f\"",
                "<f:contentDigest TYPE=\"MD5\" DIGEST=\"5d41402abc4b2a76b9719d911017c592\"/>"
                    + binary("hello")))
        + datastream(
            "NESTED",
            "CONTROL_GROUP=\"X\"",
            version(
                "NESTED.0",
                "MIMETYPE=\"text/xml\"",
                "<f:contentDigest TYPE=\"DISABLED\" DIGEST=\"none\"/>"
                    + inline(
                        "<f:datastream ID=\"DC\" CONTROL_GROUP=\"X\"><f:datastreamVersion ID=\"DC.0\"><f:xmlContent><f:binaryContent>AAAA</f:binaryContent></f:xmlContent>"
                            + "</f:datastreamVersion></f:datastream>")))
        + datastream(
            "LAST",
            "CONTROL_GROUP=\"M\"",
            version("LAST.0", "MIMETYPE=\"text/plain\"", binary("behind what is nested")));
  }

  /** Fedora declares the outer prefix anew, for the first element that has it. */
  private static String outside() {
    return datastream(
            "DC",
            "CONTROL_GROUP=\"X\"",
            version(
                "DC.0",
                "MIMETYPE=\"text/xml\"",
                inline("<out:dc><out:title>t</out:title></out:dc>")))
        + datastream(
            "PIECES",
            "CONTROL_GROUP=\"M\"",
            version(
                "PIECES.0",
                "MIMETYPE=\"text/plain\"",
                "<f:binaryContent>Y W Jj\n<!-- of --><![CDATA[ZGVm]]></f:binaryContent>"));
  }
}
