package org.fedometer.agent.core.weave;

import aj.org.objectweb.asm.AnnotationVisitor;
import aj.org.objectweb.asm.ClassReader;
import aj.org.objectweb.asm.ClassVisitor;
import aj.org.objectweb.asm.MethodVisitor;
import aj.org.objectweb.asm.Opcodes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads from a compiled aspect its pointcuts, those of its advice included, and which classes they
 * are about. Stateless, any thread.
 */
final class Pointcuts {

  private static final Set<String> ANNOTATIONS =
      new HashSet<>(
          Arrays.asList(
              "Lorg/aspectj/lang/annotation/Pointcut;",
              "Lorg/aspectj/lang/annotation/Before;",
              "Lorg/aspectj/lang/annotation/AfterReturning;",
              "Lorg/aspectj/lang/annotation/AfterThrowing;"));

  private Pointcuts() {}

  /**
   * @param aspect a loaded aspect, whose class file can be found
   * @param candidates class names
   * @return those of {@code candidates} that one of the aspect's own pointcuts names
   */
  static Set<String> targetsOf(Class<?> aspect, Collection<String> candidates) throws IOException {
    String text = String.join("\n", of(aspect));
    Set<String> targets = new LinkedHashSet<>();
    for (String candidate : candidates) {
      if (names(text, candidate)) {
        targets.add(candidate);
      }
    }
    return targets;
  }

  /** As text, as the compiler has written them. */
  static List<String> of(Class<?> aspect) throws IOException {
    String resource = "/" + aspect.getName().replace('.', '/') + ".class";
    List<String> pointcuts = new ArrayList<>();
    try (InputStream in = aspect.getResourceAsStream(resource)) {
      if (in == null) {
        throw new FileNotFoundException(resource + " is missing in the agent's jar");
      }
      new ClassReader(in).accept(new Collector(pointcuts), ClassReader.SKIP_CODE);
    }
    return pointcuts;
  }

  /** Whether the text has this class name, not only as the beginning or the end of a longer one. */
  private static boolean names(String text, String className) {
    for (int at = text.indexOf(className); at >= 0; at = text.indexOf(className, at + 1)) {
      int after = at + className.length();
      boolean begins = at == 0 || !isPartOfName(text.charAt(at - 1));
      boolean ends = after == text.length() || !Character.isJavaIdentifierPart(text.charAt(after));
      if (begins && ends) {
        return true;
      }
    }
    return false;
  }

  private static boolean isPartOfName(char c) {
    return c == '.' || Character.isJavaIdentifierPart(c);
  }

  /** The compiler keeps a pointcut's text in an annotation of an empty method, or of the advice. */
  private static final class Collector extends ClassVisitor {
    private final List<String> pointcuts;

    Collector(List<String> pointcuts) {
      super(Opcodes.ASM9);
      this.pointcuts = pointcuts;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public AnnotationVisitor visitAnnotation(String type, boolean visible) {
          return ANNOTATIONS.contains(type) ? new Values(pointcuts) : null;
        }
      };
    }
  }

  private static final class Values extends AnnotationVisitor {
    private final List<String> pointcuts;

    Values(List<String> pointcuts) {
      super(Opcodes.ASM9);
      this.pointcuts = pointcuts;
    }

    @Override
    public void visit(String name, Object value) {
      if (name.equals("value") || name.equals("pointcut")) {
        pointcuts.add(String.valueOf(value));
      }
    }
  }
}
