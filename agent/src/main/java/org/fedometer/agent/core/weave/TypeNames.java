package org.fedometer.agent.core.weave;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.aspectj.weaver.patterns.AndTypePattern;
import org.aspectj.weaver.patterns.NamePattern;
import org.aspectj.weaver.patterns.NotTypePattern;
import org.aspectj.weaver.patterns.OrTypePattern;
import org.aspectj.weaver.patterns.TypePattern;
import org.aspectj.weaver.patterns.WildTypePattern;

/**
 * Matches AspectJ's type patterns, parsed but not resolved, against class names. If names do not
 * decide, {@code mayBe} is true and {@code mustBe} false. Any thread.
 */
final class TypeNames {

  /** The names of a class to match. */
  enum Names {
    /** Names of a type around the place: the class or an enclosing one. */
    WITHIN,
    /** Names of a type that declares the method: the class or a supertype. */
    DECLARING
  }

  private static final Set<String> PRIMITIVES =
      new HashSet<>(
          Arrays.asList("boolean", "byte", "char", "double", "float", "int", "long", "short"));

  private final Map<WildTypePattern, Pattern> regexes =
      Collections.synchronizedMap(new IdentityHashMap<WildTypePattern, Pattern>());

  boolean mayBe(TypePattern pattern, TypeFacts facts, Names names) {
    if (pattern instanceof AndTypePattern) {
      return mayBe(((AndTypePattern) pattern).getLeft(), facts, names)
          && mayBe(((AndTypePattern) pattern).getRight(), facts, names);
    }
    if (pattern instanceof OrTypePattern) {
      return mayBe(((OrTypePattern) pattern).getLeft(), facts, names)
          || mayBe(((OrTypePattern) pattern).getRight(), facts, names);
    }
    if (pattern instanceof NotTypePattern) {
      // Both a matching and another supertype may declare the method.
      return names == Names.DECLARING
          || !mustBe(((NotTypePattern) pattern).getNegatedPattern(), facts, names);
    }
    return !(pattern instanceof WildTypePattern)
        || isNamed((WildTypePattern) pattern, facts, names);
  }

  boolean mustBe(TypePattern pattern, TypeFacts facts, Names names) {
    if (pattern instanceof AndTypePattern) {
      return mustBe(((AndTypePattern) pattern).getLeft(), facts, names)
          && mustBe(((AndTypePattern) pattern).getRight(), facts, names);
    }
    if (pattern instanceof OrTypePattern) {
      return mustBe(((OrTypePattern) pattern).getLeft(), facts, names)
          || mustBe(((OrTypePattern) pattern).getRight(), facts, names);
    }
    if (pattern instanceof NotTypePattern) {
      return !mayBe(((NotTypePattern) pattern).getNegatedPattern(), facts, names);
    }
    return pattern == TypePattern.ANY
        || pattern instanceof WildTypePattern
            && pattern.isStarAnnotation()
            && isNamed((WildTypePattern) pattern, facts, names);
  }

  /** Returns the JVM name of a class that the pattern names in full; null for another pattern. */
  static String exactOrNull(TypePattern pattern) {
    return !(pattern instanceof WildTypePattern) || ((WildTypePattern) pattern).isArray()
        ? null
        : nameOrNull((WildTypePattern) pattern);
  }

  /** Returns the name as {@link #exactOrNull} does; for an array, that of its elements. */
  static String nameOrNull(WildTypePattern pattern) {
    StringBuilder name = new StringBuilder();
    boolean inClass = false;
    for (NamePattern part : pattern.getNamePatterns()) {
      String simple = part == NamePattern.ELLIPSIS ? null : part.maybeGetSimpleName();
      if (simple == null) {
        return null;
      }
      name.append(name.length() == 0 ? "" : inClass ? "$" : ".").append(simple);
      // By Java's naming convention, which Fedora follows: a nested class is written behind a dot.
      inClass = Character.isUpperCase(simple.charAt(0));
    }
    return name.length() == 0 ? null : name.toString();
  }

  /** Returns whether this text, in place of a type, is a variable's name. */
  static boolean isVariable(String text) {
    return text.matches("[a-z_$][\\w$]*") && !PRIMITIVES.contains(text);
  }

  /**
   * Returns whether a type without a package is valid, since a pointcut has no imports.
   *
   * @param name as {@link #nameOrNull} returns it, without a dot
   */
  static boolean needsNoPackage(String name) {
    if (PRIMITIVES.contains(name)
        || name.equals("void")
        || !Character.isJavaIdentifierStart(name.charAt(0))) {
      return true;
    }
    try {
      Class.forName("java.lang." + name, false, null);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private boolean isNamed(WildTypePattern pattern, TypeFacts facts, Names names) {
    if (pattern.getNamePatterns().length == 0) {
      return true;
    }
    Pattern regex = regexes.get(pattern);
    if (regex == null) {
      regex = regexOf(pattern);
      regexes.put(pattern, regex);
    }
    for (String name : namesOf(facts, names, pattern.isIncludeSubtypes())) {
      if (regex.matcher(name.replace('$', '.')).matches()) {
        return true;
      }
    }
    return false;
  }

  private static Set<String> namesOf(TypeFacts facts, Names names, boolean subtypes) {
    if (names == Names.DECLARING) {
      return facts.itselfAndAbove();
    }
    return subtypes ? facts.itselfAndEnclosingAndAbove() : facts.itselfAndEnclosing();
  }

  private static Pattern regexOf(WildTypePattern pattern) {
    StringBuilder regex = new StringBuilder();
    boolean needsDot = false;
    int left = pattern.getNamePatterns().length;
    for (NamePattern part : pattern.getNamePatterns()) {
      left--;
      if (part == NamePattern.ELLIPSIS && left == 0) {
        regex.append(".*");
      } else if (part == NamePattern.ELLIPSIS) {
        regex.append(needsDot ? "\\.(?:[^.]*\\.)*" : "(?:[^.]*\\.)*");
        needsDot = false;
      } else {
        regex.append(needsDot ? "\\." : "");
        regex.append(part.toString().replace('$', '.').replace(".", "\\.").replace("*", "[^.]*"));
        needsDot = true;
      }
    }
    return Pattern.compile(regex.toString());
  }
}
