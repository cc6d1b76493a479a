package org.fedometer.datasets.foxml;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Small FOXML for tests. */
final class FoxmlText {

  static final String ACTIVE =
      "<foxml:property NAME=\"info:fedora/fedora-system:def/model#state\" VALUE=\"Active\"/>";

  private FoxmlText() {}

  static String object(String pid, String... datastreams) {
    return objectWith(pid, ACTIVE, datastreams);
  }

  static String objectWith(String pid, String properties, String... datastreams) {
    return """
        <?xml version="1.0" encoding="UTF-8"?>
        <foxml:digitalObject VERSION="1.1" PID="%s" xmlns:foxml="info:fedora/fedora-system:def/foxml#">
        <foxml:objectProperties>%s</foxml:objectProperties>
        %s</foxml:digitalObject>
        """
        .formatted(pid, properties, String.join("", datastreams));
  }

  static String label(String value) {
    return "<foxml:property NAME=\"info:fedora/fedora-system:def/model#label\" VALUE=\""
        + value
        + "\"/>";
  }

  static String datastream(String id, String group, String... versions) {
    return "<foxml:datastream ID=\"%s\" CONTROL_GROUP=\"%s\">%s</foxml:datastream>\n"
        .formatted(id, group, String.join("", versions));
  }

  static String version(String id, String attributes, String content) {
    return "<foxml:datastreamVersion ID=\"%s\" MIMETYPE=\"text/plain\" %s>%s</foxml:datastreamVersion>"
        .formatted(id, attributes, content);
  }

  static String managed(String id, String content) {
    return datastream(id, "M", version(id + ".0", "", binary(content)));
  }

  static String binary(String content) {
    return "<foxml:binaryContent>"
        + Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8))
        + "</foxml:binaryContent>";
  }

  static String inline(String id, String xml) {
    return datastream(id, "X", version(id + ".0", "", xml(xml)));
  }

  static String xml(String xml) {
    return "<foxml:xmlContent>" + xml + "</foxml:xmlContent>";
  }

  static String located(String id, String group, String type, String url) {
    return datastream(
        id,
        group,
        version(
            id + ".0", "", "<foxml:contentLocation TYPE=\"%s\" REF=\"%s\"/>".formatted(type, url)));
  }

  static String dublinCore(String values) {
    return "<oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\""
        + " xmlns:dc=\"http://purl.org/dc/elements/1.1/\">"
        + values
        + "</oai_dc:dc>";
  }

  static String relationships(String descriptions) {
    return "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
        + " xmlns:m=\"info:fedora/fedora-system:def/model#\""
        + " xmlns:v=\"info:fedora/fedora-system:def/view#\""
        + " xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:r=\"urn:x:\">"
        + descriptions
        + "</rdf:RDF>";
  }

  static String about(String subject, String statements) {
    return "<rdf:Description rdf:about=\"info:fedora/%s\">%s</rdf:Description>"
        .formatted(subject, statements);
  }

  /** RELS-EXT of {@code a:1}. */
  static String relsExt(String statements) {
    return inline("RELS-EXT", relationships(about("a:1", statements)));
  }
}
