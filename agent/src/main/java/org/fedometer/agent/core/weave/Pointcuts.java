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
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the pointcuts of a compiled aspect, including those of its advice, and their target
 * classes. Stateless, any thread.
 */
final class Pointcuts {

  private static final Set<String> ANNOTATIONS =
      new HashSet<>(
          Arrays.asList(
              "Lorg/aspectj/lang/annotation/Pointcut;",
              "Lorg/aspectj/lang/annotation/Before;",
              "Lorg/aspectj/lang/annotation/AfterReturning;",
              "Lorg/aspectj/lang/annotation/AfterThrowing;"));

  /** A {@code call(..)}, with up to three levels of parentheses. */
  private static final Pattern CALL =
      Pattern.compile("\\bcall\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)");

  /** A qualified class name, except those of the JDK and Java EE, which are parameter types. */
  private static final Pattern CLASS =
      Pattern.compile("(?<![\\w.])(?!javax?\\.)(?:[a-z]\\w*\\.)+[A-Z]\\w*");

  private Pointcuts() {}

  /**
   * @param aspect a loaded aspect, whose class file can be found
   * @return names of the classes whose code its pointcuts match, without those only in a {@code
   *     call(..)}; names of Fedora 3.3 and earlier come last
   */
  static Set<String> targetsOf(Class<?> aspect) throws IOException {
    Set<String> targets = new LinkedHashSet<>();
    Set<String> upTo33 = new LinkedHashSet<>();
    for (String pointcut : of(aspect)) {
      Matcher name = CLASS.matcher(CALL.matcher(pointcut).replaceAll(""));
      while (name.find()) {
        (name.group().startsWith("fedora.") ? upTo33 : targets).add(name.group());
      }
    }
    targets.addAll(upTo33);
    return targets;
  }

  /** Returns their text as written by the compiler. */
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
