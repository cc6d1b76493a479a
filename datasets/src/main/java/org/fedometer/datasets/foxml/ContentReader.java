package org.fedometer.datasets.foxml;

import static org.fedometer.datasets.FedoraVocabulary.MODEL;

import com.ctc.wstx.exc.WstxLazyException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.FedoraRules;

/**
 * Reads the content of one FOXML file's datastreams, inline or in base64. Collects statements from
 * which Fedora makes triples, content lengths, and places where the object states its own PID. Only
 * datastreams with statements are ever completely in memory. For one thread.
 */
final class ContentReader {

  /** Limit for DC, RELS-EXT, RELS-INT and METHODMAP, whose statements are in memory. */
  private static final int MAX_CHARACTERS = 8_000_000;

  private static final String LABEL = MODEL + "label";
  private static final int MAX_VERSION_ID_LENGTH = 69;

  private final XMLStreamReader2 xml;
  private final FoxmlCursor cursor;
  private final FoxmlReader.Mode mode;
  private final String pid;
  private final Utf8Positions positions;
  private final List<FoxmlDocument.PidOccurrence> pidOccurrences = new ArrayList<>();
  private int binaries;

  /**
   * Creates a reader for a parser at the root's start tag.
   *
   * @param positions the positions in the parser's file, or null if it is not UTF-8
   */
  ContentReader(XMLStreamReader2 xml, FoxmlReader.Mode mode, String pid, Utf8Positions positions) {
    this.xml = xml;
    this.cursor = new FoxmlCursor(xml);
    this.mode = mode;
    this.pid = pid;
    this.positions = positions;
  }

  /** Returns the places read so far where the object states its own PID. */
  List<FoxmlDocument.PidOccurrence> pidOccurrences() {
    return pidOccurrences;
  }

  /** Reads from the start tag to the end tag of xmlContent. */
  void readInline(DatastreamVersion version)
      throws XMLStreamException, IOException, UnusableFoxmlException {
    cursor.requireOnly(Set.of(), false);
    Metadata metadata = metadataOf(version);
    version.metadata = metadata;
    InlineXml inline = metadata != null || version.isSummed() ? new InlineXml() : null;
    boolean editsOwnPid = mode.isForNewPid() && isObjectPid(version.id);
    IdentifierText identifier = null;
    int depth = 0;
    int roots = 0;
    int characters = 0;
    int before = pidOccurrences.size();
    for (int event = xml.next(); depth > 0 || event != XMLStreamConstants.END_ELEMENT; ) {
      switch (event) {
        case XMLStreamConstants.START_ELEMENT -> {
          roots += depth++ == 0 ? 1 : 0;
          checkNestedFoxml();
          if (editsOwnPid) {
            noteAbout(version.id);
            identifier = version.id.equals("DC") ? IdentifierText.startingAt(xml) : null;
          }
          if (inline != null) {
            metadata = started(version, metadata, inline);
          }
          characters += 16;
        }
        case XMLStreamConstants.END_ELEMENT -> {
          depth--;
          if (identifier != null) {
            identifier.endingAt(xml, pid).ifPresent(pidOccurrences::add);
            identifier = null;
          }
          if (inline != null) {
            inline.end(xml);
          }
          metadata = ended(version, metadata);
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          if (depth == 0 && !xml.isWhiteSpace()) {
            throw new UnusableFoxmlException(
                "has %s with text beside its XML".formatted(version.id));
          }
          if (metadata != null) {
            characters += xml.getTextLength();
            String text = xml.getText();
            if (identifier != null) {
              identifier.append(text);
            }
            metadata = depth == 0 ? metadata : text(version, metadata, text);
          }
        }
        case XMLStreamConstants.ENTITY_REFERENCE -> throw cursor.undeclaredEntity();
        default -> {
          // Comments and processing instructions have no meaning here.
        }
      }
      if (metadata != null && characters > MAX_CHARACTERS) {
        throw new UnusableFoxmlException(
            "has %s with more than %d characters".formatted(version.id, MAX_CHARACTERS));
      }
      event = xml.next();
    }
    if (roots == 0) {
      throw new UnusableFoxmlException("has %s with an empty xmlContent".formatted(version.id));
    }
    finish(version, metadata);
    if (roots > 1 && inline != null && version.problem == null) {
      version.problem =
          new UnusableFoxmlException(
              "has %s with more than one root element".formatted(version.id));
      if (version.isSummed()) {
        throw version.problem;
      }
    }
    if (pidOccurrences.size() > before && version.hasDigest()) {
      throw new UnusableFoxmlException(
          "has %s with a checksum, which another PID would make wrong (use pids=kept)"
              .formatted(version.id));
    }
  }

  /** Checks FOXML inside inline XML, which Fedora's Schematron also checks. */
  private void checkNestedFoxml() throws UnusableFoxmlException {
    if (!cursor.namespace().equals(FoxmlCursor.FOXML)) {
      return;
    }
    boolean allowed =
        switch (xml.getLocalName()) {
          case "datastream" ->
              isNestedId(FedoraRules.MAX_DATASTREAM_ID_LENGTH)
                  && Set.of("R", "E", "M", "X", "B").contains(given("CONTROL_GROUP"));
          case "datastreamVersion" ->
              isNestedId(MAX_VERSION_ID_LENGTH)
                  && given("LABEL").length() <= FedoraRules.MAX_LABEL_LENGTH;
          case "contentLocation" -> !given("REF").isEmpty();
          case "contentDigest" ->
              cursor.attribute("DIGEST") == null || cursor.attribute("TYPE") != null;
          case "property" ->
              !given("NAME").equals(LABEL)
                  || given("VALUE").length() <= FedoraRules.MAX_LABEL_LENGTH;
          default -> true;
        };
    if (!allowed) {
      throw new UnusableFoxmlException(
          "has inline XML with an invalid <%s> of FOXML, which Fedora checks there too (line %d)"
              .formatted(xml.getLocalName(), xml.getLocation().getLineNumber()));
    }
  }

  private boolean isNestedId(int maxLength) {
    String id = given("ID");
    return !id.isEmpty() && id.length() <= maxLength && id.indexOf('+') < 0 && id.indexOf(':') < 0;
  }

  private String given(String attribute) {
    String value = cursor.attribute(attribute);
    return value == null ? "" : value;
  }

  private Metadata started(DatastreamVersion version, Metadata metadata, InlineXml inline)
      throws UnusableFoxmlException {
    MetadataElement element;
    try {
      element = inline.start(xml);
    } catch (UnusableFoxmlException e) {
      if (version.isSummed()) {
        throw e;
      }
      if (metadata != null) {
        version.problem = e;
      }
      return null;
    }
    return forward(version, metadata, () -> metadata.start(element));
  }

  private Metadata ended(DatastreamVersion version, Metadata metadata) {
    return forward(version, metadata, () -> metadata.end(xml.getLocalName()));
  }

  private static Metadata text(DatastreamVersion version, Metadata metadata, String text) {
    return forward(version, metadata, () -> metadata.text(text));
  }

  private static void finish(DatastreamVersion version, Metadata metadata) {
    forward(version, metadata, () -> metadata.end());
  }

  @FunctionalInterface
  private interface Piece {
    void accept() throws UnusableFoxmlException;
  }

  /** Returns the reader itself; null if there is none, or after a refusal, which is recorded. */
  private static Metadata forward(DatastreamVersion version, Metadata metadata, Piece piece) {
    if (metadata == null) {
      return null;
    }
    try {
      piece.accept();
      return metadata;
    } catch (UnusableFoxmlException e) {
      version.problem = e;
      return null;
    }
  }

  private static boolean isObjectPid(String id) {
    return id.equals("DC") || id.equals("RELS-EXT") || id.equals("RELS-INT");
  }

  /** Returns the reader for the datastream's statements, or null if Fedora reads none. */
  private Metadata metadataOf(DatastreamVersion version) {
    return switch (version.id) {
      case "DC" -> new DublinCore();
      case "RELS-EXT", "RELS-INT" -> new Relationships(version.id, pid);
      case "METHODMAP" -> new MethodMap();
      default -> null;
    };
  }

  /** Reads from the start tag to the end tag of binaryContent. */
  void readBinary(DatastreamVersion version)
      throws XMLStreamException, IOException, UnusableFoxmlException {
    cursor.requireOnly(Set.of(), false);
    version.binary = binaries++;
    version.isBase64 = true;
    Base64Text base64 = new Base64Text();
    MessageDigest digest =
        mode.isThorough() && version.hasDigest()
            ? ChecksumAlgorithm.named(version.digestType).orElseThrow().newDigest()
            : null;
    ByteArrayOutputStream buffer = metadataOf(version) == null ? null : new ByteArrayOutputStream();
    byte[] decoded = new byte[0];
    long size = 0;
    Utf8Positions.Position from = position(IdentifierText.endingOffset(xml));
    boolean isPlain = true;
    for (int event = xml.next(); event != XMLStreamConstants.END_ELEMENT; event = xml.next()) {
      switch (event) {
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          isPlain &= event != XMLStreamConstants.CDATA;
          int maxBytes = Base64Text.maxBytes(xml.getTextLength());
          decoded = decoded.length < maxBytes ? new byte[maxBytes] : decoded;
          int length = decode(version, base64, decoded);
          size += length;
          if (digest != null) {
            digest.update(decoded, 0, length);
          }
          if (buffer != null) {
            buffer.write(decoded, 0, length);
          }
          if (buffer != null && size > MAX_CHARACTERS) {
            throw new UnusableFoxmlException(
                "has %s with more than %d bytes".formatted(version.id, MAX_CHARACTERS));
          }
        }
        case XMLStreamConstants.START_ELEMENT -> throw cursor.unexpected();
        case XMLStreamConstants.ENTITY_REFERENCE -> throw cursor.undeclaredEntity();
        default ->
            // Comments and processing instructions have no meaning here.
            isPlain = false;
      }
    }
    end(version, base64);
    Utf8Positions.Position to = position(xml.getLocationInfo().getStartingCharOffset());
    if (isPlain && from != null && to != null && from.ampersands() == to.ampersands()) {
      version.text = new FoxmlDocument.Base64Place(from.from(), to.from());
    }
    version.sizeBytes = size;
    if (digest != null) {
      String found = HexFormat.of().formatHex(digest.digest());
      if (!found.equals(version.digest)) {
        throw new UnusableFoxmlException(
            "has %s with the checksum %s, but its content has %s"
                .formatted(version.id, version.digest, found));
      }
    }
    if (buffer != null) {
      readMetadata(version, buffer.toByteArray());
    }
  }

  private Utf8Positions.Position position(long character) {
    return positions == null ? null : positions.of(character);
  }

  private int decode(DatastreamVersion version, Base64Text base64, byte[] out)
      throws UnusableFoxmlException {
    try {
      return base64.decode(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength(), out);
    } catch (UnusableFoxmlException e) {
      throw new UnusableFoxmlException("has %s that %s".formatted(version.id, e.getMessage()));
    }
  }

  private static void end(DatastreamVersion version, Base64Text base64)
      throws UnusableFoxmlException {
    try {
      base64.end();
    } catch (UnusableFoxmlException e) {
      throw new UnusableFoxmlException("has %s that %s".formatted(version.id, e.getMessage()));
    }
    if (base64.isEmpty()) {
      throw new UnusableFoxmlException(
          ("has %s with a binaryContent without a character, on which Fedora fails: put a"
                      + " line break into it")
                  .formatted(version.id)
              + " for an empty datastream");
    }
  }

  /** Reads a managed datastream from which Fedora makes triples. */
  private void readMetadata(DatastreamVersion version, byte[] content) throws IOException {
    Metadata metadata = metadataOf(version);
    version.metadata = metadata;
    try {
      XMLStreamReader2 inner = FoxmlXml.parser(new ByteArrayInputStream(content));
      InlineXml scope = new InlineXml();
      while (inner.hasNext()) {
        switch (inner.next()) {
          case XMLStreamConstants.START_ELEMENT -> metadata.start(scope.start(inner));
          case XMLStreamConstants.END_ELEMENT -> {
            scope.end(inner);
            metadata.end(inner.getLocalName());
          }
          case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
              metadata.text(inner.getText());
          case XMLStreamConstants.DTD ->
              throw new UnusableFoxmlException("has %s with a DOCTYPE".formatted(version.id));
          case XMLStreamConstants.ENTITY_REFERENCE -> throw cursor.undeclaredEntity();
          default -> {
            // Comments and processing instructions have no meaning here.
          }
        }
      }
      metadata.end();
    } catch (UnusableFoxmlException e) {
      version.problem = e;
    } catch (XMLStreamException | WstxLazyException e) {
      version.problem =
          new UnusableFoxmlException(
              "has %s that %s".formatted(version.id, FoxmlXml.notWellFormed(e).getMessage()));
    }
  }

  // Places of the object's own PID.

  private void noteAbout(String id) throws UnusableFoxmlException {
    if (pid == null
        || !id.startsWith("RELS-")
        || !Relationships.RDF.equals(xml.getNamespaceURI())
        || !xml.getLocalName().equals("Description")) {
      return;
    }
    String uri = "info:fedora/" + pid;
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      String prefix = xml.getAttributePrefix(i);
      String value = xml.getAttributeValue(i);
      boolean occurrence = id.equals("RELS-EXT") ? value.equals(uri) : value.startsWith(uri + "/");
      if (occurrence && xml.getAttributeLocalName(i).equals("about")) {
        String after = value.substring(uri.length());
        if (after.chars().anyMatch(c -> "&<\"'".indexOf(c) >= 0)) {
          // It would need new escaping. Only an earlier version, from which no triples are made,
          // may have it.
          throw new UnusableFoxmlException(
              "has a %s about '%s', whose PID cannot be replaced (use pids=kept)"
                  .formatted(id, value));
        }
        addPidOccurrence(
            prefix == null || prefix.isEmpty() ? "about" : prefix + ":about",
            "info:fedora/",
            after);
      }
    }
  }

  /** Adds an occurrence in the start tag at the cursor. */
  void addPidOccurrence(String attribute, String before, String after) {
    if (mode.isForNewPid()) {
      pidOccurrences.add(
          new FoxmlDocument.PidOccurrence(
              xml.getLocationInfo().getStartingCharOffset(),
              IdentifierText.endingOffset(xml),
              attribute,
              before,
              after));
    }
  }
}
