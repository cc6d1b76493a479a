package org.fedometer.datasets.patents;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An element of a document's bibliographic part, with its descendants. Patent offices name and nest
 * the same facts in many ways, so a small tree is simpler to query than a stream. Names are
 * compared without regard to case, since ST.32 in its SGML form had none.
 */
final class XmlNode {

  private final String name;
  private final Map<String, String> attributes;
  private final List<XmlNode> children = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  /**
   * @param attributes the relevant attributes by their local names
   */
  XmlNode(String name, Map<String, String> attributes) {
    this.name = name;
    this.attributes = attributes;
  }

  void add(XmlNode child) {
    children.add(child);
  }

  /** Appends to the text of this element, which its parents' text includes on request. */
  void append(CharSequence more) {
    text.append(more);
  }

  /** Appends a child's text, so that later text follows the child. */
  void appendTextOf(XmlNode child) {
    text.append(child.text);
  }

  int length() {
    return text.length();
  }

  String name() {
    return name;
  }

  /** Returns the value of the attribute, or empty. */
  String attribute(String wanted) {
    return attributes.getOrDefault(wanted, "");
  }

  /** Returns the value of {@code lang} in lower case, or empty. */
  String language() {
    return attribute("lang").toLowerCase(Locale.ROOT);
  }

  /** Returns all inner text unchanged: older formats align classes in columns. */
  String rawText() {
    return text.toString();
  }

  /** Returns all inner text, with white space collapsed. */
  String text() {
    return text.toString().strip().replaceAll("\\s+", " ");
  }

  /** Returns the text of the first element at the path, or empty. */
  String text(String... path) {
    return all(path).map(XmlNode::text).findFirst().orElse("");
  }

  /** Returns the elements at the path, one child's name per step; {@code a|b} matches either. */
  Stream<XmlNode> all(String... path) {
    Stream<XmlNode> found = Stream.of(this);
    for (String step : path) {
      String[] names = step.split("\\|");
      found = found.flatMap(node -> node.children.stream()).filter(node -> node.isNamed(names));
    }
    return found;
  }

  /** Returns the elements of the name anywhere below, in document order. */
  Stream<XmlNode> anywhere(String wanted) {
    return children.stream()
        .flatMap(
            child ->
                Stream.concat(
                    child.name.equalsIgnoreCase(wanted) ? Stream.of(child) : Stream.empty(),
                    child.anywhere(wanted)));
  }

  private boolean isNamed(String... names) {
    for (String wanted : names) {
      if (name.equalsIgnoreCase(wanted)) {
        return true;
      }
    }
    return false;
  }
}
