package org.fedometer.profiles.stack.fedora;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.fedometer.profiles.stack.program.XmlFile;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * One XACML 1.0 policy against one request of which not everything is known: true, false, or not to
 * be told. Knows the functions that Fedora's own policies and its examples are made of; what
 * depends on any other cannot be told. For one thread.
 */
final class PolicyReading {

  /** Of three values. */
  enum Truth {
    TRUE,
    FALSE,
    UNKNOWN;

    static Truth of(boolean value) {
      return value ? TRUE : FALSE;
    }

    Truth and(Truth other) {
      if (this == FALSE || other == FALSE) {
        return FALSE;
      }
      return this == TRUE && other == TRUE ? TRUE : UNKNOWN;
    }

    Truth or(Truth other) {
      return not().and(other.not()).not();
    }

    Truth not() {
      return switch (this) {
        case TRUE -> FALSE;
        case FALSE -> TRUE;
        case UNKNOWN -> UNKNOWN;
      };
    }
  }

  private static final Set<String> DESIGNATORS =
      Set.of(
          "SubjectAttributeDesignator",
          "ResourceAttributeDesignator",
          "ActionAttributeDesignator",
          "EnvironmentAttributeDesignator");

  private final Element policy;
  private final PolicyRequest request;

  PolicyReading(Element policy, PolicyRequest request) {
    this.policy = policy;
    this.request = request;
  }

  /** Whether the policy comes to that effect, {@code Permit} or {@code Deny}, for the request. */
  Truth has(String effect) {
    Truth applies = target(policy);
    boolean firstCounts = policy.getAttribute("RuleCombiningAlgId").endsWith(":first-applicable");
    Truth reached = Truth.TRUE;
    Truth found = Truth.FALSE;
    for (Element rule : XmlFile.children(policy, "Rule")) {
      Truth holds = target(rule).and(condition(rule));
      if (rule.getAttribute("Effect").equals(effect)) {
        found = found.or(reached.and(holds));
      }
      if (firstCounts) {
        reached = reached.and(holds.not());
      }
    }
    return applies.and(found);
  }

  private Truth condition(Element rule) {
    return XmlFile.children(rule, "Condition").stream()
        .map(this::truth)
        .findFirst()
        .orElse(Truth.TRUE);
  }

  private Truth target(Element owner) {
    Truth all = Truth.TRUE;
    for (Element target : XmlFile.children(owner, "Target")) {
      for (String kind : List.of("Subject", "Resource", "Action")) {
        for (Element group : XmlFile.children(target, kind + "s")) {
          all = all.and(anyOf(group, kind));
        }
      }
    }
    return all;
  }

  private Truth anyOf(Element group, String kind) {
    if (!XmlFile.children(group, "Any" + kind).isEmpty()) {
      return Truth.TRUE;
    }
    Truth any = Truth.FALSE;
    for (Element one : XmlFile.children(group, kind)) {
      Truth all = Truth.TRUE;
      for (Element match : XmlFile.children(one, kind + "Match")) {
        all = all.and(match(match));
      }
      any = any.or(all);
    }
    return any;
  }

  /** Whether any value of the attribute matches. */
  private Truth match(Element match) {
    BiPredicate<String, String> test = test(match.getAttribute("MatchId"));
    List<Element> parts = elements(match);
    if (test == null || parts.size() != 2) {
      return Truth.UNKNOWN;
    }
    List<String> values = bag(parts.get(1));
    String wanted = text(parts.get(0));
    return values == null
        ? Truth.UNKNOWN
        : values.stream().map(value -> holds(test, wanted, value)).reduce(Truth.FALSE, Truth::or);
  }

  /** Of a Condition or an Apply. */
  private Truth truth(Element function) {
    String name = name(function.getAttribute("FunctionId"));
    List<Element> arguments = elements(function);
    switch (name) {
      case "and":
        return arguments.stream().map(this::truth).reduce(Truth.TRUE, Truth::and);
      case "or":
        return arguments.stream().map(this::truth).reduce(Truth.FALSE, Truth::or);
      case "not":
        return arguments.size() == 1 ? truth(arguments.get(0)).not() : Truth.UNKNOWN;
      default:
        return arguments.size() == 2
            ? compared(name, function, bag(arguments.get(0)), bag(arguments.get(1)))
            : Truth.UNKNOWN;
    }
  }

  private static Truth compared(
      String name, Element function, List<String> first, List<String> second) {
    if (first == null || second == null) {
      return Truth.UNKNOWN;
    }
    switch (name) {
      case "string-is-in", "anyURI-is-in", "string-at-least-one-member-of":
        return Truth.of(first.stream().anyMatch(second::contains));
      default:
        BiPredicate<String, String> test = test(function.getAttribute("FunctionId"));
        // Of what should be one value and is none or many, Fedora says an error.
        return test == null || first.size() != 1 || second.size() != 1
            ? Truth.UNKNOWN
            : holds(test, first.get(0), second.get(0));
    }
  }

  /** Null for one that is not known. */
  private static BiPredicate<String, String> test(String function) {
    return switch (name(function)) {
      case "string-equal", "anyURI-equal" -> String::equals;
      case "string-equal-ignore-case" -> String::equalsIgnoreCase;
      case "regexp-string-match" ->
          (pattern, value) -> Pattern.compile(pattern).matcher(value).find();
      default -> null;
    };
  }

  private static Truth holds(BiPredicate<String, String> test, String wanted, String value) {
    try {
      return Truth.of(test.test(wanted, value));
    } catch (PatternSyntaxException e) {
      return Truth.UNKNOWN; // XML Schema's patterns know a little that Java's do not
    }
  }

  /** Values of an argument, or null if they are not known. */
  private List<String> bag(Element argument) {
    String kind = argument.getLocalName();
    if (kind.equals("AttributeValue")) {
      return List.of(text(argument));
    }
    if (DESIGNATORS.contains(kind)) {
      return request.attributes().get(argument.getAttribute("AttributeId"));
    }
    String name = kind.equals("Apply") ? name(argument.getAttribute("FunctionId")) : "";
    if (!Set.of("string-bag", "anyURI-bag", "string-one-and-only", "anyURI-one-and-only")
        .contains(name)) {
      return null;
    }
    List<String> values = new ArrayList<>();
    for (Element each : elements(argument)) {
      List<String> some = bag(each);
      if (some == null) {
        return null;
      }
      values.addAll(some);
    }
    return values;
  }

  private static String name(String function) {
    return function.substring(function.lastIndexOf(':') + 1);
  }

  private static String text(Element value) {
    return value.getTextContent().strip();
  }

  private static List<Element> elements(Element parent) {
    List<Element> elements = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        elements.add(element);
      }
    }
    return elements;
  }
}
