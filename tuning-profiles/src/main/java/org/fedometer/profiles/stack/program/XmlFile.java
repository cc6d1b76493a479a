package org.fedometer.profiles.stack.program;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * An XML configuration file that can be read, changed through its elements and written back. For
 * one thread.
 */
public final class XmlFile {

  private final Path path;
  private final Document document;

  private XmlFile(Path path, Document document) {
    this.path = path;
    this.document = document;
  }

  /**
   * Reads a file, without external resources that it names, such as its DTD.
   *
   * @throws IOException also if it is not well-formed
   */
  public static XmlFile read(Path path) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
      factory.setNamespaceAware(true);
      factory.setExpandEntityReferences(false);
      DocumentBuilder builder = factory.newDocumentBuilder();
      // The files name DTDs on hosts that may not answer.
      builder.setEntityResolver((publicId, systemId) -> new InputSource(new StringReader("")));
      builder.setErrorHandler(null);
      return new XmlFile(path, builder.parse(new ByteArrayInputStream(Files.readAllBytes(path))));
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException(e);
    } catch (SAXException e) {
      throw new IOException(path + " is not well-formed XML: " + e.getMessage(), e);
    }
  }

  /** Writes the file back, readable only by the owner, since most of these files hold passwords. */
  public void write() throws IOException {
    StringWriter text = new StringWriter();
    try {
      Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
      transformer.setOutputProperty(OutputKeys.ENCODING, "UTF-8");
      if (document.getDoctype() != null && document.getDoctype().getSystemId() != null) {
        transformer.setOutputProperty(
            OutputKeys.DOCTYPE_SYSTEM, document.getDoctype().getSystemId());
        if (document.getDoctype().getPublicId() != null) {
          transformer.setOutputProperty(
              OutputKeys.DOCTYPE_PUBLIC, document.getDoctype().getPublicId());
        }
      }
      transformer.transform(new DOMSource(document), new StreamResult(text));
    } catch (TransformerException e) {
      throw new IllegalStateException(e);
    }
    StackFiles.writePrivately(path, text.toString());
  }

  /** Returns the root element; its changes reach the file only at {@link #write}. */
  public Element root() {
    return document.getDocumentElement();
  }

  /** Returns every element of a local name, in document order. */
  public List<Element> all(String name) {
    NodeList nodes = document.getElementsByTagNameNS("*", name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  /**
   * Returns the only element of a name that fulfills the condition.
   *
   * @throws IOException if there is none or more than one, so that the file has an unknown form
   */
  public Element only(String name, String what, Predicate<Element> condition) throws IOException {
    List<Element> found = all(name).stream().filter(condition).toList();
    if (found.size() != 1) {
      throw new IOException(
          path + ": expected one <" + name + "> " + what + ", found " + found.size());
    }
    return found.get(0);
  }

  public static List<Element> children(Element parent, String name) {
    List<Element> elements = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && name.equals(element.getLocalName())) {
        elements.add(element);
      }
    }
    return elements;
  }

  /** Returns the value of a {@code <param name="..." value="..."/>} directly below an element. */
  public static Optional<String> param(Element parent, String name) {
    return children(parent, "param").stream()
        .filter(param -> name.equals(param.getAttribute("name")))
        .map(param -> param.getAttribute("value"))
        .findFirst();
  }

  /** Sets or adds a {@code <param name="..." value="..."/>} directly below an element. */
  public void setParam(Element parent, String name, String value) {
    for (Element param : children(parent, "param")) {
      if (name.equals(param.getAttribute("name"))) {
        param.setAttribute("value", value);
        return;
      }
    }
    Element param = document.createElementNS(parent.getNamespaceURI(), "param");
    param.setAttribute("name", name);
    param.setAttribute("value", value);
    parent.appendChild(document.createTextNode("  "));
    parent.appendChild(param);
    parent.appendChild(document.createTextNode("\n  "));
  }
}
