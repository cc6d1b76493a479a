package org.fedometer.agent.core.weave;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.aspectj.weaver.Shadow;
import org.aspectj.weaver.patterns.AndPointcut;
import org.aspectj.weaver.patterns.KindedPointcut;
import org.aspectj.weaver.patterns.NotPointcut;
import org.aspectj.weaver.patterns.OrPointcut;
import org.aspectj.weaver.patterns.OrTypePattern;
import org.aspectj.weaver.patterns.PatternParser;
import org.aspectj.weaver.patterns.Pointcut;
import org.aspectj.weaver.patterns.SignaturePattern;
import org.aspectj.weaver.patterns.TypePattern;
import org.aspectj.weaver.patterns.WithinPointcut;
import org.aspectj.weaver.patterns.WithincodePointcut;

/**
 * Describes the methods in an aspect's pointcuts: {@code a.b.Type.method}, {@code call of
 * a.b.Type.method in a.b.Caller}, {@code a.b.Type.get* but not getAll}. Supports the forms of
 * built-in aspects only. Stateless, any thread.
 */
final class TimedMethods {

  private static final String ANY_PARAMETERS = "(..)";

  private TimedMethods() {}

  /**
   * @return in source order
   */
  static List<String> of(Class<?> aspect) throws IOException {
    Set<String> methods = new LinkedHashSet<>();
    for (String pointcut : Pointcuts.of(aspect)) {
      methods.addAll(describe(new PatternParser(pointcut).parsePointcut()));
    }
    return new ArrayList<>(methods);
  }

  private static List<String> describe(Pointcut node) {
    if (node instanceof OrPointcut) {
      List<String> either = new ArrayList<>(describe(((OrPointcut) node).getLeft()));
      either.addAll(describe(((OrPointcut) node).getRight()));
      return either;
    }
    if (node instanceof AndPointcut) {
      List<String> left = describe(((AndPointcut) node).getLeft());
      Pointcut right = ((AndPointcut) node).getRight();
      return right instanceof NotPointcut
          ? joined(left, " but not ", describe(((NotPointcut) right).getNegatedPointcut()))
          : joined(left, " ", describe(right));
    }
    if (node instanceof KindedPointcut) {
      boolean isCall = ((KindedPointcut) node).getKind() == Shadow.MethodCall;
      return methods(isCall ? "call of " : "", ((KindedPointcut) node).getSignature());
    }
    if (node instanceof WithincodePointcut) {
      return methods("in ", ((WithincodePointcut) node).getSignature());
    }
    if (node instanceof WithinPointcut) {
      List<String> places = new ArrayList<>();
      for (String type : types(((WithinPointcut) node).getTypePattern())) {
        places.add("in " + type);
      }
      return places;
    }
    throw new IllegalStateException("no description for the pointcut " + node);
  }

  private static List<String> joined(List<String> left, String between, List<String> right) {
    List<String> joined = new ArrayList<>();
    for (String one : left) {
      for (String other : right) {
        if (!areOfTwoVersions(one, other)) {
          joined.add(one + between + other);
        }
      }
    }
    return joined;
  }

  /** Returns whether one has a package of Fedora up to 3.3 and the other one of later versions. */
  private static boolean areOfTwoVersions(String one, String other) {
    return isUpTo33(one) && isSince34(other) || isSince34(one) && isUpTo33(other);
  }

  private static boolean isUpTo33(String method) {
    return method.contains(" fedora.");
  }

  private static boolean isSince34(String method) {
    return method.contains(" org.fcrepo.");
  }

  private static List<String> methods(String before, SignaturePattern signature) {
    String parameters = signature.getParameterTypes().toString();
    String method = signature.getName() + (parameters.equals(ANY_PARAMETERS) ? "" : parameters);
    if (signature.getDeclaringType() == TypePattern.ANY) {
      return Collections.singletonList(before + method);
    }
    List<String> methods = new ArrayList<>();
    for (String type : types(signature.getDeclaringType())) {
      methods.add(before + type + "." + method);
    }
    return methods;
  }

  private static List<String> types(TypePattern pattern) {
    if (pattern instanceof OrTypePattern) {
      List<String> either = new ArrayList<>(types(((OrTypePattern) pattern).getLeft()));
      either.addAll(types(((OrTypePattern) pattern).getRight()));
      return either;
    }
    String name = pattern.toString();
    return Collections.singletonList(
        pattern.isIncludeSubtypes() ? name.substring(0, name.length() - 1) : name);
  }
}
