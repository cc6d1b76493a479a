package org.fedometer.agent.core.weave;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.aspectj.weaver.IHasPosition;
import org.aspectj.weaver.Shadow;
import org.aspectj.weaver.UnresolvedType;
import org.aspectj.weaver.patterns.AbstractPatternNodeVisitor;
import org.aspectj.weaver.patterns.AndPointcut;
import org.aspectj.weaver.patterns.AndTypePattern;
import org.aspectj.weaver.patterns.AnnotationPointcut;
import org.aspectj.weaver.patterns.AnnotationTypePattern;
import org.aspectj.weaver.patterns.ArgsPointcut;
import org.aspectj.weaver.patterns.CflowPointcut;
import org.aspectj.weaver.patterns.ExactAnnotationTypePattern;
import org.aspectj.weaver.patterns.IfPointcut;
import org.aspectj.weaver.patterns.KindedPointcut;
import org.aspectj.weaver.patterns.NotPointcut;
import org.aspectj.weaver.patterns.OrPointcut;
import org.aspectj.weaver.patterns.OrTypePattern;
import org.aspectj.weaver.patterns.ParserException;
import org.aspectj.weaver.patterns.PatternNode;
import org.aspectj.weaver.patterns.PatternParser;
import org.aspectj.weaver.patterns.Pointcut;
import org.aspectj.weaver.patterns.ReferencePointcut;
import org.aspectj.weaver.patterns.SignaturePattern;
import org.aspectj.weaver.patterns.ThisOrTargetPointcut;
import org.aspectj.weaver.patterns.TypePattern;
import org.aspectj.weaver.patterns.TypePatternList;
import org.aspectj.weaver.patterns.WildAnnotationTypePattern;
import org.aspectj.weaver.patterns.WildTypePattern;
import org.aspectj.weaver.patterns.WithinAnnotationPointcut;
import org.aspectj.weaver.patterns.WithinCodeAnnotationPointcut;
import org.aspectj.weaver.patterns.WithinPointcut;
import org.aspectj.weaver.patterns.WithincodePointcut;
import org.fedometer.agent.core.weave.TypeNames.Names;

/**
 * A user's pointcut, parsed by AspectJ. Decides whether it can be a stage, and which classes may
 * match. That filter passes every class that the weaver would change, and few others. Immutable.
 */
final class CustomPointcut {

  private static final TypeFacts NO_TYPE = TypeFacts.ofNone();

  private final Pointcut tree;
  private final TypeNames typeNames = new TypeNames();
  private final Set<String> exactTypes = new LinkedHashSet<>();

  private CustomPointcut(Pointcut tree) {
    this.tree = tree;
    requireTimed(tree);
    requirePackages(tree);
    requireAnchor();
    collectExactTypes(tree);
  }

  /**
   * @throws IllegalArgumentException with one sentence: the error and its remedy
   */
  static CustomPointcut parse(String text) {
    if (text.trim().isEmpty()) {
      throw new IllegalArgumentException(
          "it has no pointcut; give, for example, execution(* org.fcrepo.server.Type.method(..))");
    }
    return new CustomPointcut(treeOf(text));
  }

  private static Pointcut treeOf(String text) {
    try {
      PatternParser parser = new PatternParser(text);
      Pointcut tree = parser.parsePointcut();
      parser.checkEof();
      return tree;
    } catch (ParserException e) {
      IHasPosition place = e.getLocation();
      // The end has no position.
      boolean atEnd = place == null || place.getStart() == 0 && place.getEnd() == 0;
      throw new IllegalArgumentException(
          quoted(text)
              + " is not a pointcut: the weaver reports '"
              + e.getMessage()
              + "' expected at character "
              + (atEnd ? text.length() : place.getStart() + 1)
              + "; a valid one is execution(* org.fcrepo.server.Type.method(..))");
    } catch (RuntimeException parserGaveUp) {
      throw new IllegalArgumentException(quoted(text) + " is not a pointcut: " + parserGaveUp);
    }
  }

  private static String quoted(String text) {
    return "'" + text + "'";
  }

  private static void requireTimed(Pointcut node) {
    if (node instanceof AndPointcut) {
      requireTimed(((AndPointcut) node).getLeft());
      requireTimed(((AndPointcut) node).getRight());
    } else if (node instanceof OrPointcut) {
      requireTimed(((OrPointcut) node).getLeft());
      requireTimed(((OrPointcut) node).getRight());
    } else if (node instanceof NotPointcut) {
      requireTimed(((NotPointcut) node).getNegatedPointcut());
    } else if (node instanceof KindedPointcut) {
      requireMethod((KindedPointcut) node);
    } else if (node instanceof ThisOrTargetPointcut) {
      requireType(((ThisOrTargetPointcut) node).getType(), node);
    } else if (node instanceof ArgsPointcut) {
      for (TypePattern argument : ((ArgsPointcut) node).getArguments().getTypePatterns()) {
        requireType(argument, node);
      }
    } else if (!(node instanceof WithinPointcut
        || node instanceof WithincodePointcut
        || node instanceof AnnotationPointcut
        || node instanceof WithinAnnotationPointcut
        || node instanceof WithinCodeAnnotationPointcut)) {
      throw rejection(node, unsupportedReason(node));
    }
  }

  private static void requireMethod(KindedPointcut node) {
    Shadow.Kind kind = node.getKind();
    if (kind != Shadow.MethodExecution
        && kind != Shadow.ConstructorExecution
        && kind != Shadow.MethodCall
        && kind != Shadow.ConstructorCall) {
      throw rejection(node, "is neither an execution nor a call of a method");
    }
  }

  /** Rejects a name such as {@code object}, which would bind a value for the advice. */
  private static void requireType(TypePattern pattern, Pointcut node) {
    String text = pattern.toString();
    if (TypeNames.isVariable(text)) {
      throw rejection(
          node, "binds '" + text + "', but a stage has no values; give a type with its package");
    }
  }

  private static void requirePackages(Pointcut tree) {
    tree.traverse(
        new AbstractPatternNodeVisitor() {
          @Override
          public Object visit(WildTypePattern node, Object data) {
            String name = TypeNames.nameOrNull(node);
            if (name != null && name.indexOf('.') < 0 && !TypeNames.needsNoPackage(name)) {
              throw rejection(
                  node,
                  "has no package, which only types of java.lang may omit; give the full name, for"
                      + " example org.fcrepo.server.Context");
            }
            return data;
          }
        },
        null);
  }

  private static String unsupportedReason(Pointcut node) {
    if (node instanceof IfPointcut) {
      return "is code, which a stage must not have; remove it";
    }
    if (node instanceof CflowPointcut) {
      return "needs new fields, which a loaded class cannot get; use withincode(..) or within(..)";
    }
    if (node instanceof ReferencePointcut) {
      return "refers to another pointcut; write that pointcut here";
    }
    return "cannot be woven into a loaded class as a stage; use execution, call, within, withincode,"
        + " this, target, args, @annotation, @within, @withincode";
  }

  private static IllegalArgumentException rejection(PatternNode node, String why) {
    return new IllegalArgumentException(
        quoted(node.toString()) + " at character " + (node.getStart() + 1) + " " + why);
  }

  private void requireAnchor() {
    if (mayMatch(tree, NO_TYPE)) {
      throw new IllegalArgumentException(
          quoted(tree.toString())
              + " would search every class of Fedora's JVM; give the type of an execution, or add"
              + " && within(org.fcrepo.server.storage..*)");
    }
    if (!mayTime(tree)) {
      throw new IllegalArgumentException(
          quoted(tree.toString())
              + " gives the place, but not the timed method; add execution(..) or call(..)");
    }
  }

  private static boolean mayTime(Pointcut node) {
    if (node instanceof AndPointcut) {
      return mayTime(((AndPointcut) node).getLeft()) || mayTime(((AndPointcut) node).getRight());
    }
    if (node instanceof OrPointcut) {
      return mayTime(((OrPointcut) node).getLeft()) && mayTime(((OrPointcut) node).getRight());
    }
    return node instanceof KindedPointcut;
  }

  /** Returns fully named types of executions and of {@code within}. */
  Set<String> exactTypes() {
    return exactTypes;
  }

  private void collectExactTypes(Pointcut node) {
    if (node instanceof AndPointcut) {
      collectExactTypes(((AndPointcut) node).getLeft());
      collectExactTypes(((AndPointcut) node).getRight());
    } else if (node instanceof OrPointcut) {
      collectExactTypes(((OrPointcut) node).getLeft());
      collectExactTypes(((OrPointcut) node).getRight());
    } else if (node instanceof WithinPointcut) {
      addExactType(((WithinPointcut) node).getTypePattern());
    } else if (node instanceof WithincodePointcut) {
      addExactType(((WithincodePointcut) node).getSignature().getDeclaringType());
    } else if (isExecution(node)) {
      addExactType(((KindedPointcut) node).getSignature().getDeclaringType());
    }
  }

  private void addExactType(TypePattern pattern) {
    String name = TypeNames.exactOrNull(pattern);
    if (name == null) {
      return;
    }
    if (CustomStageScope.isNeverWoven(name)) {
      throw new IllegalArgumentException(
          quoted(tree.toString())
              + " searches "
              + name
              + ", but classes of the JDK, of AspectJ and of Fedometer are never woven; time calls"
              + " of it by call(..) && within(TYPE OF FEDORA)");
    }
    exactTypes.add(name);
  }

  /**
   * Returns the fully named types that are missing and without which it matches nothing.
   *
   * @param isThere whether a type exists, by its JVM name
   */
  Set<String> missingTypes(Predicate<String> isThere) {
    return missing(tree, isThere);
  }

  private static Set<String> missing(Pointcut node, Predicate<String> isThere) {
    if (node instanceof AndPointcut) {
      return union(
          missing(((AndPointcut) node).getLeft(), isThere),
          missing(((AndPointcut) node).getRight(), isThere));
    }
    if (node instanceof OrPointcut) {
      return intersectionOrEmpty(
          missing(((OrPointcut) node).getLeft(), isThere),
          missing(((OrPointcut) node).getRight(), isThere));
    }
    if (node instanceof KindedPointcut) {
      return missing(((KindedPointcut) node).getSignature(), isThere);
    }
    if (node instanceof WithincodePointcut) {
      return missing(((WithincodePointcut) node).getSignature(), isThere);
    }
    if (node instanceof WithinPointcut) {
      return missing(((WithinPointcut) node).getTypePattern(), isThere);
    }
    if (node instanceof ThisOrTargetPointcut) {
      return missing(((ThisOrTargetPointcut) node).getType(), isThere);
    }
    if (node instanceof ArgsPointcut) {
      return missing(((ArgsPointcut) node).getArguments(), isThere);
    }
    String annotation = annotationOrNull(node);
    return annotation == null || isThere.test(annotation)
        ? Collections.<String>emptySet()
        : Collections.singleton(annotation);
  }

  private static String annotationOrNull(Pointcut node) {
    AnnotationTypePattern pattern = null;
    if (node instanceof AnnotationPointcut) {
      pattern = ((AnnotationPointcut) node).getAnnotationTypePattern();
    } else if (node instanceof WithinAnnotationPointcut) {
      pattern = ((WithinAnnotationPointcut) node).getAnnotationTypePattern();
    } else if (node instanceof WithinCodeAnnotationPointcut) {
      pattern = ((WithinCodeAnnotationPointcut) node).getAnnotationTypePattern();
    }
    UnresolvedType type =
        pattern instanceof ExactAnnotationTypePattern
            ? ((ExactAnnotationTypePattern) pattern).getAnnotationType()
            : null;
    return type == null || type.getName().indexOf('.') < 0 ? null : type.getName();
  }

  private static Set<String> missing(SignaturePattern signature, Predicate<String> isThere) {
    Set<String> missing = new LinkedHashSet<>();
    missing.addAll(missing(signature.getDeclaringType(), isThere));
    missing.addAll(missing(signature.getReturnType(), isThere));
    missing.addAll(missing(signature.getParameterTypes(), isThere));
    missing.addAll(missing(signature.getThrowsPattern().getRequired(), isThere));
    if (signature.getAnnotationPattern() instanceof WildAnnotationTypePattern) {
      TypePattern annotation =
          ((WildAnnotationTypePattern) signature.getAnnotationPattern()).getTypePattern();
      missing.addAll(missing(annotation, isThere));
    }
    return missing;
  }

  private static Set<String> missing(TypePatternList list, Predicate<String> isThere) {
    Set<String> missing = new LinkedHashSet<>();
    for (TypePattern pattern : list.getTypePatterns()) {
      missing.addAll(missing(pattern, isThere));
    }
    return missing;
  }

  private static Set<String> missing(TypePattern pattern, Predicate<String> isThere) {
    if (pattern instanceof AndTypePattern) {
      return union(
          missing(((AndTypePattern) pattern).getLeft(), isThere),
          missing(((AndTypePattern) pattern).getRight(), isThere));
    }
    if (pattern instanceof OrTypePattern) {
      return intersectionOrEmpty(
          missing(((OrTypePattern) pattern).getLeft(), isThere),
          missing(((OrTypePattern) pattern).getRight(), isThere));
    }
    String name =
        pattern instanceof WildTypePattern ? TypeNames.nameOrNull((WildTypePattern) pattern) : null;
    // Without a dot it is in java.lang.
    return name == null || name.indexOf('.') < 0 || isThere.test(name)
        ? Collections.<String>emptySet()
        : Collections.singleton(name);
  }

  private static Set<String> union(Set<String> left, Set<String> right) {
    Set<String> both = new LinkedHashSet<>(left);
    both.addAll(right);
    return both;
  }

  /** One side is enough to match. */
  private static Set<String> intersectionOrEmpty(Set<String> left, Set<String> right) {
    return left.isEmpty() || right.isEmpty() ? Collections.<String>emptySet() : union(left, right);
  }

  boolean mayMatch(TypeFacts type) {
    return mayMatch(tree, type);
  }

  private boolean mayMatch(Pointcut node, TypeFacts facts) {
    if (node instanceof AndPointcut) {
      return mayMatch(((AndPointcut) node).getLeft(), facts)
          && mayMatch(((AndPointcut) node).getRight(), facts);
    }
    if (node instanceof OrPointcut) {
      return mayMatch(((OrPointcut) node).getLeft(), facts)
          || mayMatch(((OrPointcut) node).getRight(), facts);
    }
    if (node instanceof NotPointcut) {
      return !mustMatch(((NotPointcut) node).getNegatedPointcut(), facts);
    }
    if (node instanceof WithinPointcut) {
      return typeNames.mayBe(((WithinPointcut) node).getTypePattern(), facts, Names.WITHIN);
    }
    if (node instanceof WithincodePointcut) {
      return mayHave(((WithincodePointcut) node).getSignature(), facts);
    }
    if (isMethodCall(node)) {
      SignaturePattern called = ((KindedPointcut) node).getSignature();
      return called.getName() == null || facts.mayCall(called.getName());
    }
    return !isExecution(node) || mayHave(((KindedPointcut) node).getSignature(), facts);
  }

  private boolean mustMatch(Pointcut node, TypeFacts facts) {
    if (node instanceof AndPointcut) {
      return mustMatch(((AndPointcut) node).getLeft(), facts)
          && mustMatch(((AndPointcut) node).getRight(), facts);
    }
    if (node instanceof OrPointcut) {
      return mustMatch(((OrPointcut) node).getLeft(), facts)
          || mustMatch(((OrPointcut) node).getRight(), facts);
    }
    if (node instanceof NotPointcut) {
      return !mayMatch(((NotPointcut) node).getNegatedPointcut(), facts);
    }
    return node instanceof WithinPointcut
        && typeNames.mustBe(((WithinPointcut) node).getTypePattern(), facts, Names.WITHIN);
  }

  private static boolean isExecution(Pointcut node) {
    Shadow.Kind kind = node instanceof KindedPointcut ? ((KindedPointcut) node).getKind() : null;
    return kind == Shadow.MethodExecution || kind == Shadow.ConstructorExecution;
  }

  private static boolean isMethodCall(Pointcut node) {
    return node instanceof KindedPointcut && ((KindedPointcut) node).getKind() == Shadow.MethodCall;
  }

  /**
   * The method is in the class itself, though the pattern may name a supertype that declares it.
   */
  private boolean mayHave(SignaturePattern signature, TypeFacts facts) {
    return typeNames.mayBe(signature.getDeclaringType(), facts, Names.DECLARING)
        && (signature.getName() == null || facts.mayDeclare(signature.getName()));
  }

  @Override
  public String toString() {
    return tree.toString();
  }
}
