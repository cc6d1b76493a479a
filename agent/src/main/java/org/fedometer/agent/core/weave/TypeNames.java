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
 * Holds AspectJ's type patterns, as parsed and not resolved, against names of classes. Where names
 * do not decide, {@code mayBe} says yes and {@code mustBe} no. Any thread.
 */
final class TypeNames {

  /** Which of a class's names count. */
  enum Names {
    /** Of a type that surrounds the place: the class or one around it. */
    WITHIN,
    /** Of a type that declares the method: the class or one above it. */
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
      // A method may be declared above by a type that the pattern is about, and by another one.
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

  /** The class that the pattern names in full, as the JVM calls it; null for another pattern. */
  static String exactOrNull(TypePattern pattern) {
    return !(pattern instanceof WildTypePattern) || ((WildTypePattern) pattern).isArray()
        ? null
        : nameOrNull((WildTypePattern) pattern);
  }

  /** As {@link #exactOrNull}; of an array, what it is made of. */
  static String nameOrNull(WildTypePattern pattern) {
    StringBuilder name = new StringBuilder();
    boolean inClass = false;
    for (NamePattern part : pattern.getNamePatterns()) {
      String simple = part == NamePattern.ELLIPSIS ? null : part.maybeGetSimpleName();
      if (simple == null) {
        return null;
      }
      name.append(name.length() == 0 ? "" : inClass ? "$" : ".").append(simple);
      // By the custom of Java, which Fedora follows: what is in a class is written behind a dot.
      inClass = Character.isUpperCase(simple.charAt(0));
    }
    return name.length() == 0 ? null : name.toString();
  }

  /** Whether this text, where a type could stand, is a name for a value instead. */
  static boolean isVariable(String text) {
    return text.matches("[a-z_$][\\w$]*") && !PRIMITIVES.contains(text);
  }

  /**
   * Whether a type without a package can be meant: a pointcut has no imports.
   *
   * @param name as {@link #nameOrNull} gives it, without a dot
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
